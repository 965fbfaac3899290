import { setTimeout as delay } from 'node:timers/promises';
import { AppError, type ServiceName, unavailable } from '@cds/contracts';
import type { Logger } from 'pino';
import type { Store } from '../store/store.js';
import type { DeadLetter, DeadLetters } from './dead-letters.js';
import { type Reading, readEvent } from './reading.js';
import { isTransient } from './transient.js';

const REREAD_EVERY_MS = 60_000;
const LETTERS_PER_PAGE = 100;

type Apply = (letter: DeadLetter, reading: Reading & { kind: 'mine' }) => Promise<void>;

/** Retries dead letters: one when an operator asks, and by itself those that another version could not read. */
export class LetterRetries {
  private readonly ended = new AbortController();
  private rereading: Promise<void> | undefined;

  constructor(
    private readonly me: ServiceName,
    private readonly store: Store,
    private readonly letters: DeadLetters,
    private readonly apply: Apply,
    private readonly log: Logger,
  ) {}

  start(): void {
    this.rereading = this.keepRereading();
  }

  async stop(): Promise<void> {
    this.ended.abort();
    await this.rereading;
  }

  /** Retries an event that was set aside and returns its letter afterwards; null for an unknown id. */
  async retry(id: string): Promise<DeadLetter | null> {
    const letter = await this.letters.byId(id);
    if (letter === null || letter.state === 'applied') return letter;
    await this.tryAgain(letter, readEvent(this.me, letter.subject, letter.text));
    return this.letters.byId(id);
  }

  private async tryAgain(letter: DeadLetter, reading: Reading): Promise<void> {
    try {
      if (reading.kind === 'mine') await this.apply(letter, reading);
      else if (reading.kind !== 'not_mine')
        return await this.letters.failedAgain(letter._id, reading.why, await this.store.about());
      await this.letters.applied(letter._id, await this.store.about());
    } catch (error) {
      if (isTransient(error))
        throw error instanceof AppError
          ? error
          : unavailable('The event could not be applied now. Retry in a moment.', 1, error);
      await this.letters.failedAgain(letter._id, String(error), await this.store.about());
    }
  }

  private async keepRereading(): Promise<void> {
    const { signal } = this.ended;
    while (!signal.aborted) {
      try {
        await this.reread();
      } catch (error) {
        this.log.warn({ err: error }, 'dead letters of another version could not be retried; the next turn does');
      }
      await delay(REREAD_EVERY_MS, undefined, { signal }).catch(() => undefined);
    }
  }

  /** Applies what another version could not read and this one can. */
  private async reread(): Promise<void> {
    for (let after: { parkedAt: Date; id: string } | null = null; ; ) {
      const page: DeadLetter[] = await this.letters.page('parked', after, LETTERS_PER_PAGE);
      for (const letter of page) {
        if (letter.reason === 'failed') continue;
        const reading = readEvent(this.me, letter.subject, letter.text);
        if (reading.kind === 'mine' || reading.kind === 'not_mine') await this.tryAgain(letter, reading);
      }
      const last = page.at(-1);
      if (last === undefined || page.length < LETTERS_PER_PAGE || this.ended.signal.aborted) return;
      after = { parkedAt: last.parked_at, id: last._id };
    }
  }
}
