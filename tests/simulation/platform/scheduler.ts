import { Random } from './random.js';

/** Whose step it is: a replica that can die and pause, or a part of the simulated world that cannot. */
export type Actor = {
  readonly name: string;
  /** A replica of a service: each of its steps is a point at which it may be killed. */
  readonly mortal: boolean;
  alive: boolean;
  pausedUntil: number;
  /** How far the clock of its host is from the right time. */
  skewMs: number;
};

type Step = { at: number; order: number; actor: Actor; label: string; run: () => void };

/** Lets the promises of this process run until all of them wait. Taken before anything is replaced. */
const realImmediate = setImmediate;
const drained = (): Promise<void> => new Promise((resolve) => realImmediate(resolve));

/** When a simulated run begins: on some day, or in the last seconds of a month. */
const NOON = Date.parse('2026-11-21T12:00:00.000Z');
const MONTHS_END = Date.parse('2026-12-01T00:00:00.000Z');

/** The fault of a replica before a step: it dies, or pauses for so many milliseconds. */
export type Blow = 'kill' | number | null;

/**
 * The one thread of a simulated world: takes the next step in simulated time, runs it, and waits until everything that
 * followed from it waits for another step. Whoever waits for a port, a message or a timer continues only by a step, so
 * every such await is a place where a replica can die, and the seed decides the whole order.
 */
export class Scheduler {
  readonly random: Random;
  readonly trace: string[] = [];
  now = 0;
  /** Steps of mortal actors so far: the number of a kill point. */
  mortalSteps = 0;
  current: Actor = WORLD;
  /** Asked before each step of a mortal actor. */
  strike: (actor: Actor, step: number) => Blow = () => null;
  onKilled: (actor: Actor) => void = () => undefined;
  private readonly begin: number;
  private readonly heap: Step[] = [];
  private order = 0;

  constructor(
    readonly seed: number,
    readonly traced = false,
  ) {
    this.random = new Random(seed);
    this.begin = this.random.chance(0.2) ? MONTHS_END - Math.floor(this.random.between(0, 3_000)) : NOON;
  }

  /** Simulated time of day, the database's and that of every right clock. */
  get wall(): number {
    return this.begin + this.now;
  }

  date(): Date {
    return new Date(Math.floor(this.wall));
  }

  /** Puts a step on the way; one of a dead actor is dropped when its time comes. */
  after(ms: number, actor: Actor, label: string, run: () => void): Step {
    const step = { at: this.now + Math.max(0, ms), order: this.order, actor, label, run };
    this.order += 1;
    this.push(step);
    return step;
  }

  cancel(step: Step): void {
    step.run = DROPPED;
  }

  note(text: () => string): void {
    if (this.traced) this.trace.push(`${this.now.toFixed(2).padStart(10)} ${text()}`);
  }

  die(actor: Actor): void {
    actor.alive = false;
    this.note(() => `${actor.name} is killed`);
    this.onKilled(actor);
  }

  /** Runs until `done` (asked between steps) or until simulated time reaches `limitMs`; answers whether it was done. */
  async run(done: () => boolean, limitMs: number): Promise<boolean> {
    while (!done()) {
      const step = this.pop();
      if (step === undefined || step.at > limitMs) {
        if (step !== undefined) this.push(step);
        this.now = Math.max(this.now, limitMs);
        return false;
      }
      if (step.run === DROPPED || !step.actor.alive) continue;
      if (step.actor.pausedUntil > step.at) {
        step.at = step.actor.pausedUntil;
        this.push(step);
        continue;
      }
      this.now = Math.max(this.now, step.at);
      if (step.actor.mortal) {
        this.mortalSteps += 1;
        const blow = this.strike(step.actor, this.mortalSteps);
        if (blow === 'kill') {
          this.note(() => `kill point ${this.mortalSteps}: before "${step.label}"`);
          this.die(step.actor);
          continue;
        }
        if (blow !== null) {
          this.note(() => `${step.actor.name} pauses for ${Math.round(blow)} ms`);
          step.at = step.actor.pausedUntil = this.now + blow;
          this.push(step);
          continue;
        }
      }
      if (step.label !== '') this.note(() => `${step.actor.name}: ${step.label}`);
      this.current = step.actor;
      step.run();
      await drained();
      this.current = WORLD;
    }
    return true;
  }

  /** Runs a piece of code as an actor, at once: what it begins continues by steps. */
  as<T>(actor: Actor, work: () => T): T {
    const before = this.current;
    this.current = actor;
    try {
      return work();
    } finally {
      this.current = before;
    }
  }

  private push(step: Step): void {
    const { heap } = this;
    let at = heap.length;
    heap.push(step);
    while (at > 0) {
      const parent = (at - 1) >> 1;
      const above = heap[parent];
      if (above === undefined || !isBefore(step, above)) break;
      heap[at] = above;
      at = parent;
    }
    heap[at] = step;
  }

  private pop(): Step | undefined {
    const { heap } = this;
    const first = heap[0];
    const last = heap.pop();
    if (first === undefined || last === undefined || first === last) return first;
    let at = 0;
    for (;;) {
      const left = 2 * at + 1;
      const leftStep = heap[left];
      if (leftStep === undefined) break;
      const rightStep = heap[left + 1];
      const [child, least] =
        rightStep !== undefined && isBefore(rightStep, leftStep) ? [left + 1, rightStep] : [left, leftStep];
      if (!isBefore(least, last)) break;
      heap[at] = least;
      at = child;
    }
    heap[at] = last;
    return first;
  }
}

const DROPPED = (): void => undefined;
const isBefore = (one: Step, other: Step): boolean =>
  one.at < other.at || (one.at === other.at && one.order < other.order);

export const WORLD: Actor = { name: 'world', mortal: false, alive: true, pausedUntil: 0, skewMs: 0 };

export const anActor = (name: string, over: Partial<Actor> = {}): Actor => ({
  name,
  mortal: false,
  alive: true,
  pausedUntil: 0,
  skewMs: 0,
  ...over,
});
