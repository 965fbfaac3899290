import { randomUUID } from 'node:crypto';
import { unavailable } from '@cds/contracts';
import { sweepTime } from '@cds/service';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { NOTHING_SIGNED, type SignVerdict } from '../store/sign-verdicts.js';
import { testWorld } from '../test/suite.js';
import { again, brand } from '../test/world.js';
import { forgetVerdicts } from './forget-verdicts.js';

const NOW = new Date('2027-03-01T12:00:00.000Z');
const DAY_MS = 86_400_000;
const time = sweepTime(NOW, new Map());

describe('old verdicts (docs/reliability.md#signing; I56)', () => {
  const world = testWorld('forget_verdicts');
  /** The signings with a hold in billing; null while billing does not answer. */
  let held: string[] | null = [];
  let asked: string[] = [];
  beforeEach(async () => {
    await world.deps.verdicts.rows.deleteMany({});
    held = [];
    asked = [];
  });

  const forget = (only: string | null = null) =>
    forgetVerdicts({
      verdicts: world.deps.verdicts,
      billing: {
        signings_standing: async (_ctx, { signings }) => {
          if (held === null) throw unavailable('billing is unavailable');
          const ids = signings.map((one) => one.signing_id);
          asked.push(...ids);
          return { standing: held.filter((id) => ids.includes(id)) };
        },
      },
    }).run(time, only);
  const aVerdict = async (days: number, over: Partial<SignVerdict> = {}): Promise<SignVerdict> => {
    const created_at = new Date(NOW.getTime() - days * DAY_MS);
    const verdict = { ...NOTHING_SIGNED, _id: randomUUID(), ws: 'ws', kind: 'closed' as const, lines: [], created_at };
    await world.deps.verdicts.rows.insertOne({ ...verdict, ...over });
    return { ...verdict, ...over };
  };
  const kept = async () =>
    (await world.deps.verdicts.rows.find().sort({ _id: 1 }).toArray()).map((verdict) => verdict._id);

  it('are removed after 30 days, except those with a hold in billing', async () => {
    const [young, stuck] = [await aVerdict(29), await aVerdict(400, { kind: 'signed', order_id: randomUUID() })];
    await aVerdict(31, { kind: 'refused' });
    await aVerdict(400);
    held = [stuck._id];
    expect(await forget()).toBe(2);
    expect(await kept()).toEqual([young._id, stuck._id].sort());
    expect(asked).not.toContain(young._id);

    // Whoever has the hold may still ask, and gets the same verdict.
    const answer = await world.value('plan_sign_close', again(brand()), { signing_id: stuck._id, workspace: 'ws' });
    expect(answer).toMatchObject({ kind: 'signed', order_id: stuck.order_id });

    held = [];
    expect(await forget()).toBe(1);
    expect(await kept()).toEqual([young._id]);
  });

  it('are kept while billing does not answer, and when a sandbox clock is advanced', async () => {
    const old = await aVerdict(400);
    held = null;
    await expect(forget()).rejects.toMatchObject({ code: 'unavailable' });
    held = [];
    expect(await forget('ws')).toBe(0);
    expect(await kept()).toEqual([old._id]);
  });

  it('are read page by page, even those of one instant', async () => {
    const created_at = new Date(NOW.getTime() - 40 * DAY_MS);
    const many = Array.from({ length: 1_100 }, () => randomUUID());
    await world.deps.verdicts.rows.insertMany(
      many.map((_id) => ({ ...NOTHING_SIGNED, _id, ws: 'ws', kind: 'closed', lines: [], created_at })),
    );
    held = many.slice(0, 600);
    expect(await forget()).toBe(500);
    expect(await kept()).toEqual([...held].sort());
    expect(asked).toHaveLength(1_100);
  });

  it('are not removed by a TTL index', async () => {
    const indexes = await world.deps.verdicts.rows.indexes();
    expect(indexes.filter((index) => 'expireAfterSeconds' in index)).toEqual([]);
  });
});
