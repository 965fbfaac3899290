import { describe, expect, it } from '@jest/globals';
import { aRandomKey } from '../test/builders.js';
import { answersLate, booksAtOnce, personaAnswer } from './persona.js';

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

  it('comes late from 15% of those who ignore the offer', () => {
    const share = Array.from({ length: RUNS }, (_none, n) => answersLate(aRandomKey(n))).filter(Boolean).length / RUNS;
    expect(Math.abs(share - 0.15)).toBeLessThan(0.01);
  });

  it('is drawn from the seed as docs/domain/orders.md#sandbox-creators says, so every release plays the same', () => {
    expect(answers.slice(1, 6)).toEqual([
      { answer: 'ignore' },
      { answer: 'accept', afterMs: 25_543_585 },
      { answer: 'accept', afterMs: 52_453_615 },
      { answer: 'accept', afterMs: 49_128_492 },
      { answer: 'decline', afterMs: 21_388_075 },
    ]);
    const campaigns = [1, 2, 3, 4, 5, 6];
    expect(campaigns.filter((n) => booksAtOnce(aRandomKey(n)))).toEqual([1, 2, 6]);
    expect(campaigns.filter((n) => answersLate(aRandomKey(n)))).toEqual([6]);
  });
});
