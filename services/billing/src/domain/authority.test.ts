import { aMandate } from '@cds/service/testing';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { aHold } from '../test/builders.js';
import {
  type AuthorityView,
  accountOf,
  capsOf,
  countersOf,
  type Hold,
  heldCents,
  missOf,
  monthOf,
  spentCents,
  spentOf,
} from './authority.js';

const view = (held: number | null, holds: Hold[], written: string[] = [], gate = 0): AuthorityView => ({
  authority: {
    _id: 'key',
    ws: 'ws',
    min_mandate_version: gate,
    months: held === null ? {} : { '2026-11': { held } },
    holds,
  },
  written: new Set(written),
  now: new Date('2026-11-21T12:00:00Z'),
});

describe('spentCents: held cents minus the holds whose order does not exist (3.4)', () => {
  const open = aHold({ total_cents: 300, order_id: 'open' });
  const done = aHold({ total_cents: 200, order_id: 'done' });
  it.each([
    ['a month without an entry', view(null, []), 0],
    ['no hold', view(500, []), 500],
    ['an unfinished hold', view(500, [open]), 200],
    ['a hold whose order exists but is not cleaned up yet', view(500, [done], ['done']), 500],
    ['both', view(500, [open, done], ['done']), 200],
    ['a hold of another month', view(500, [aHold({ month: '2026-10' })]), 500],
    ['a refusal of 0 cents', view(500, [aHold({ total_cents: 0 })]), 500],
  ])('%s', (_name, seen, cents) => {
    expect(spentCents(seen, '2026-11')).toBe(cents);
  });

  it('is never negative or above held while held covers its holds', () => {
    fc.assert(
      fc.property(
        fc.nat(1_000),
        fc.array(fc.record({ cents: fc.nat(1_000), written: fc.boolean() })),
        (spent, ones) => {
          const holds = ones.map((one) => aHold({ total_cents: one.cents }));
          const written = holds.filter((_hold, n) => ones[n]?.written).map((hold) => hold.order_id);
          const held = spent + holds.reduce((sum, hold) => sum + hold.total_cents, 0);
          const seen = spentCents(view(held, holds, written), '2026-11');
          expect(seen).toBeGreaterThanOrEqual(spent);
          expect(seen).toBeLessThanOrEqual(held);
        },
      ),
    );
  });
});

describe('missOf explains a reserve that matched nothing before anything is refused (3.4)', () => {
  const mine = aHold({ total_cents: 100 });
  const other = aHold({ total_cents: 900 });
  it.each([
    ['its own signing landed after all', view(100, [mine]), 'mine'],
    ['another run of the command', view(100, [{ ...mine, signing_id: 'another' }]), 'own_command'],
    ['a gate above the mandate used', view(0, [], [], 2), 'gate'],
    ['the gate at the mandate used', view(0, [], [], 1), 'again'],
    [
      '64 holds',
      view(
        0,
        Array.from({ length: 64 }, () => aHold({ total_cents: 0 })),
      ),
      'full',
    ],
    ['a month without an entry', view(null, []), 'no_month'],
    ['spent plus total is one cent over the cap', view(901, []), 'over_cap'],
    ['spent plus total is the cap', view(900, []), 'again'],
    ["others' unfinished cents in the way", view(950, [other]), 'wait'],
    ["others' cents whose order exists", view(950, [other], [other.order_id]), 'over_cap'],
  ])('%s', (_name, seen, kind) => {
    expect(missOf(seen, mine, { document: 1_000, child: null }).kind).toBe(kind);
  });
});

