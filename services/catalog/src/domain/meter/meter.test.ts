import { describe, expect, it } from '@jest/globals';
import { anId } from '../../test/builders.js';
import { ASKS, METER } from '../constants.js';
import { type Counters, decideRead, type Meter, type MeteredAsk, type MeterWant, withoutAsk } from './meter.js';

const NOW = new Date('2026-11-22T10:20:30.000Z');
const MIDNIGHT = '2026-11-23T00:00:00.000Z';
const before = (ms: number): Date => new Date(NOW.getTime() - ms);
const ids = (count: number, from = 0): string[] => Array.from({ length: count }, (_none, index) => anId(from + index));

const counters = (over: Partial<Counters> = {}): Counters => ({
  min: { win: new Date('2026-11-22T10:20:00.000Z'), n: 0 },
  lists: 0,
  opened: [],
  opens: [],
  paused_until: null,
  ...over,
});

const aMeter = (over: Partial<Meter> & { key?: Partial<Counters> } = {}): Meter => {
  const { key, ...meter } = over;
  return {
    n: 7,
    at: before(1_000),
    day: '2026-11-22',
    seen: [],
    ws: counters(),
    keys: [{ id: 'k', ...counters(key) }],
    asks: [],
    recent: [],
    ...meter,
  };
};

const aWant = (over: Partial<MeterWant> = {}): MeterWant => ({
  attemptId: 'attempt',
  key: 'k',
  kind: 'list',
  creators: [anId(1)],
  askId: null,
  asker: null,
  ...over,
});
const anOpen = (over: Partial<MeterWant> = {}): MeterWant => aWant({ kind: 'open', ...over });
const anAsk = (over: Partial<MeterWant> = {}): MeterWant => aWant({ kind: 'ask', askId: 'ask', ...over });

const asks = (count: number, over: (index: number) => Partial<MeteredAsk> = () => ({})): MeteredAsk[] =>
  Array.from({ length: count }, (_none, index) => ({
    id: `ask-${index}`,
    creator: anId(100 + index),
    asker: null,
    at: before(3_600_000 - index),
    until: null,
    key: 'k',
    opened: [],
    ...over(index),
  }));

