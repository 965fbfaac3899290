import { unavailable } from '@cds/contracts';
import { type Ctx, Deadline } from '@cds/service';
import { aCtx } from '@cds/service/testing';
import { describe, expect, it } from '@jest/globals';
import { untilAnswered } from './until-answered.js';

const ANSWER_MS = 20;

/** docs/reliability.md#requests-between-services. */
describe('a call that is repeated until it is answered', () => {
  const asking = (ms = 5_000): Ctx => ({ ...aCtx(), deadline: Deadline.in(ms) });
  /** A service that died with the call in it: the caller learns nothing before the time is over. */
  const unanswered = ({ deadline }: Ctx): Promise<never> =>
    new Promise((_resolve, reject) => setTimeout(() => reject(unavailable('no answer')), deadline.remainingMs() + 1));

  it('is answered by whoever takes it next', async () => {
    let calls = 0;
    const call = (ctx: Ctx) => {
      calls += 1;
      return calls < 3 ? unanswered(ctx) : Promise.resolve(calls);
    };
    expect(await untilAnswered(asking(), call, ANSWER_MS)).toBe(3);
  });

  it('ends with the time of its request', async () => {
    let calls = 0;
    const call = (ctx: Ctx) => {
      calls += 1;
      return unanswered(ctx);
    };
    await expect(untilAnswered(asking(2.5 * ANSWER_MS), call, ANSWER_MS)).rejects.toMatchObject({
      code: 'unavailable',
    });
    expect(calls).toBeLessThanOrEqual(2);
  });

  it('is not repeated when the service answers that it is unavailable, or refuses', async () => {
    let calls = 0;
    const call = async (): Promise<never> => {
      calls += 1;
      throw unavailable('busy');
    };
    await expect(untilAnswered(asking(), call, 5_000)).rejects.toMatchObject({ code: 'unavailable' });
    expect(calls).toBe(1);
  });
});
