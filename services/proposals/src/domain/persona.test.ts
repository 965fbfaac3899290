import { describe, expect, it } from '@jest/globals';
import { aRandomKey } from '../test/builders.js';
import { booksAtOnce, personaAnswer } from './persona.js';

const HOUR_MS = 3_600_000;
const RUNS = 20_000;
const answers = Array.from({ length: RUNS }, (_none, n) => personaAnswer(aRandomKey(n)));

const shareOf = (answer: string): number => answers.filter((one) => one.answer === answer).length / RUNS;

/** docs/domain/orders.md#sandbox-creators. */
describe("a sandbox creator's answer", () => {
  it.each([
    ['accept', 0.68],
    ['decline', 0.16],
    ['ignore', 0.16],
  ])('is %s at a rate of %d', (answer, rate) => {
    expect(Math.abs(shareOf(answer) - rate)).toBeLessThan(0.01);
  });

  it('comes 10 minutes to 47 hours after sending, with a median of 9 hours', () => {
    const times = answers.flatMap((one) => (one.answer === 'ignore' ? [] : [one.afterMs])).sort((a, b) => a - b);
    expect(times[0]).toBeGreaterThanOrEqual(600_000);
    expect(times.at(-1)).toBeLessThanOrEqual(47 * HOUR_MS);
    const median = (times[Math.floor(times.length / 2)] ?? 0) / HOUR_MS;
    expect(median).toBeGreaterThan(8.6);
    expect(median).toBeLessThan(9.4);
  });

  it('is the same in every run', () => {
    expect(Array.from({ length: 50 }, (_none, n) => personaAnswer(aRandomKey(n)))).toEqual(answers.slice(0, 50));
  });

  it('books a day at once in 80% of cases', () => {
    const share = Array.from({ length: RUNS }, (_none, n) => booksAtOnce(aRandomKey(n))).filter(Boolean).length / RUNS;
    expect(Math.abs(share - 0.8)).toBeLessThan(0.01);
  });
});
