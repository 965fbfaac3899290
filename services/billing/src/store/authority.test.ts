import { randomUUID } from 'node:crypto';
import { Deadline, inTx } from '@cds/service';
import { testStore } from '@cds/service/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mongo } from 'mongoose';
import type { Authority, Caps, Hold } from '../domain/authority.js';
import { monthBefore } from '../domain/authority.js';
import { aHold as anyHold } from '../test/builders.js';
import { Authorities } from './authority.js';

let rows: Authorities;
let test: Awaited<ReturnType<typeof testStore>>;
beforeAll(async () => {
  test = await testStore('authority');
  rows = new Authorities(test.store);
  await test.store.migrate();
});
afterAll(() => test.drop());

/** A hold of an approval that was admitted just now. */
const aHold = (over: Partial<Hold> = {}): Hold => anyHold({ approved_at: new Date(), ...over });
const inMonths = (...months: string[]) => ({
  ws: 'ws',
  months: Object.fromEntries(months.map((month) => [month, { held: 0 }])),
});
const CAPS: Caps = { document: 1_000, child: null };
const soon = () => Deadline.in(5_000);
const document = async (key: string) => test.store.db.collection<Authority>('authority').findOne({ _id: key });
const heldOf = async (key: string) => (await document(key))?.months['2026-11']?.held;
/** A key with the month, gate and holds of the case. */
const aKey = async (
  over: { held?: number; gate?: number; holds?: Hold[]; ended?: Authority['ended'] } = {},
): Promise<string> => {
  const key = randomUUID();
  await rows.ensure('ws', key);
  await rows.ensureMonth(inMonths(), { document: key, child: null }, '2026-11');
  await test.store.db.collection<Authority>('authority').updateOne(
    { _id: key },
    {
      $set: {
        min_mandate_version: over.gate ?? 0,
        'months.2026-11.held': over.held ?? 0,
        holds: over.holds ?? [],
        ...(over.ended !== undefined && { ended: over.ended }),
      },
    },
  );
  return key;
};

describe('reserve is one statement with its whole condition in the filter (3.4)', () => {
  const { principal } = aHold();
  const mine = aHold({ total_cents: 100, principal: { ...principal, rights: { 'key:a': 3, 'workspace:w': 0 } } });
  it.each([
    ['an empty month', {}, 'done'],
    ['held plus total is the cap', { held: 900 }, 'done'],
    ['held plus total is one cent over the cap (B08)', { held: 901 }, 'miss'],
    ['the gate at the mandate used', { gate: 1 }, 'done'],
    ['the gate above the mandate used (B13)', { gate: 2 }, 'miss'],
    ['another right that ended', { ended: { 'key:b': { below: 9, at: new Date() } } }, 'done'],
    ['its right at the version that remains', { ended: { 'key:a': { below: 3, at: new Date() } } }, 'done'],
    ['its right ended below a later version', { ended: { 'key:a': { below: 4, at: new Date() } } }, 'miss'],
    ['a hold of another command', { holds: [aHold()] }, 'done'],
    ['a hold of the same command', { holds: [aHold({ command_id: mine.command_id })] }, 'miss'],
    ['63 holds', { holds: Array.from({ length: 63 }, () => aHold()) }, 'done'],
    ['64 holds', { holds: Array.from({ length: 64 }, () => aHold()) }, 'miss'],
  ])('%s', async (_name, over, attempt) => {
    const key = await aKey(over);
    const before = (await heldOf(key)) ?? 0;
    expect(await rows.reserve(mine, key, CAPS, soon())).toBe(attempt);
    expect(await heldOf(key)).toBe(attempt === 'done' ? before + 100 : before);
  });

  it.each([
    ['before the key expires', 5_000, 'done'],
    ['once the key has expired', -1, 'miss'],
  ])('an approval that was admitted in time, %s', async (_name, left, attempt) => {
    const until = new Date((await test.store.now()).getTime() + left).toISOString();
    const hold = aHold({ principal: { ...principal, until } });
    expect(await rows.reserve(hold, await aKey(), CAPS, soon())).toBe(attempt);
  });

  it('misses a month without an entry, a foreign workspace and an absent key', async () => {
    const key = await aKey();
    expect(await rows.reserve(aHold({ month: '2026-12' }), key, CAPS, soon())).toBe('miss');
    expect(await rows.reserve(aHold({ ws: 'another' }), key, CAPS, soon())).toBe('miss');
    expect(await rows.reserve(aHold(), randomUUID(), CAPS, soon())).toBe('miss');
  });
});

