import { describe, expect, it } from '@jest/globals';
import { Audiences } from './audiences.js';

const named = (text: string) => ({ text, segments: [], unresolved: false });

/** Contexts whose reads are resolved by hand, in order. */
const answeredByHand = () => {
  const asked: { workspace: string; answer: (text: string) => void; fail: () => void }[] = [];
  const audienceOf = (workspace: string) =>
    new Promise<ReturnType<typeof named>>((resolve, reject) => {
      asked.push({
        workspace,
        answer: (text) => resolve(named(text)),
        fail: () => reject(new Error('the database is unavailable')),
      });
    });
  return { asked, audienceOf };
};

describe('the cached audiences on file', () => {
  it('reads each workspace once, even while the first read is pending', async () => {
    const contexts = answeredByHand();
    const audiences = new Audiences(contexts);
    const both = Promise.all([audiences.of('a'), audiences.of('a')]);
    contexts.asked[0]?.answer('gaming');
    expect(await both).toEqual([named('gaming'), named('gaming')]);
    await audiences.of('a');
    expect(contexts.asked).toHaveLength(1);
  });

  it('does not cache a read that a change overtook', async () => {
    const contexts = answeredByHand();
    const audiences = new Audiences(contexts);
    const overtaken = audiences.of('a');
    audiences.forget('a');
    const reread = audiences.of('a');
    contexts.asked[1]?.answer('new');
    contexts.asked[0]?.answer('old');
    expect((await overtaken).text).toBe('old');
    expect((await reread).text).toBe('new');
    expect((await audiences.of('a')).text).toBe('new');
  });

  it('does not cache a failure', async () => {
    const contexts = answeredByHand();
    const audiences = new Audiences(contexts);
    const failing = audiences.of('a');
    contexts.asked[0]?.fail();
    await expect(failing).rejects.toThrow('unavailable');
    const again = audiences.of('a');
    contexts.asked[1]?.answer('gaming');
    expect((await again).text).toBe('gaming');
  });

  it('caches a bounded number and forgets all on request', () => {
    const contexts = answeredByHand();
    const audiences = new Audiences(contexts, 2);
    for (const workspace of ['a', 'b', 'c', 'c', 'a']) void audiences.of(workspace);
    expect(contexts.asked.map(({ workspace }) => workspace)).toEqual(['a', 'b', 'c', 'a']);
    audiences.forgetAll();
    void audiences.of('a');
    expect(contexts.asked).toHaveLength(5);
  });
});
