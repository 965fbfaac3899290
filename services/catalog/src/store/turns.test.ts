import { Deadline, DeadlineOver } from '@cds/service';
import { describe, expect, it } from '@jest/globals';
import { Turns } from './turns.js';

/** Turns that end when the test says so. */
const heldTurns = (most = 3) => {
  const taken: { document: string; requests: readonly string[]; end: (error?: Error) => void }[] = [];
  const turns = new Turns<string, string>(
    most,
    (document, requests) =>
      new Promise((resolve, reject) => {
        const end = (error?: Error): void =>
          error === undefined ? resolve(requests.map((one) => `${one}!`)) : reject(error);
        taken.push({ document, requests, end });
      }),
  );
  const requests = () => taken.map((turn) => turn.requests.join());
  return { turns, taken, requests };
};

describe('turns on one document', () => {
  it('begin at once, and what arrives meanwhile shares the next ones in order', async () => {
    const { turns, taken, requests } = heldTurns();
    const answers = ['a', 'b', 'c', 'd', 'e'].map((one) => turns.add('w', one));
    expect(requests()).toEqual(['a']);
    taken[0]?.end();
    expect(await answers[0]).toBe('a!');
    expect(requests()).toEqual(['a', 'b,c,d']);
    taken[1]?.end();
    expect(await Promise.all(answers.slice(1, 4))).toEqual(['b!', 'c!', 'd!']);
    taken[2]?.end();
    expect(await answers[4]).toBe('e!');
    expect(requests()).toEqual(['a', 'b,c,d', 'e']);
  });

  it('of different documents do not wait for each other', () => {
    const { turns, taken } = heldTurns();
    void turns.add('one', 'a');
    void turns.add('two', 'b');
    expect(taken.map(({ document }) => document)).toEqual(['one', 'two']);
  });

  it('that fail reject those who share them, and no others', async () => {
    const { turns, taken } = heldTurns(1);
    const [first, second, third] = ['a', 'b', 'c'].map((one) => turns.add('w', one).catch(String));
    taken[0]?.end(new Error('gone'));
    expect(await first).toBe('Error: gone');
    taken[1]?.end(new Error('gone too'));
    expect(await second).toBe('Error: gone too');
    taken[2]?.end();
    expect(await third).toBe('c!');
  });

  it('leave out a request whose deadline has passed', async () => {
    const { turns, taken, requests } = heldTurns();
    const first = turns.add('w', 'a');
    const deadline = Deadline.in(60_000);
    const late = deadline.run(() => turns.add('w', 'late'));
    const other = turns.add('w', 'b');
    deadline.extend(-1);
    taken[0]?.end();
    await first;
    await expect(late).rejects.toBeInstanceOf(DeadlineOver);
    expect(requests()).toEqual(['a', 'b']);
    taken[1]?.end();
    expect(await other).toBe('b!');
  });
});