describe("a child's reserve is the same one statement, with both counters in its filter", () => {
  const child = randomUUID();
  const caps: Caps = { document: 1_000, child: 500 };
  const parented = (key: string, version = 3): Hold => {
    const { principal, ...hold } = aHold({ total_cents: 100 });
    const parent = { key, monthly_cap_cents: 1_000, mandate_version: version };
    return { ...hold, principal: { ...principal, key: child, parent } };
  };
  const aParent = async (over: { held?: number; own?: number; gate?: number }): Promise<string> => {
    const key = await aKey({ held: over.held ?? 0, gate: over.gate ?? 0 });
    await rows.ensureMonth(inMonths(), { document: key, child }, '2026-11');
    await test.store.db
      .collection<Authority>('authority')
      .updateOne({ _id: key }, { $set: { [`months.2026-11.children.${child}.held`]: over.own ?? 0 } });
    return key;
  };
  const countersOf = async (key: string) => {
    const month = (await document(key))?.months['2026-11'];
    return [month?.held, month?.children?.[child]?.held];
  };

  it.each([
    ['its own cap is reached', { held: 400, own: 400 }, 'done'],
    ['its own cap is one cent short', { held: 401, own: 401 }, 'miss'],
    ["its parent's cap is reached by others", { held: 900, own: 0 }, 'done'],
    ["its parent's cap is one cent short", { held: 901, own: 0 }, 'miss'],
    ["its parent's gate is at the version in force", { gate: 3 }, 'done'],
    ["its parent's gate is above it", { gate: 4 }, 'miss'],
  ])('%s', async (_name, over, attempt) => {
    const key = await aParent(over);
    const [held = 0, own = 0] = await countersOf(key);
    expect(await rows.reserve(parented(key), key, caps, soon())).toBe(attempt);
    expect(await countersOf(key)).toEqual(attempt === 'done' ? [held + 100, own + 100] : [held, own]);
  });

  it('misses until the child has an entry of its own in the month', async () => {
    const key = await aKey();
    expect(await rows.reserve(parented(key), key, caps, soon())).toBe('miss');
    await rows.ensureMonth(inMonths(), { document: key, child }, '2026-11');
    expect(await rows.reserve(parented(key), key, caps, soon())).toBe('done');
  });

  it('release gives the cents back to both counters once', async () => {
    const key = await aParent({ held: 300, own: 200 });
    const hold = parented(key);
    await rows.reserve(hold, key, caps, soon());
    await Promise.all([rows.release(hold, key), rows.release(hold, key)]);
    expect(await countersOf(key)).toEqual([300, 200]);
  });
});

describe("a refusal's hold", () => {
  const refusal = aHold({ total_cents: 0, refusal: { code: 'conflict', message: 'no' } });
  it.each([
    ['needs no month and no gate', { gate: 9, held: 5_000 }, 'done'],
    ['is never added beside a hold of its command', { holds: [aHold({ command_id: refusal.command_id })] }, 'miss'],
    ['counts among the 64', { holds: Array.from({ length: 64 }, () => aHold()) }, 'miss'],
  ])('%s', async (_name, over, attempt) => {
    const key = await aKey(over);
    expect(await rows.holdRefusal(refusal, key, soon())).toBe(attempt);
  });
});

describe('ending a hold', () => {
  it('release gives the cents back once, cleanUp keeps them held, and neither matches again', async () => {
    const key = await aKey();
    const released = aHold({ total_cents: 100 });
    const finished = aHold({ total_cents: 200 });
    await rows.reserve(released, key, CAPS, soon());
    await rows.reserve(finished, key, CAPS, soon());
    await Promise.all([rows.release(released, key), rows.release(released, key), rows.release(released, key)]);
    expect(await heldOf(key)).toBe(200);
    await Promise.all([rows.cleanUp(finished, key), rows.cleanUp(finished, key)]);
    await rows.release(finished, key);
    expect(await document(key)).toMatchObject({ months: { '2026-11': { held: 200 } }, holds: [] });
  });

  it('renew extends only its own signing, and never revives an ended hold', async () => {
    const key = await aKey({ holds: [aHold(), aHold()] });
    const [first, second] = (await document(key))?.holds ?? [];
    if (first === undefined || second === undefined) throw new Error('no holds');
    const until = new Date('2027-01-01T00:00:00Z');
    await rows.renew(second, key, until);
    expect((await document(key))?.holds.map((hold) => hold.until)).toEqual([first.until, until]);
    await rows.release(second, key);
    await rows.renew(second, key, until);
    expect((await document(key))?.holds).toHaveLength(1);
  });

  it('expired holds are found by the recovery worker', async () => {
    const key = await aKey({ holds: [aHold({ until: new Date(1_000) }), aHold({ until: new Date(3_000) })] });
    const found = (await rows.expired(new Date(2_000), 'ws')).filter((one) => one.key === key);
    expect(found).toHaveLength(1);
    expect(await rows.expired(new Date(2_000), 'another')).toEqual([]);
  });
});