describe('a read of creators (docs/domain/network.md#read-limits)', () => {
  it('is booked on key and brand, and shows its creators', () => {
    const { meter, granted, refused } = decideRead(null, aWant({ creators: ids(3) }), NOW);
    expect({ granted, refused }).toEqual({ granted: ids(3), refused: null });
    const booked = counters({ min: { win: new Date('2026-11-22T10:20:00.000Z'), n: 1 }, lists: 1 });
    expect(meter).toMatchObject({
      n: 1,
      at: NOW,
      day: '2026-11-22',
      seen: ids(3),
      ws: booked,
      keys: [{ id: 'k', ...booked }],
    });
  });

  type Row = { name: string; held: Meter; want: MeterWant; refused: [string, string | null, number, string] | null };
  const full = { min: { win: new Date('2026-11-22T10:20:00.000Z'), n: METER.readsPerMinute } };
  const nearlyFull = { min: { ...full.min, n: METER.readsPerMinute - 1 } };
  const paused = { paused_until: new Date(NOW.getTime() + 1) };
  const LOCKED_UNTIL = paused.paused_until.toISOString();

  it.each<Row>([
    { name: 'the 20th of a minute', held: aMeter({ key: nearlyFull }), want: aWant(), refused: null },
    {
      name: 'the 21st of a key in a minute',
      held: aMeter({ key: full }),
      want: aWant(),
      refused: ['per_minute', 'key', 20, '2026-11-22T10:21:00.000Z'],
    },
    {
      name: 'the 21st of a brand in a minute',
      held: aMeter({ ws: counters(full) }),
      want: aWant({ key: 'another' }),
      refused: ['per_minute', 'api', 20, '2026-11-22T10:21:00.000Z'],
    },
    {
      name: 'one in the minute after a full one',
      held: aMeter({ key: { min: { win: new Date('2026-11-22T10:19:00.000Z'), n: METER.readsPerMinute } } }),
      want: aWant(),
      refused: null,
    },
    { name: 'a price ask in a full minute', held: aMeter({ key: full }), want: anAsk(), refused: null },
    {
      name: 'one within a pause',
      held: aMeter({ key: paused }),
      want: aWant(),
      refused: ['locked', 'key', 40, LOCKED_UNTIL],
    },
    { name: 'one at the end of a pause', held: aMeter({ key: { paused_until: NOW } }), want: aWant(), refused: null },
    { name: 'the 60th list of a day', held: aMeter({ key: { lists: 59 } }), want: aWant(), refused: null },
    {
      name: 'the 61st list of a day',
      held: aMeter({ key: { lists: 60 } }),
      want: aWant(),
      refused: ['daily_lists', 'key', 60, MIDNIGHT],
    },
    { name: 'an open after 60 lists', held: aMeter({ key: { lists: 60 } }), want: anOpen(), refused: null },
    {
      name: 'the 61st creator opened in a day',
      held: aMeter({ key: { opened: ids(60, 200) } }),
      want: anOpen(),
      refused: ['daily_reveals', 'key', 60, MIDNIGHT],
    },
    {
      name: 'a creator opened already, after 60',
      held: aMeter({ key: { opened: ids(60, 200) } }),
      want: anOpen({ creators: [anId(200)] }),
      refused: null,
    },
    {
      name: 'a page of new creators after 300',
      held: aMeter({ seen: ids(300, 1_000) }),
      want: aWant(),
      refused: ['daily_seen', 'workspace', 300, MIDNIGHT],
    },
    {
      name: 'a page without creators after 300',
      held: aMeter({ seen: ids(300, 1_000) }),
      want: aWant({ creators: [] }),
      refused: null,
    },
    {
      name: 'what the app shows in a full minute',
      held: aMeter({ ws: counters(full) }),
      want: aWant({ key: null }),
      refused: null,
    },
    {
      name: 'the key’s limit before the brand’s',
      held: aMeter({ key: { lists: 60 }, ws: counters(full) }),
      want: aWant(),
      refused: ['daily_lists', 'key', 60, MIDNIGHT],
    },
  ])('decides $name', ({ held, want, refused }) => {
    const decided = decideRead(held, want, NOW);
    const said = decided.refused;
    expect(said && [said.reason, said.scope, said.limit, said.resets_at.toISOString()]).toEqual(refused);
    expect(decided.granted).toEqual(refused === null ? want.creators : []);
    if (refused !== null)
      expect(decided.meter).toMatchObject({
        seen: held.seen,
        asks: held.asks,
        ws: { lists: held.ws.lists, min: held.ws.min },
      });
  });

  it('near the end of the day’s views shows the creators that fit and those seen already', () => {
    const held = aMeter({ seen: ids(299, 1_000) });
    const { granted, meter } = decideRead(held, aWant({ creators: [anId(1), anId(1_000), anId(2)] }), NOW);
    expect(granted).toEqual([anId(1), anId(1_000)]);
    expect(meter.seen).toHaveLength(300);
  });

  it('pauses a key with its 40th open within ten minutes, and counts a creator once', () => {
    const held = aMeter({ key: { opens: Array.from({ length: 39 }, (_none, index) => before(500_000 - index)) } });
    const { meter } = decideRead(held, anOpen(), NOW);
    expect(meter.keys[0]?.paused_until).toEqual(new Date(NOW.getTime() + METER.pauseMs));
    const again = decideRead(aMeter({ key: { opened: [anId(1)], opens: [before(1)] } }), anOpen(), NOW).meter;
    expect(again.keys[0]).toMatchObject({ opened: [anId(1)], opens: [before(1)], paused_until: null });
    const old = aMeter({ key: { opens: Array.from({ length: 39 }, () => before(METER.pauseMs)) } });
    expect(decideRead(old, anOpen(), NOW).meter.keys[0]).toMatchObject({ opens: [NOW], paused_until: null });
  });

  it('starts a new day with nothing used, and forgets keys that nothing holds', () => {
    const next = new Date(`${MIDNIGHT.slice(0, 10)}T00:00:00.000Z`);
    const held = aMeter({
      seen: ids(300),
      ws: counters({ lists: 60, opened: ids(60) }),
      keys: [
        { id: 'k', ...counters({ lists: 60 }) },
        { id: 'idle', ...counters({ lists: 60 }) },
        { id: 'paused', ...counters({ lists: 60, paused_until: new Date(next.getTime() + 1) }) },
      ],
    });
    const { meter, refused } = decideRead(held, aWant({ creators: ids(3, 500) }), next);
    expect(refused).toBeNull();
    expect(meter).toMatchObject({ day: '2026-11-23', seen: ids(3, 500), ws: { lists: 1, opened: [] } });
    expect(meter.keys.map(({ id, lists }) => [id, lists])).toEqual([
      ['paused', 0],
      ['k', 1],
    ]);
  });

  it('never goes back in time', () => {
    const held = aMeter({
      at: new Date('2026-11-22T10:21:00.000Z'),
      key: { min: { win: new Date('2026-11-22T10:21:00.000Z'), n: 3 } },
    });
    expect(decideRead(held, aWant(), NOW).meter).toMatchObject({
      at: held.at,
      keys: [{ min: { win: held.at, n: 4 } }],
    });
  });

  it('answers a repeated attempt as before, and books nothing', () => {
    const served = decideRead(aMeter(), aWant(), NOW);
    const again = decideRead(served.meter, aWant(), NOW);
    expect(again).toEqual({ ...served, meter: { ...served.meter, n: served.meter.n + 1 } });
    const refused = decideRead(aMeter({ key: { lists: 60 } }), aWant(), NOW);
    const asked = decideRead({ ...refused.meter, keys: [] }, aWant(), NOW);
    expect(asked.refused).toEqual(refused.refused);
  });

  it(`remembers ${METER.attemptsKept} attempts`, () => {
    let meter: Meter = aMeter();
    for (let at = 0; at <= METER.attemptsKept; at += 1)
      meter = decideRead(meter, aWant({ key: null, attemptId: `a-${at}` }), NOW).meter;
    expect(meter.recent.map(({ attempt_id: id }) => id).slice(0, 2)).toEqual(['a-1', 'a-2']);
    expect(meter.recent).toHaveLength(METER.attemptsKept);
  });
});

