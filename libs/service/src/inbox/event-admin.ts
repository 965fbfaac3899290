import {
  type DeadLetter as DeadLetterShown,
  type DeadLetterState,
  operationByName,
  type RepublishRun as RunShown,
  type ServiceName,
} from '@cds/contracts';
import type { Republisher, RepublishRun } from '../outbox/republisher.js';
import type { Bound } from '../process/dispatch.js';
import type { Store } from '../store/store.js';
import type { DeadLetter } from './dead-letters.js';
import type { Inbox } from './inbox.js';

type Parts = { inbox: Inbox; republisher: Republisher };

/** Operators' administration of one service's events. Every service has it, the gateway too. */
export class EventAdmin {
  private parts: Parts | undefined;

  constructor(
    private readonly service: ServiceName,
    private readonly store: Store,
  ) {}

  open(parts: Parts): void {
    this.parts = parts;
  }

  async deadLetters(of: {
    state: DeadLetterState;
    after: { parked_at: string; id: string } | null;
    limit: number;
  }): Promise<{ letters: DeadLetterShown[]; total: number }> {
    const after = of.after === null ? null : { parkedAt: new Date(of.after.parked_at), id: of.after.id };
    const { letters } = this.opened.inbox;
    const [rows, total] = await Promise.all([letters.page(of.state, after, of.limit), letters.countOf(of.state)]);
    return { letters: rows.map((row) => this.shownLetter(row)), total };
  }

  async retry({ id }: { id: string }): Promise<{ letter: DeadLetterShown | null }> {
    const letter = await this.opened.inbox.retries.retry(id);
    return { letter: letter === null ? null : this.shownLetter(letter) };
  }

  async close({ id }: { id: string }): Promise<{ letter: DeadLetterShown | null }> {
    const { letters } = this.opened.inbox;
    const letter = await letters.byId(id);
    if (letter === null) return { letter: null };
    await letters.close(letter._id, await this.store.now());
    const after = await letters.byId(letter._id);
    return { letter: after === null ? null : this.shownLetter(after) };
  }

  async republish({ run }: { run: string }): Promise<RunShown> {
    return this.shownRun(await this.opened.republisher.ask(run, await this.store.now()));
  }

  async progress(): Promise<{ run: RunShown | null }> {
    const run = await this.opened.republisher.newest();
    return { run: run === null ? null : this.shownRun(run) };
  }

  private get opened(): Parts {
    if (this.parts === undefined) throw new Error('event administration was called before the service was wired');
    return this.parts;
  }

  private shownLetter(row: DeadLetter): DeadLetterShown {
    return {
      id: row._id,
      service: this.service,
      producer: row.producer,
      subject: row.subject,
      aggregate: aggregateIn(row.text),
      reason: row.reason,
      error: row.error,
      attempts: row.attempts,
      state: row.state,
      parked_at: row.parked_at.toISOString(),
      tried_at: row.tried_at.toISOString(),
      applied_at: row.applied_at?.toISOString() ?? null,
    };
  }

  private shownRun({ run, cause, asked_at, event, sent, done_at }: RepublishRun): RunShown {
    return {
      service: this.service,
      run,
      cause,
      asked_at: asked_at.toISOString(),
      event,
      sent,
      done_at: done_at?.toISOString() ?? null,
    };
  }
}

const aggregateIn = (text: string): string | null => {
  try {
    const { aggregate } = JSON.parse(text) as { aggregate?: unknown };
    return typeof aggregate === 'string' ? aggregate : null;
  } catch {
    return null;
  }
};

/** Binds the operations on a service's own events; the gateway has none on the bus. */
export const bindEventOperations = (service: ServiceName, admin: EventAdmin): Map<string, Bound> => {
  const answers: Readonly<Record<string, (input: never) => Promise<unknown>>> = {
    [`${service}_dead_letters`]: (input) => admin.deadLetters(input),
    [`${service}_dead_letter_retry`]: (input) => admin.retry(input),
    [`${service}_dead_letter_close`]: (input) => admin.close(input),
    [`${service}_republish`]: (input) => admin.republish(input),
    [`${service}_republish_progress`]: () => admin.progress(),
  };
  return new Map(
    Object.entries(answers).flatMap(([name, answer]): [string, Bound][] => {
      const operation = operationByName(name);
      return operation === undefined ? [] : [[name, { operation, run: (_ctx, input) => answer(input as never) }]];
    }),
  );
};
