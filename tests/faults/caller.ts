import { setTimeout as delay } from 'node:timers/promises';
import type { OperationName } from '@cds/contracts';
import { type Answer, ask, type Stack } from '../support/stack.js';
import type { History, Write } from './history.js';
import type { Random } from './random.js';

/**
 * How long a caller retries before it reports that a write never got a final answer. A try whose service was killed
 * takes the deadline of a write, 25 s, and several in a row may be hit.
 */
export const WRITE_TIMEOUT_MS = 180_000;
/** The share of writes that are sent once more after their final answer. */
const REPEATED = 0.3;

type Retry = { again: boolean; afterMs: number };

/** Whether an answer is final: one that a retry may cure is not (I08). */
const judge = (answer: Answer): Retry => {
  const code = (answer.body as { error?: { code?: string } } | null)?.error?.code;
  const retryAfter = Number(answer.headers.get('retry-after') ?? '0') * 1000;
  const again = answer.status >= 500 || code === 'in_progress' || code === 'rate_limited';
  return { again, afterMs: code === 'rate_limited' ? retryAfter : Math.min(retryAfter, 1_000) };
};

export type Credential = { workspace: string; secret: string };

export class Caller {
  private count = 0;

  constructor(
    private readonly stack: Stack,
    private readonly name: string,
    private readonly random: Random,
    private readonly history: History,
  ) {}

  /** Sends one write under a new key until it is final, then perhaps once more: the replay must equal the answer. */
  async send(
    { workspace, secret }: Credential,
    operation: OperationName,
    input: Record<string, unknown>,
  ): Promise<Write> {
    this.count += 1;
    const key = `${this.name}-${String(this.count).padStart(6, '0')}`;
    const write = this.history.begin({ workspace, operation, key, input, secret });
    await this.retryUntilFinal(write);
    if (this.random.next() < REPEATED) await this.retryUntilFinal(write);
    return write;
  }

  /** Sends what was sent before, perhaps to another system, under its key until it is final. */
  async again({ workspace, operation, key, input, secret }: Write): Promise<Write> {
    const write = this.history.begin({ workspace, operation, key, input, secret });
    await this.retryUntilFinal(write);
    return write;
  }

  async read<T>(secret: string, operation: OperationName, input: Record<string, unknown>): Promise<T> {
    for (;;) {
      try {
        const answer = await ask(this.stack, secret, operation, input as never);
        if (answer.status < 300) return answer.body as T;
        if (!judge(answer).again) throw new Error(`${operation} answered ${JSON.stringify(answer.body)}`);
        await delay(judge(answer).afterMs + 30);
      } catch (error) {
        if (error instanceof Error && error.message.includes('answered')) throw error;
        await delay(30);
      }
    }
  }

  private async retryUntilFinal(write: Write): Promise<void> {
    const { operation, input, secret } = write;
    const end = performance.now() + WRITE_TIMEOUT_MS;
    while (performance.now() < end) {
      const began = performance.now();
      const noteFault = (what: string): void => {
        write.lastUnknown = `${what} after ${Math.round(performance.now() - began)} ms`;
      };
      try {
        const answer = await ask(this.stack, secret, operation, input as never, { 'idempotency-key': write.key });
        const { again, afterMs } = judge(answer);
        if (answer.status === 500) write.internal += 1;
        if (!again) {
          write.answers.push({ status: answer.status, body: answer.body });
          return;
        }
        noteFault(`${answer.status} ${JSON.stringify(answer.body).slice(0, 200)}`);
        await delay(afterMs + this.random.between(5, 40));
      } catch (error) {
        noteFault(String(error));
        await delay(this.random.between(10, 60)); // The gateway is down, or died during the request.
      }
      write.unknown += 1;
    }
  }
}

export const bodyOf = <T>({ answers: [answer] }: Write): T | null =>
  answer !== undefined && answer.status < 300 ? (answer.body as T) : null;
