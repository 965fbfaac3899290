import { unavailable } from '@cds/contracts';
import { type Ctx, Deadline, INTERNAL_CALL_MS, NoReplyError } from '@cds/service';
import { aCtx } from '@cds/service/testing';
import { describe, expect, it } from '@jest/globals';
import { untilAnswered } from './until-answered.js';

/** docs/reliability.md#requests-between-services; tests/faults/outages kills a service with a call in it. */
describe('a call that is repeated until it is answered', () => {
  const asking = (ms: number): Ctx => ({ ...aCtx(), deadline: Deadline.in(ms) });
  let calls = 0;
  /** Fails until the third call. */
  const call = (error: Error) => {
    calls = 0;
    return async (): Promise<number> => {
      calls += 1;
      if (calls < 3) throw error;
      return calls;
    };
  };
  const unanswered = (why: 'timeout' | 'no_responder') => unavailable('m', 1, new NoReplyError(why));

  it.each(['timeout', 'no_responder'] as const)('is answered by whoever takes it next: %s', async (why) => {
    expect(await untilAnswered(asking(60_000), call(unanswered(why)))).toBe(3);
  });

  it('has no more time than a call between services, nor than its request', async () => {
    const left = (ms: number) => untilAnswered(asking(ms), async ({ deadline }) => deadline.remainingMs());
    expect(await left(60_000)).toBeLessThanOrEqual(INTERNAL_CALL_MS);
    expect(await left(1_000)).toBeLessThanOrEqual(1_000);
  });

  it('is not repeated once the request has no time for another', async () => {
    await expect(untilAnswered(asking(INTERNAL_CALL_MS - 1), call(unanswered('timeout')))).rejects.toThrow('m');
    expect(calls).toBe(1);
  });

  it('is not repeated when the service answers that it is unavailable', async () => {
    await expect(untilAnswered(asking(60_000), call(unavailable('busy')))).rejects.toThrow('busy');
    expect(calls).toBe(1);
  });
});