describe("a child's approvals count for it and for its parent", () => {
  const parent = { key: 'key', monthly_cap_cents: 1_000, mandate_version: 1 };
  const byChild = (child: string, cents: number): Hold => {
    const hold = aHold({ total_cents: cents });
    return { ...hold, principal: { ...hold.principal, key: child, parent } };
  };
  const family = (held: number, children: Record<string, number>, holds: Hold[] = []): AuthorityView => {
    const seen = view(held, holds);
    const counted = Object.fromEntries(Object.entries(children).map(([child, cents]) => [child, { held: cents }]));
    return { ...seen, authority: { ...seen.authority, months: { '2026-11': { held, children: counted } } } };
  };

  it('what each has spent leaves out unfinished holds: all of them for the parent, its own for a child', () => {
    const seen = family(900, { one: 500, other: 300 }, [byChild('one', 200), byChild('other', 50), aHold()]);
    expect(spentCents(seen, '2026-11')).toBe(900 - 200 - 50 - 100);
    expect(spentCents(seen, '2026-11', 'one')).toBe(300);
    expect(spentCents(seen, '2026-11', 'other')).toBe(250);
    expect(spentCents(seen, '2026-11', 'third')).toBe(0);
  });

  const mine = byChild('one', 100);
  const caps = { document: 1_000, child: 500 };
  it.each([
    ['no entry of the child in the month', family(0, { other: 0 }), 'no_month'],
    ['its own cap is spent', family(401, { one: 401 }), 'over_cap'],
    ["its parent's cap is spent", family(901, { one: 0 }), 'over_cap'],
    ['both have room', family(900, { one: 400 }), 'again'],
    ['its own unfinished cents are in the way', family(450, { one: 450 }, [byChild('one', 100)]), 'wait'],
    ["another child's are in the way of the parent's cap", family(950, { one: 0 }, [byChild('other', 100)]), 'wait'],
    ["its parent's gate is above the version in force", { ...family(0, { one: 0 }), gate: 2 }, 'gate'],
  ])('a reserve that misses when %s', (_name, { gate = 0, ...seen }: AuthorityView & { gate?: number }, kind) => {
    const gated = { ...seen, authority: { ...seen.authority, min_mandate_version: gate } };
    expect(missOf(gated, mine, caps).kind).toBe(kind);
  });
});

const PARENT = { key: 'key', monthly_cap_cents: 1_000, mandate_version: 1 };
const CAPS = { document: 1_000, child: 500 };

describe('what a key has spent, as its answers show it', () => {
  const own = { document: 'key', child: null };
  const child = { document: 'key', child: 'one' };
  const seen = view(500, []);
  const counted: AuthorityView = {
    ...seen,
    authority: { ...seen.authority, months: { '2026-11': { held: 500, children: { one: { held: 200 } } } } },
  };

  it.each<[string, AuthorityView | null, typeof own | typeof child, object]>([
    ['before its first signing', null, own, { spent_cents: 0 }],
    ['of a key', counted, own, { spent_cents: 500 }],
    ['of a child before its parent’s first signing', null, child, { spent_cents: 0, parent_spent_cents: 0 }],
    ['of a child, with its parent’s', counted, child, { spent_cents: 200, parent_spent_cents: 500 }],
    ['of a child that signed nothing yet', seen, child, { spent_cents: 0, parent_spent_cents: 500 }],
  ])('%s', (_name, one, account, spent) => {
    expect(spentOf(one, '2026-11', account)).toEqual(spent);
  });

  it('is 0 in a month without an entry', () => {
    expect([heldCents(counted, '2026-12'), heldCents(counted, '2026-12', 'one')]).toEqual([0, 0]);
    expect(heldCents(seen, '2026-11', 'one')).toBe(0);
    expect(
      missOf(seen, { ...aHold(), principal: { ...aHold().principal, key: 'one', parent: PARENT } }, CAPS).kind,
    ).toBe('no_month');
  });
});

const OF_CHILD = { key: 'parent', monthly_cap_cents: 80_000, mandate_version: 1 };
const MANDATE = aMandate({ monthly_cap_cents: 60_000 });

/** docs/reliability.md#authority. */
describe('what a key signs counts', () => {
  it('for itself alone, against its own cap', () => {
    const account = accountOf({ key: 'key' });
    expect(account).toEqual({ document: 'key', child: null });
    expect(capsOf({ mandate: MANDATE })).toEqual({ document: 60_000, child: null });
    expect(countersOf(account, '2026-11')).toEqual(['months.2026-11.held']);
  });

  it('for its parent and for itself, against both caps', () => {
    const account = accountOf({ key: 'child', parent: OF_CHILD });
    expect(account).toEqual({ document: 'parent', child: 'child' });
    expect(capsOf({ mandate: MANDATE, parent: OF_CHILD })).toEqual({ document: 80_000, child: 60_000 });
    expect(countersOf(account, '2026-11')).toEqual(['months.2026-11.held', 'months.2026-11.children.child.held']);
  });

  it('against a cap of 0 without a mandate', () => {
    expect(capsOf({ mandate: null })).toEqual({ document: 0, child: null });
    expect(capsOf({ mandate: null, parent: OF_CHILD })).toEqual({ document: 80_000, child: 0 });
  });
});

describe('monthOf: the UTC month of approved_at', () => {
  it.each([
    ['the last millisecond of a month', '2026-11-30T23:59:59.999Z', '2026-11'],
    ['the first instant of the next', '2026-12-01T00:00:00.000Z', '2026-12'],
    ['another zone that is still in November', '2026-11-30T20:00:00-05:00', '2026-12'],
    ['the turn of the year', '2027-01-01T00:00:00Z', '2027-01'],
  ])('%s', (_name, at, month) => {
    expect(monthOf(new Date(at))).toBe(month);
  });
});
