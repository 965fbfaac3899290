import { Deadline, makeLogger, Store } from '@cds/service';
import { proves, randomOf, testStore } from '@cds/service/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ASKS, METER } from '../domain/constants.js';
import { decideRead, type Meter, type MeterWant } from '../domain/meter/meter.js';
import { anId } from '../test/builders.js';
import { type Booking, Meters } from './meters.js';

/** Repetitions of a run (docs/reliability.md#layers). */
const REPETITIONS = Number(process.env['CDS_METER_HAMMERS'] ?? 3);
const READS = 500;
const KEYS = 10;
/**
 * For all reads of a repetition together; statements outside any work would end after 8 s, which a slow machine needs.
 */
const REPETITION_LIMIT_MS = 300_000;
const MIDNIGHT = Date.parse('2026-11-22T00:00:00.000Z');

type Read = { want: MeterWant; now: Date };
type Booked = Read & Booking;

/** A round: its shares of app reads, opens and asks, the creators it reads, and its duration. */
type Round = { name: string; app: number; open: number; ask: number; creators: number; page: number; spanMs: number };
/** Rounds are shorter than an ask's hold, since none of these asks is confirmed. */
const ROUNDS: readonly Round[] = [
  { name: 'the pool of a day', app: 0.9, open: 0.05, ask: 0, creators: 900, page: 3, spanMs: 50_000 },
  { name: 'the minutes and lists of keys', app: 0.05, open: 0.1, ask: 0, creators: 40, page: 12, spanMs: 7_200_000 },
  { name: 'opens and the pause', app: 0, open: 0.9, ask: 0, creators: 200, page: 1, spanMs: 3_600_000 },
  { name: 'price asks', app: 0.3, open: 0, ask: 0.9, creators: 12, page: 1, spanMs: 20_000 },
];

/**
 * The reads of a repetition, in the order they are sent. Halfway through, two of the ten keys are revoked and replaced;
 * every second repetition crosses midnight.
 */
const readsOf = (repetition: number, round: Round): Read[] => {
  const random = randomOf(repetition + 1);
  const from = repetition % 2 === 0 ? MIDNIGHT + 3_600_000 : MIDNIGHT - round.spanMs / 2;
  return Array.from({ length: READS }, (_none, index) => {
    const place = Math.floor(random() * KEYS);
    const key = index >= READS / 2 && place < 2 ? `new-${place}` : `key-${place}`;
    const drawn = random();
    const kind = drawn < round.ask ? 'ask' : drawn < round.ask + round.open ? 'open' : 'list';
    const first = Math.floor(random() * round.creators);
    return {
      want: {
        attemptId: `${repetition}-${index}`,
        key: random() < round.app ? null : key,
        kind,
        creators: Array.from({ length: kind === 'list' ? round.page : 1 }, (_one, at) => anId(first + at)),
        askId: kind === 'ask' ? `ask-${index}` : null,
        asker: kind === 'ask' && index % 4 === 0 ? 'sandbox' : null,
      },
      // The two replicas' clocks differ a little, either way.
      now: new Date(from + Math.floor((index / READS) * round.spanMs + random() * 400)),
    };
  });
};

/** Reads in the order in which they were decided, whichever replica decided them. */
const inOrder = (booked: readonly Booked[]): Booked[] => [...booked].sort((one, other) => one.n - other.n);

/** Counts how often each limit's unit was granted, per window. */
const given = (booked: readonly Booked[]): Map<string, Set<string>> => {
  const units = new Map<string, Set<string>>();
  const give = (window: string, unit: string) => units.set(window, (units.get(window) ?? new Set()).add(unit));
  for (const { want, at, granted, refused } of booked) {
    if (refused !== null) continue;
    const day = at.toISOString().slice(0, 10);
    for (const id of granted) give(`${METER.viewsPerDay} creators on ${day}`, id);
    for (const owner of want.key === null ? [] : [want.key, 'the brand']) {
      const minute = at.toISOString().slice(0, 16);
      if (want.kind !== 'ask') give(`${METER.readsPerMinute} reads by ${owner} at ${minute}`, want.attemptId);
      if (want.kind === 'list') give(`${METER.listsPerDay} lists by ${owner} on ${day}`, want.attemptId);
      else for (const id of want.creators) give(`${METER.opensPerDay} opens by ${owner} on ${day}`, id);
    }
    if (want.askId === null) continue;
    const asker = want.asker ?? 'the workspace';
    give(`${ASKS.perDay} asks by ${asker}`, want.askId);
    give(`${ASKS.perCreator} asks by ${asker} for ${want.creators[0]}`, want.askId);
  }
  return units;
};

describe('the meter under 500 concurrent reads by ten keys on two replicas', () => {
  let replicas: Meters[];
  let other: Store;
  let drop: () => Promise<void>;

  beforeAll(async () => {
    const made = await testStore('hammer');
    drop = made.drop;
    other = await Store.open(
      { uri: process.env['CDS_TEST_MONGODB_URI'] ?? '', db: made.store.name },
      makeLogger('catalog', 'silent'),
    );
    replicas = [new Meters(made.store), new Meters(other)];
  });
  afterAll(async () => {
    await other?.close();
    await drop();
  });

  const book = async (workspace: string, { want, now }: Read, replica: number): Promise<Booked> => ({
    want,
    now,
    ...(await (replicas[replica % 2] as Meters).book(workspace, want, now)),
  });

  it(`admits none over a limit and refuses none wrongly in ${REPETITIONS} repetitions (I38, I39, I40)`, async () => {
    proves('limits.pool-300', 'limits.brand-ceiling');
    const met = new Set<string>();
    for (let repetition = 0; repetition < REPETITIONS; repetition += 1) {
      const round = ROUNDS[repetition % ROUNDS.length] as Round;
      const reads = readsOf(repetition, round);
      const booked = inOrder(
        await Deadline.in(REPETITION_LIMIT_MS).run(() =>
          Promise.all(reads.map((read, index) => book(`brand-${repetition}`, read, index % 2))),
        ),
      );
      expect(booked.map(({ n }) => n)).toEqual(Array.from({ length: READS }, (_none, index) => index + 1));

      for (const [window, units] of given(booked))
        if (units.size > Number.parseInt(window, 10)) expect({ repetition, window, units: units.size }).toBe('within');

      // One after the other, without a database between them, the reads are decided the same: every refusal was due.
      let meter: Meter | null = null;
      for (const { want, now, granted, refused } of booked) {
        const alone = decideRead(meter, want, now);
        meter = alone.meter;
        const decided = JSON.stringify({ granted, refused });
        const wanted = JSON.stringify({ granted: alone.granted, refused: alone.refused });
        if (decided !== wanted) expect({ repetition, want, now, decided }).toEqual({ repetition, want, now, wanted });
        met.add(refused === null ? 'served' : `${refused.reason} ${refused.scope}`);
      }
    }
    if (REPETITIONS < 2 * ROUNDS.length) return;
    expect([...met].sort((one, other) => one.localeCompare(other))).toEqual(
      expect.arrayContaining([
        'daily_limit workspace',
        'daily_lists api',
        'daily_reveals api',
        'daily_seen workspace',
        'locked api',
        'per_minute api',
        'served',
      ]),
    );
  }, 1_800_000);
});