describe('a price ask (docs/domain/network.md#price-requests)', () => {
  it.each([
    ['the 3rd for a creator', asks(2, () => ({ creator: anId(1) })), null],
    ['the 4th for a creator', asks(3, () => ({ creator: anId(1) })), ASKS.perCreator],
    ['the 20th of a workspace', asks(19), null],
    ['the 21st of a workspace', asks(20), ASKS.perDay],
    [
      'the 21st, the first being 24 hours old',
      asks(20, (index) => (index === 0 ? { at: before(86_400_000) } : {})),
      null,
    ],
    ['the 21st beside 20 of a sandbox', asks(20, () => ({ asker: 'sandbox' })), null],
    [
      'the 4th, one of the three having been given up',
      asks(3, (index) => ({ creator: anId(1), until: index === 0 ? NOW : null })),
      null,
    ],
    [
      'the 4th, one of the three being sent',
      asks(3, (index) => ({ creator: anId(1), until: index === 0 ? new Date(NOW.getTime() + 1) : null })),
      ASKS.perCreator,
    ],
  ] as const)('decides %s', (_name, held, limit) => {
    const { refused, meter } = decideRead(aMeter({ asks: [...held] }), anAsk(), NOW);
    expect(refused?.limit ?? null).toBe(limit);
    if (refused !== null) {
      const oldest = held[0]?.at.getTime() ?? 0;
      expect(refused).toEqual({
        reason: 'daily_limit',
        scope: 'workspace',
        limit,
        resets_at: new Date(oldest + 86_400_000),
        ...(limit === ASKS.perCreator ? { creator_id: anId(1) } : {}),
      });
    } else expect(meter.asks.at(-1)).toMatchObject({ id: 'ask', until: new Date(NOW.getTime() + ASKS.holdMs) });
  });

  it('that is given back leaves nothing, its view neither', () => {
    const held = aMeter({ seen: [anId(9)], ws: counters({ opened: [anId(9)], opens: [before(1)] }) });
    const { meter } = decideRead(held, anAsk(), NOW);
    expect(meter.asks[0]?.opened).toEqual(['key', 'ws', 'view']);
    const released = withoutAsk(meter, 'ask');
    expect(released).toEqual({ ...meter, n: meter.n + 1, asks: [], ws: held.ws, keys: held.keys, seen: [anId(9)] });
    expect(withoutAsk(released, 'ask')).toBe(released);
  });

  it('that is given back takes one place of the pause, however many opens its instant had', () => {
    const { meter } = decideRead(aMeter(), anAsk(), NOW);
    const others = decideRead(meter, anOpen({ attemptId: 'other', creators: [anId(2)] }), NOW).meter;
    expect(withoutAsk(others, 'ask')).toMatchObject({ ws: { opened: [anId(2)], opens: [NOW] } });
  });

  it('that is given back ends the pause that it began, and no other', () => {
    const opens = Array.from({ length: METER.opensInTenMinutes - 1 }, (_none, at) => before(at + 1));
    const { meter } = decideRead(aMeter({ key: { opens }, ws: counters({ opens }) }), anAsk(), NOW);
    expect(meter.keys[0]?.paused_until).toEqual(new Date(NOW.getTime() + METER.pauseMs));
    expect(withoutAsk(meter, 'ask')).toMatchObject({ keys: [{ paused_until: null }], ws: { paused_until: null } });
    const later = new Date(NOW.getTime() + METER.pauseMs + 1);
    const others = { ...meter, ws: { ...meter.ws, paused_until: later } };
    expect(withoutAsk(others, 'ask').ws.paused_until).toEqual(later);
  });

  it('that is given back keeps an open that another read booked', () => {
    const held = aMeter({ ws: counters({ opened: [anId(1)], opens: [before(1)] }) });
    const { meter } = decideRead(held, anAsk(), NOW);
    expect(meter.asks[0]?.opened).toEqual(['key', 'view']);
    expect(withoutAsk(meter, 'ask')).toMatchObject({ ws: held.ws, keys: held.keys });
  });
});
