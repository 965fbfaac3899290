import { operations } from '@cds/contracts';
import { describe, expect, it } from '@jest/globals';
import { type Brand, makeBrand } from '../../../test/edge-app.js';
import { type SignedIn, signIn } from '../../../test/people.js';
import { aPersonCtx } from '../../../test/person.js';
import { testEdge } from '../../../test/suite.js';

const MANDATE = {
  max_plan_cents: 100,
  monthly_cap_cents: 200,
  channels: ['x_creators'],
  may_approve: true,
  expires_at: new Date(Date.now() + 30 * 86_400_000).toISOString(),
};
const VERSION = '2026-11-01';
const NEW_KEY = { name: 'mine', scopes: ['inventory:read'] };

type Row = { input: (brand: Brand) => Record<string, unknown>; actions: string[]; actor?: string };

/** An audit row as the test reads it. */
type Left = { _id: string; action: string; actor: string; ws: string };

const id = (brand: Brand, name = 'full') => ({ id: brand.ids[name] });

/** Every write of a person on keys, mandates and terms (invariants.yaml, I53). A new operation adds its row here. */
const ROWS: Readonly<Record<string, Row>> = {
  key_make: { input: () => NEW_KEY, actions: ['key.made'] },
  key_change: {
    input: (brand) => ({ ...id(brand), scopes: ['inventory:read'] }),
    actions: ['key.changed', 'mandate.set'],
  },
  key_revoke: { input: (brand) => id(brand), actions: ['key.revoked'] },
  key_report: { input: (brand) => ({ key: brand.live['full'] }), actions: ['key.reported'], actor: 'system' },
  key_mandate_set: { input: (brand) => ({ ...id(brand), ...MANDATE }), actions: ['mandate.set'] },
  key_mandate_remove: { input: (brand) => id(brand), actions: ['mandate.removed'] },
  key_terms_accept: { input: (brand) => ({ ...id(brand), version: VERSION }), actions: ['mandate.terms_accepted'] },
  terms_accept: { input: () => ({ version: VERSION }), actions: ['terms.accepted'] },
};

describe('the audit of keys, mandates and terms (docs/domain/operators.md#audit)', () => {
  const edge = testEdge('audit_entries');
  let brand: Brand;
  let owner: SignedIn;

  it('has a row for every write of a person', () => {
    const writes = operations.filter(
      ({ name, audience, effect }) => /^(key|terms)_/.test(name) && effect === 'write' && audience !== 'internal',
    );
    const own = writes.filter(({ audience }) => audience === 'person' || audience === 'public');
    expect(new Set(own.map(({ name }) => name))).toEqual(new Set(Object.keys(ROWS)));
  });

  it.each(Object.entries(ROWS))('%s leaves its entries', async (name, { input, actions, actor }) => {
    brand = await makeBrand(edge);
    owner = await signIn(edge, brand);
    const rows = edge.shell.store.db.collection<Left>('audit');
    const known = new Set((await rows.find({}).toArray()).map(({ _id }) => _id));

    const ctx = aPersonCtx(brand.workspaces.live, { person: owner.person_id });
    const answer = await edge.run(name, ctx, input(brand));
    expect(answer.status).toBeLessThan(300);

    const left = (await rows.find({}).toArray()).filter(({ _id }) => !known.has(_id));
    expect(left).toHaveLength(actions.length);
    expect(new Set(left.map(({ action }) => action))).toEqual(new Set(actions));
    const by = actor ?? `person:${owner.person_id}`;
    for (const entry of left) expect([entry.actor, entry.ws]).toEqual([by, brand.workspaces.live]);
  });
});