describe('touching the authority for another write of a command', () => {
  it('fails while that command has a hold', async () => {
    const hold = aHold();
    const key = await aKey({ holds: [hold] });
    const session = test.store.session();
    const nothing = () => undefined;
    const tx = { session, options: () => ({ session, maxTimeMS: 5_000 }), committed: nothing, aborted: nothing };
    try {
      expect(await rows.touchUnheld(tx, 'ws', key, hold.command_id)).toBe(false);
      expect(await rows.touchUnheld(tx, 'ws', key, 'free')).toBe(true);
    } finally {
      await session.endSession();
    }
  });
});

describe('the counters of children', () => {
  const NOVEMBER = '2026-11';
  const child = randomUUID();
  const inMonth = async (key: string, month: string) => {
    await rows.ensureMonth((await document(key)) ?? inMonths(), { document: key, child }, month);
    await test.store.db
      .collection<Authority>('authority')
      .updateOne({ _id: key }, { $set: { [`months.${month}`]: { held: 500, children: { [child]: { held: 500 } } } } });
  };
  const inFour = async (): Promise<string> => {
    const key = randomUUID();
    await rows.ensure('ws', key);
    for (const month of ['2026-08', '2026-09', '2026-10', NOVEMBER]) await inMonth(key, month);
    return key;
  };
  const inAugust = (key: string): Hold => {
    const parent = { key, monthly_cap_cents: 1_000, mandate_version: 1 };
    const hold = aHold({ total_cents: 100, month: '2026-08' });
    return { ...hold, principal: { ...hold.principal, key: child, parent } };
  };

  it('are kept for two months, and dropped with the first approval of the third; the months stay', async () => {
    const { months = {} } = (await document(await inFour())) ?? {};
    expect(Object.keys(months)).toEqual(['2026-08', '2026-09', '2026-10', NOVEMBER]);
    const kept = Object.entries(months).filter(([, month]) => month.children !== undefined);
    expect(kept.map(([month]) => month)).toEqual(['2026-10', NOVEMBER]);
    expect(Object.values(months).map(({ held }) => held)).toEqual([500, 500, 500, 500]);
  });

  it('are not made again by cents that come back to a month long past', async () => {
    const key = await inFour();
    const hold = inAugust(key);
    await test.store.db.collection<Authority>('authority').updateOne({ _id: key }, { $push: { holds: hold } });
    await Promise.all([rows.release(hold, key), rows.release(hold, key)]);
    await inTx(test.store, soon(), (tx) => rows.giveBack(tx, 'ws', { document: key, child }, '2026-08', 150));
    expect(await document(key)).toMatchObject({ holds: [], months: { '2026-08': { held: 250 } } });
    expect((await document(key))?.months['2026-08']).toEqual({ held: 250 });
  });

  it('keep a document far below the 16 MB of MongoDB, however many children a key makes', () => {
    const MADE_A_DAY = 200;
    const ACTIVE = 50;
    // Who may sign in a month: the children that are active as it begins, and those made in it.
    const children = () =>
      Object.fromEntries(
        Array.from({ length: ACTIVE + 32 * MADE_A_DAY }, () => [randomUUID(), { held: 1_000_000_000 }]),
      );
    const years = Array.from({ length: 1_200 }).reduce<string[]>(
      (all) => [monthBefore(all[0] ?? NOVEMBER), ...all],
      [],
    );
    const months = Object.fromEntries([
      ...years.map((month) => [month, { held: 1_000_000_000 }]),
      ...['2026-11', '2026-12'].map((month) => [month, { held: 1_000_000_000, children: children() }]),
    ]);
    expect(mongo.BSON.calculateObjectSize({ months })).toBeLessThan(1_000_000);
  });
});
