// @night: fifty approvals at once, for minutes; each race has a test of its statement beside it.
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { aMandate, draws } from '@cds/service/testing';
import { describe, expect, it } from '@jest/globals';
import { monthOf } from '../domain/authority.js';
import { auditBilling } from '../test/audit-billing.js';
import { anApproval, codeOf } from '../test/builders.js';
import { aRefusal } from '../test/fake-planning.js';
import { testBilling } from '../test/suite.js';

/** Ten approvals on each of twenty keys, all at once: each key's cap is met to the cent (I13, I14, I55). */
const KEYS = 20;
const EACH = 10;
const PRICE = 100;
const ROUNDS = draws(1);
/** What a busy database answers, and a second request while the first one runs. */
const NOT_FINAL = ['unavailable', 'in_progress'];
const TRIES = 100;
/** For tests of what is decided, however slow the machine is. */
const NO_HURRY_MS = 300_000;
const OVER_CAP = 'mandate_refused over_monthly_cap';
const LATE = 'conflict lines_blocked';

describe(`${KEYS * EACH} approvals at once on ${KEYS} keys, ${ROUNDS} rounds`, () => {
  const billing = testBilling('approve_hammer');

  /** The codes of each key's approvals under the cap, and the cents that it has booked afterwards. */
  const hammered = async (capCents: number): Promise<{ codes: string[]; held: number }[]> => {
    const workspace = randomUUID();
    const mandate = aMandate({ monthly_cap_cents: capCents });
    const keys = Array.from({ length: KEYS }, () => randomUUID());
    // A run that a busy database ended leaves its hold to the recovery worker, and others wait for it.
    let over = false;
    const recovering = (async () => {
      for (; !over; await delay(250)) await billing.sweep('signings');
    })();
    const approvals = await Promise.all(
      Array.from({ length: KEYS * EACH }, async (_none, at) => {
        const key = keys[at % KEYS] ?? '';
        const ctx = await anApproval(billing, { key, workspace, mandate, limitMs: NO_HURRY_MS });
        const { id, terms_fingerprint } = billing.planning.plan(PRICE);
        const approve = () => codeOf(billing.run('approve_plan', ctx, { id, terms_fingerprint }));
        return { key, code: await finalOf(approve) };
      }),
    );
    over = true;
    await recovering;
    await billing.parts.close();
    const month = monthOf(await billing.store.now());
    const orders = await billing.orders(workspace);
    return Promise.all(
      keys.map(async (key) => {
        const codes = approvals.filter((one) => one.key === key).map(({ code }) => code);
        expect(orders.filter(({ key_id }) => key_id === key)).toHaveLength(countOf(codes, 'ok'));
        return { codes, held: (await billing.authority(key))?.months[month]?.held ?? 0 };
      }),
    );
  };
  /** The code of a write that is repeated under its Idempotency-Key while it has no final answer. */
  const finalOf = async (approve: () => Promise<string>): Promise<string> => {
    for (let left = TRIES - 1; ; left -= 1) {
      const code = await approve();
      if (!NOT_FINAL.includes(code) || left === 0) return code;
      await delay(250);
    }
  };
  const countsOf = (codes: readonly string[]): Record<string, number> =>
    Object.fromEntries([...new Set(codes)].map((code) => [code, countOf(codes, code)]));
  const countOf = (codes: readonly string[], wanted: string): number => codes.filter((code) => code === wanted).length;

  it.each([
    ['nothing', 0, 0],
    ['exactly their sum', EACH * PRICE, EACH],
    ['one cent less', EACH * PRICE - 1, EACH - 1],
  ])(
    'sign what a cap of %s allows, and refuse the rest',
    async (_cap, capCents, signs) => {
      for (let round = 0; round < ROUNDS; round += 1)
        for (const { codes, held } of await hammered(capCents)) {
          expect(countsOf(codes)).toEqual(
            countsOf([...Array(signs).fill('ok'), ...Array(EACH - signs).fill(OVER_CAP)]),
          );
          expect(held).toBe(signs * PRICE);
        }
      expect(await auditBilling(billing.store)).toEqual([]);
    },
    NO_HURRY_MS * (1 + ROUNDS),
  );

  it(
    'refuse none for cents that a late failure gives back',
    async () => {
      let asked = 0;
      billing.planning.misbehaviour = {
        before: async () => {
          asked += 1;
          const fails = asked % 2 === 0;
          await delay(5);
          billing.planning.signRefusal = fails ? aRefusal('conflict', 'lines_blocked') : null;
        },
      };
      const capCents = (EACH * PRICE) / 2;
      for (let round = 0; round < ROUNDS; round += 1)
        for (const { codes, held } of await hammered(capCents)) {
          const signed = countOf(codes, 'ok');
          expect(signed + countOf(codes, LATE) + countOf(codes, OVER_CAP)).toBe(EACH);
          expect(held).toBe(signed * PRICE);
          // A refusal by the cap is true only when signed plans fill it.
          if (countOf(codes, OVER_CAP) > 0) expect(held).toBe(capCents);
        }
      expect(await auditBilling(billing.store)).toEqual([]);
    },
    NO_HURRY_MS * (1 + ROUNDS),
  );
});
