import { Deadline, DeadlineOver } from '@cds/service';

/** So many wants go into one statement at most. */
const TOGETHER_MAX = 500;

/** A shared statement that is older than this no longer holds up the next one, in milliseconds. */
const SLOW_MS = 25;

/**
 * How many statements run at once: shared ones, and those of keys that are asked alone. Each kind has its own places, so
 * that many stuck keys take none from the others; together they leave the greater part of the connections free.
 */
const SHARED_MAX = 4;
const ALONE_MAX = 16;

/** A key that failed is asked alone until it answers, or has not failed for so long; so many are remembered. */
const SUSPECT_MS = 30_000;
const SUSPECTS_MAX = 1_000;

type Waiting<Want, Found> = {
  want: Want;
  key: string;
  /** The deadline of whoever waits: a want that nobody waits for any more is not asked. */
  deadline: Deadline | undefined;
  resolve: (found: Found | Promise<Found>) => void;
  reject: (error: unknown) => void;
};

/** What a shared statement answers for a want that it did not decide: it is asked again, its key alone. */
export const UNDECIDED = Symbol('undecided');

export type Statements<Want, Found> = {
  /** Names the document that a want is about. */
  keyOf: (want: Want) => string;
  one: (want: Want) => Promise<Found>;
  /** Answers each want in its place; a want may go on by itself. */
  together: (wants: readonly Want[]) => Promise<(Found | typeof UNDECIDED | Promise<Found>)[]>;
};

/**
 * Gathers what arrives while a statement is on its way into the next one: one want alone runs by itself at once, several
 * run together (reliability 3.3; performance 3, rule 2). A key is in one statement at a time, so each of its counts
 * builds on the last. When a shared statement fails, its keys are asked one by one, and a key that fails alone stays
 * alone until it answers: a stuck document delays nobody but its own callers.
 */
export class Gatherer<Want, Found> {
  /** Wants that may go into the next shared statement. */
  private queue: Waiting<Want, Found>[] = [];
  /** Wants of keys that are in a statement now, or are asked alone. */
  private readonly held = new Map<string, Waiting<Want, Found>[]>();
  private readonly busy = new Set<string>();
  /** Keys that failed, and until when that is remembered. */
  private readonly suspects = new Map<string, number>();
  private shared = 0;
  private alone = 0;
  private lastSharedAt = 0;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly statements: Statements<Want, Found>) {}

  add(want: Want): Promise<Found> {
    return new Promise((resolve, reject) => {
      const key = this.statements.keyOf(want);
      this.wait({ want, key, deadline: Deadline.current(), resolve, reject });
      this.next();
    });
  }

  private wait(one: Waiting<Want, Found>): void {
    if (!this.busy.has(one.key) && !this.isSuspect(one.key)) {
      this.queue.push(one);
      return;
    }
    const others = this.held.get(one.key);
    if (others === undefined) this.held.set(one.key, [one]);
    else others.push(one);
  }

  private isSuspect(key: string): boolean {
    return (this.suspects.get(key) ?? 0) > performance.now();
  }

  private suspect(key: string): void {
    this.suspects.delete(key);
    this.suspects.set(key, performance.now() + SUSPECT_MS);
    for (const oldest of this.suspects.keys()) {
      if (this.suspects.size <= SUSPECTS_MAX) break;
      this.suspects.delete(oldest);
    }
  }

  /** Begins whatever may begin. */
  private next(): void {
    for (const key of this.held.keys()) {
      if (this.alone === ALONE_MAX) break;
      if (!this.busy.has(key)) this.askAlone(key);
    }
    while (this.queue.length > 0 && this.shared < SHARED_MAX) {
      const wait = this.shared === 0 ? 0 : this.lastSharedAt + SLOW_MS - performance.now();
      if (wait > 0) {
        this.timer ??= setTimeout(() => {
          this.timer = undefined;
          this.next();
        }, wait);
        return;
      }
      this.askTogether();
    }
  }

  private askTogether(): void {
    const batch: Waiting<Want, Found>[] = [];
    const rest: Waiting<Want, Found>[] = [];
    for (const one of this.queue) {
      if (this.busy.has(one.key) || this.isSuspect(one.key)) this.wait(one);
      else if (batch.length < TOGETHER_MAX) batch.push(one);
      else rest.push(one);
    }
    this.queue = rest;
    const wanted = stillWanted(batch);
    if (wanted.length === 0) return;
    this.shared += 1;
    this.lastSharedAt = performance.now();
    void this.ask(wanted).finally(() => {
      this.shared -= 1;
      this.next();
    });
  }

  private askAlone(key: string): void {
    const wanted = stillWanted(this.held.get(key) ?? []);
    this.held.delete(key);
    if (wanted.length === 0) return;
    this.alone += 1;
    void this.ask(wanted).finally(() => {
      this.alone -= 1;
      this.next();
    });
  }

  /** Runs one statement for these wants and settles them. Never rejects. */
  private async ask(batch: readonly Waiting<Want, Found>[]): Promise<void> {
    const keys = new Set(batch.map(({ key }) => key));
    for (const key of keys) this.busy.add(key);
    const again: Waiting<Want, Found>[] = [];
    try {
      const found = await this.run(batch.map(({ want }) => want));
      for (const key of keys) this.suspects.delete(key);
      for (const [index, one] of batch.entries()) {
        const answer = found[index] as Found | typeof UNDECIDED;
        if (answer === UNDECIDED) again.push(one);
        else one.resolve(answer);
      }
      for (const { key } of again) this.suspect(key);
    } catch (error) {
      for (const key of keys) this.suspect(key);
      if (keys.size > 1) again.push(...batch);
      else for (const { reject } of batch) reject(error);
    }
    this.release(keys, again);
  }

  private async run(wants: readonly Want[]): Promise<(Found | typeof UNDECIDED | Promise<Found>)[]> {
    const [alone] = wants;
    return wants.length === 1 && alone !== undefined
      ? [await this.statements.one(alone)]
      : this.statements.together(wants);
  }

  /** Lets a key's wants go on: those to be asked again first, then those that came meanwhile. */
  private release(keys: ReadonlySet<string>, again: readonly Waiting<Want, Found>[]): void {
    const came: Waiting<Want, Found>[] = [];
    for (const key of keys) {
      this.busy.delete(key);
      came.push(...(this.held.get(key) ?? []));
      this.held.delete(key);
    }
    for (const one of [...again, ...came]) this.wait(one);
  }
}

/** Turns away wants whose time is over. */
const stillWanted = <Want, Found>(batch: readonly Waiting<Want, Found>[]): Waiting<Want, Found>[] =>
  batch.filter(({ deadline, reject }) => {
    if (deadline === undefined || deadline.remainingMs() > 0) return true;
    reject(new DeadlineOver());
    return false;
  });
