import { Deadline, DeadlineOver } from '@cds/service';

const BATCH_MAX = 500;

/** After this many milliseconds a running shared statement no longer delays the next one. */
const SLOW_MS = 25;

/**
 * How many statements run at once: shared ones, and those for one suspect key alone. The limits are separate, so that
 * stuck keys never take a slot from the others; together they leave most connections free.
 */
const SHARED_MAX = 4;
const ALONE_MAX = 16;

/** A key that failed runs alone until it succeeds or this time has passed; this many are remembered. */
const SUSPECT_MS = 30_000;
const SUSPECTS_MAX = 1_000;

type Pending<Request, Answer> = {
  request: Request;
  key: string;
  deadline: Deadline | undefined;
  resolve: (answer: Answer | Promise<Answer>) => void;
  reject: (error: unknown) => void;
};

/** A shared statement's answer for a request that it did not decide; it runs again, with its key alone. */
export const UNDECIDED = Symbol('undecided');

export type Statements<Request, Answer> = {
  keyOf: (request: Request) => string;
  one: (request: Request) => Promise<Answer>;
  /** Answers each request in its position. A promise resolves by a statement of its own. */
  many: (requests: readonly Request[]) => Promise<(Answer | typeof UNDECIDED | Promise<Answer>)[]>;
};

/**
 * Collects the requests that arrive while a statement runs into the next statement; a single request runs at once
 * (docs/reliability.md#authentication, docs/performance.md#database, rule 2). A key is in one statement at a time, so
 * each count builds on the last. When a shared statement fails, its keys run one by one, and a key that fails alone
 * stays alone until it succeeds. So a stuck document delays only its own callers.
 */
export class Batcher<Request, Answer> {
  private queue: Pending<Request, Answer>[] = [];
  /** Requests whose key is in a statement now, or is suspect. */
  private readonly waiting = new Map<string, Pending<Request, Answer>[]>();
  private readonly busy = new Set<string>();
  /** Keys that failed, and until when they count as suspect. */
  private readonly suspects = new Map<string, number>();
  private shared = 0;
  private alone = 0;
  private lastSharedAt = 0;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly statements: Statements<Request, Answer>) {}

  add(request: Request): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const key = this.statements.keyOf(request);
      this.enqueue({ request, key, deadline: Deadline.current(), resolve, reject });
      this.next();
    });
  }

  private enqueue(one: Pending<Request, Answer>): void {
    if (!this.busy.has(one.key) && !this.isSuspect(one.key)) {
      this.queue.push(one);
      return;
    }
    const others = this.waiting.get(one.key);
    if (others === undefined) this.waiting.set(one.key, [one]);
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

  private next(): void {
    for (const key of this.waiting.keys()) {
      if (this.alone === ALONE_MAX) break;
      if (!this.busy.has(key)) this.runAlone(key);
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
      this.runShared();
    }
  }

  private runShared(): void {
    const batch: Pending<Request, Answer>[] = [];
    const rest: Pending<Request, Answer>[] = [];
    for (const one of this.queue) {
      if (this.busy.has(one.key) || this.isSuspect(one.key)) this.enqueue(one);
      else if (batch.length < BATCH_MAX) batch.push(one);
      else rest.push(one);
    }
    this.queue = rest;
    const live = withinDeadline(batch);
    if (live.length === 0) return;
    this.shared += 1;
    this.lastSharedAt = performance.now();
    void this.execute(live).finally(() => {
      this.shared -= 1;
      this.next();
    });
  }

  private runAlone(key: string): void {
    const live = withinDeadline(this.waiting.get(key) ?? []);
    this.waiting.delete(key);
    if (live.length === 0) return;
    this.alone += 1;
    void this.execute(live).finally(() => {
      this.alone -= 1;
      this.next();
    });
  }

  /** Runs one statement and resolves its requests. Never rejects. */
  private async execute(batch: readonly Pending<Request, Answer>[]): Promise<void> {
    const keys = new Set(batch.map(({ key }) => key));
    for (const key of keys) this.busy.add(key);
    const again: Pending<Request, Answer>[] = [];
    try {
      const answers = await this.run(batch.map(({ request }) => request));
      for (const key of keys) this.suspects.delete(key);
      for (const [index, one] of batch.entries()) {
        const answer = answers[index] as Answer | typeof UNDECIDED;
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

  private async run(requests: readonly Request[]): Promise<(Answer | typeof UNDECIDED | Promise<Answer>)[]> {
    const [only] = requests;
    return requests.length === 1 && only !== undefined
      ? [await this.statements.one(only)]
      : this.statements.many(requests);
  }

  /** Frees the keys and queues their requests: those to repeat first, then those that arrived meanwhile. */
  private release(keys: ReadonlySet<string>, again: readonly Pending<Request, Answer>[]): void {
    const came: Pending<Request, Answer>[] = [];
    for (const key of keys) {
      this.busy.delete(key);
      came.push(...(this.waiting.get(key) ?? []));
      this.waiting.delete(key);
    }
    for (const one of [...again, ...came]) this.enqueue(one);
  }
}

const withinDeadline = <Request, Answer>(batch: readonly Pending<Request, Answer>[]): Pending<Request, Answer>[] =>
  batch.filter(({ deadline, reject }) => {
    if (deadline === undefined || deadline.remainingMs() > 0) return true;
    reject(new DeadlineOver());
    return false;
  });
