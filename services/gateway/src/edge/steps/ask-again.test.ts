import type { ErrorCode } from '@cds/contracts';
import type { Reply } from '@cds/service';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { askAgain } from './ask-again.js';

const success = (text: string): Reply => ({ ok: true, status: 200, replayed: false, bytes: Buffer.from(text) });
const failure = (code: ErrorCode): Reply => ({
  ok: false,
  status: undefined,
  replayed: false,
  error: { code, message: 'm', details: {} },
});

describe('a write under its command (docs/reliability.md#requests-between-services)', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  /** Each send with how to answer it, and how the write ended. */
  const asked = () => {
    const sends: { answer: (reply: Reply) => void; fail: () => void }[] = [];
    const ended: unknown[] = [];
    askAgain(
      () =>
        new Promise((resolve, reject) => sends.push({ answer: resolve, fail: () => reject(new Error('no reply')) })),
    ).then(
      (reply) => ended.push(reply),
      (error: Error) => ended.push(error.message),
    );
    return { sends, ended, after: (ms: number) => jest.advanceTimersByTimeAsync(ms) };
  };

  it('is sent once when the answer comes in time', async () => {
    const { sends, ended, after } = asked();
    await after(5_900);
    sends[0]?.answer(success('first'));
    await after(60_000);
    expect([sends.length, ended]).toEqual([1, [success('first')]]);
  });

  it('is sent again after 6 s and each 3 s from then on, until one is answered', async () => {
    const { sends, ended, after } = asked();
    await after(6_000);
    expect(sends).toHaveLength(2);
    await after(3_000);
    expect(sends).toHaveLength(3);
    sends[1]?.answer(success('by another replica'));
    await after(60_000);
    expect([sends.length, ended]).toEqual([3, [success('by another replica')]]);
  });

  it.each<ErrorCode>(['in_progress', 'unavailable', 'internal'])('goes on when a repeat is %s', async (code) => {
    const { sends, ended, after } = asked();
    await after(6_000);
    sends[1]?.answer(failure(code));
    await after(0);
    expect(ended).toEqual([]);
    sends[0]?.answer(success('first'));
    await after(0);
    expect(ended).toEqual([success('first')]);
  });

  it('ends with the refusal that a repeat finds', async () => {
    const { sends, ended, after } = asked();
    await after(6_000);
    sends[1]?.answer(failure('conflict'));
    await after(0);
    expect(ended).toEqual([failure('conflict')]);
  });

  it.each<ErrorCode>(['in_progress', 'unavailable', 'internal'])(
    'waits for the repeat that runs the write when the first send is %s meanwhile',
    async (code) => {
      const { sends, ended, after } = asked();
      await after(6_000);
      sends[0]?.answer(failure(code));
      await after(0);
      expect(ended).toEqual([]);
      sends[1]?.answer(success('by another replica'));
      await after(60_000);
      expect([sends.length, ended]).toEqual([2, [success('by another replica')]]);
    },
  );

  it('asks on after a first send without an outcome, until no repeat is without a reply', async () => {
    const { sends, ended, after } = asked();
    await after(6_000);
    sends[0]?.answer(failure('in_progress'));
    await after(3_000);
    expect(sends).toHaveLength(3);
    sends[2]?.answer(failure('in_progress'));
    await after(0);
    expect(ended).toEqual([]);
    sends[1]?.fail();
    await after(60_000);
    expect([sends.length, ended]).toEqual([3, [failure('in_progress')]]);
  });

  it('waits for the repeat that runs the write when the first send has no reply', async () => {
    const { sends, ended, after } = asked();
    await after(6_000);
    sends[0]?.fail();
    await after(0);
    expect(ended).toEqual([]);
    sends[1]?.answer(success('by another replica'));
    await after(0);
    expect(ended).toEqual([success('by another replica')]);
  });

  it('outlives a repeat without a reply, and fails with the first send', async () => {
    const { sends, ended, after } = asked();
    await after(6_000);
    sends[1]?.fail();
    await after(0);
    expect(ended).toEqual([]);
    sends[0]?.fail();
    await after(60_000);
    expect([sends.length, ended]).toEqual([2, ['no reply']]);
  });
});
