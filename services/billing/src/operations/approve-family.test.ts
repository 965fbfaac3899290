import { randomUUID } from 'node:crypto';
import { aMandate } from '@cds/service/testing';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Authority } from '../domain/authority.js';
import { monthOf } from '../domain/authority.js';
import { auditBilling } from '../test/audit-billing.js';
import { auditAuthority } from '../test/audits/authority.js';
import { anApproval, answerOf, codeOf } from '../test/builders.js';
import { testBilling } from '../test/suite.js';

const billing = testBilling('approve_family');

const DAY_MS = 86_400_000;
const PRICE = 100;

/** A parent and its children with their caps in cents; `at` is the parent's mandate version. */
const aFamily = (parentCap: number, childCaps: readonly number[]) => ({
  workspace: randomUUID(),
  parent: randomUUID(),
  parentCap,
  at: 1,
  children: childCaps.map((cap) => ({ key: randomUUID(), cap })),
});
type Family = ReturnType<typeof aFamily>;

/** An approval of a plan of 100 cents by the parent, or by its nth child. */
const approval = async (family: Family, child: number | null, over: { sandbox?: boolean } = {}) => {
  const { workspace } = family;
  const one = child === null ? null : (family.children[child] ?? null);
  const ctx = await anApproval(billing, {
    workspace,
    key: one?.key ?? family.parent,
    mandate: aMandate({
      version: one === null ? family.at : 1,
      monthly_cap_cents: Math.min(family.parentCap, one?.cap ?? family.parentCap),
    }),
    limitMs: 300_000,
    ...over,
  });
  const parent = { key: family.parent, monthly_cap_cents: family.parentCap, mandate_version: family.at };
  return one === null ? ctx : { ...ctx, principal: { ...ctx.principal, parent } };
};
const approve = async (family: Family, child: number | null, over: { sandbox?: boolean } = {}) => {
  const plan = billing.planning.plan(PRICE);
  const ctx = await approval(family, child, over);
  return billing.approve(ctx, plan);
};
const heldIn = async (family: Family) => {
  const month = (await billing.authority(family.parent))?.months[monthOf(await billing.store.now())];
  return { family: month?.held ?? 0, children: family.children.map(({ key }) => month?.children?.[key]?.held ?? 0) };
};
const clean = async () => expect(await auditBilling(billing.store)).toEqual([]);

describe('a child key signs in the authority of its parent (docs/reliability.md#authority)', () => {
  it('its cents count for both, its order names the parent, and no other document is made', async () => {
    const family = aFamily(1_000, [500, 500]);
    await answerOf(await approve(family, 0));
    await answerOf(await approve(family, null));
    await billing.parts.close();

    expect(await heldIn(family)).toEqual({ family: 200, children: [100, 0] });
    expect((await billing.orders(family.workspace)).map((order) => order.parent_key_id)).toEqual([
      family.parent,
      undefined,
    ]);
    expect(await billing.authority(family.children[0]?.key ?? '')).toBeNull();
    await clean();
  });

  it('a quote shows each key what it spent itself, and the parent what the family spent', async () => {
    const family = aFamily(1_000, [500, 500]);
    await approve(family, 0);
    await approve(family, 1);
    const spent = async (child: number | null) => {
      const ctx = await approval(family, child);
      const facts = answerOf<Record<string, unknown>>(await billing.run('quote_facts', ctx, { order_id: null }));
      return [facts['spent_this_month_cents'], facts['parent_spent_cents']];
    };
    expect(await spent(0)).toEqual([100, 200]);
    expect(await spent(null)).toEqual([200, undefined]);
  });

  it('is refused by its own cap with its own figures, and by the shared one with the parent’s', async () => {
    const family = aFamily(250, [100, 250]);
    expect(await codeOf(approve(family, 0))).toBe('ok');
    expect(await approve(family, 0)).toMatchObject({
      error: { details: { reason: 'over_monthly_cap', limit_cents: 100, spent_cents: 100, over_by_cents: 100 } },
    });
    expect(await codeOf(approve(family, null))).toBe('ok');
    expect(await approve(family, 1)).toMatchObject({
      error: { details: { reason: 'over_monthly_cap', limit_cents: 250, spent_cents: 200, over_by_cents: 50 } },
    });
    await billing.parts.close();
    await clean();
  });

  it('cancelling its unpaid order gives the cents back to both, once', async () => {
    const family = aFamily(1_000, [500]);
    await approve(family, 0);
    await billing.parts.close();
    await billing.shell.clocks.set(family.workspace, 15 * DAY_MS);
    await billing.sweep('unpaid orders');
    await billing.sweep('unpaid orders');
    expect(await heldIn(family)).toEqual({ family: 0, children: [0] });
    await clean();
  });
});

describe('approvals of a whole family at once', () => {
  it('never hold more than any of its caps, and use all of the shared one', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 8 }),
        fc.array(fc.integer({ min: 0, max: 5 }), { minLength: 1, maxLength: 3 }),
        fc.integer({ min: 0, max: 99 }),
        async (shared, own, odd) => {
          const family = aFamily(
            shared * PRICE + odd,
            own.map((one) => one * PRICE + odd),
          );
          const askers = [null, null, ...own.flatMap((_cap, child) => Array.from({ length: 6 }, () => child))];
          const codes = await Promise.all(askers.map((child) => codeOf(approve(family, child))));
          await billing.parts.close();

          const granted = (of: number | null) =>
            codes.filter((code, at) => code === 'ok' && (of === null || askers[at] === of)).length * PRICE;
          const most = 2 + own.reduce((sum, one) => sum + Math.min(one, 6), 0);
          expect([...new Set(codes)].filter((code) => code !== 'ok' && !code.endsWith('over_monthly_cap'))).toEqual([]);
          expect(await heldIn(family)).toEqual({
            family: granted(null),
            children: own.map((_cap, child) => granted(child)),
          });
          expect(granted(null)).toBe(Math.min(shared, most) * PRICE);
          for (const [child, cap] of own.entries()) expect(granted(child)).toBeLessThanOrEqual(cap * PRICE);
        },
      ),
      { numRuns: 12 },
    );
    await clean();
  }, 300_000);
});

describe('the nightly audit of a family', () => {
  const tampered = async (counter: (family: Family, month: string) => string) => {
    const family = aFamily(1_000, [500]);
    await approve(family, 0);
    await billing.parts.close();
    const rows = billing.store.db.collection<Authority>('authority');
    const month = monthOf(await billing.store.now());
    await rows.updateOne({ _id: family.parent }, { $inc: { [counter(family, month)]: 1 } });
    const objects = (await auditAuthority(billing.store)).map(({ object }) => object);
    await rows.deleteOne({ _id: family.parent });
    await billing.store.db.collection('orders').deleteMany({ ws: family.workspace });
    return { objects, family, month };
  };

  it.each([
    ['the parent', (family: Family) => family.parent, () => 'held'],
    ['a child', (family: Family) => family.children[0]?.key ?? '', (key: string) => `children.${key}.held`],
  ])('finds a counter of %s that differs from its orders', async (_whose, of, counter) => {
    const { objects, family, month } = await tampered((one, in_) => `months.${in_}.${counter(of(one))}`);
    expect(objects).toEqual([`${of(family)} ${month}`]);
  });
});
