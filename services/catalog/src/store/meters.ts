import { type Collection, isDuplicate, type Store, type Tx } from '@cds/service';
import { METER } from '../domain/constants.js';
import { decideRead, type Meter, type MeterRefusal, type MeterWant, withoutAsk } from '../domain/meter/meter.js';
import type { HeldMeter } from '../domain/meter/pools.js';
import { changeOf, type KnownMeter, type MeterRow, meterOf, rowOf } from './meter-row.js';
import { Turns } from './turns.js';

export type Booking = {
  granted: readonly string[];
  refused: MeterRefusal | null;
  at: Date;
  /** The place of this decision among all of the workspace. */
  n: number;
};

/** How many meters a process remembers as it last knew them. */
const KNOWN_MAX = 2_000;

type Step = { want: MeterWant; now: Date } | { release: string };
type Taken = Booking | null;

/**
 * One document per workspace (docs/reliability.md#read-meter). A pure function decides each read; the write takes
 * effect only if the document is still the one that was decided on. What this process remembers of a meter is a guess
 * that saves a read: no decision rests on it.
 */
export class Meters {
  private readonly rows: Collection<MeterRow>;
  private readonly known = new Map<string, KnownMeter>();
  /** As many together as a meter remembers attempts, so that each stays known. */
  private readonly turns = new Turns<Step, Taken>(METER.attemptsKept, (workspace, steps) =>
    this.take(workspace, steps),
  );

  constructor(store: Pick<Store, 'collection'>) {
    this.rows = store.collection<MeterRow>({ name: 'read_meters' });
  }

  async book(workspace: string, want: MeterWant, now: Date): Promise<Booking> {
    const booking = await this.turns.add(workspace, { want, now });
    if (booking === null) throw new Error('a read was not decided');
    return booking;
  }

  async held(workspace: string, key: string | null, asker: string | null): Promise<HeldMeter | null> {
    const meter = (await this.read(workspace))?.meter;
    return meter === undefined ? null : heldOf(meter, key, asker);
  }

  async isSendingAsk(workspace: string, asker: string | null, now: Date): Promise<boolean> {
    const sending = { asks: { $elemMatch: { asker, until: { $gt: now } } } };
    return (await this.rows.findOne({ _id: workspace, ...sending }, { projection: { _id: 1 } })) !== null;
  }

  async confirmAsk(tx: Tx, workspace: string, askId: string): Promise<boolean> {
    const done = await this.rows.updateOne(
      { _id: workspace, 'asks.id': askId },
      { $set: { 'asks.$.until': null }, $inc: { n: 1 } },
      tx.options(),
    );
    return done.matchedCount === 1;
  }

  async releaseAsk(workspace: string, askId: string): Promise<void> {
    await this.turns.add(workspace, { release: askId });
  }

  private async take(workspace: string, steps: readonly Step[]): Promise<Taken[]> {
    const guess = this.known.get(workspace);
    this.known.delete(workspace);
    let before = guess ?? (await this.read(workspace));
    for (;;) {
      const { meter, answers } = afterAll(before?.meter ?? null, steps);
      // Without a write nothing would show that a guess was out of date.
      const isSettled = meter === (before?.meter ?? null) && (before === null || before !== guess);
      const after = isSettled || meter === null ? before : await this.write(workspace, before, meter);
      if (isSettled || after !== null) {
        this.remember(workspace, after);
        return answers;
      }
      before = await this.read(workspace);
    }
  }

  private async read(workspace: string): Promise<KnownMeter | null> {
    const row = await this.rows.findOne({ _id: workspace });
    return row === null ? null : meterOf(row);
  }

  private async write(workspace: string, before: KnownMeter | null, meter: Meter): Promise<KnownMeter | null> {
    if (before === null) return this.insert(workspace, meter);
    const { update, known } = changeOf(before, meter);
    const decidedOn = { _id: workspace, born: before.born, n: before.meter.n };
    const { matchedCount } = await this.rows.updateOne(decidedOn, update);
    return matchedCount === 1 ? known : null;
  }

  private async insert(workspace: string, meter: Meter): Promise<KnownMeter | null> {
    const { row, known } = rowOf(workspace, meter);
    try {
      await this.rows.insertOne(row);
      return known;
    } catch (error) {
      if (isDuplicate(error)) return null;
      throw error;
    }
  }

  private remember(workspace: string, known: KnownMeter | null): void {
    if (known === null) return;
    this.known.set(workspace, known);
    const [oldest] = this.known.keys();
    if (this.known.size > KNOWN_MAX && oldest !== undefined) this.known.delete(oldest);
  }
}

const afterAll = (held: Meter | null, steps: readonly Step[]): { meter: Meter | null; answers: Taken[] } => {
  let meter = held;
  const answers = steps.map((step): Taken => {
    if ('release' in step) {
      meter = meter === null ? null : withoutAsk(meter, step.release);
      return null;
    }
    const decided = decideRead(meter, step.want, step.now);
    meter = decided.meter;
    return { granted: decided.granted, refused: decided.refused, at: meter.at, n: meter.n };
  });
  return { meter, answers };
};

const heldOf = (meter: Meter, key: string | null, asker: string | null): HeldMeter => {
  const own = meter.keys.find(({ id }) => id === key);
  const counted = (of: Meter['ws']) => ({ ...of, opened: of.opened.length });
  return {
    at: meter.at,
    day: meter.day,
    seen: meter.seen.length,
    ws: counted(meter.ws),
    key: own === undefined ? null : counted(own),
    asks: meter.asks.filter((ask) => ask.asker === asker),
  };
};
