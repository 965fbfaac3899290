import { describe, expect, test } from '@jest/globals';
import { earliestFacts, jumpTarget, nextStop, offsetFor } from './clock.js';

const now = new Date('2026-12-31T12:00:00.000Z');
const fact = (kind: string, due: string) => ({ kind, due_at: due });
const pending = [
  fact('reading', '2027-01-02T00:00:00.000Z'),
  fact('proposal_expiry', '2027-01-01T00:00:00.000Z'),
  fact('reading', '2027-01-01T06:00:00.000Z'),
];

describe('where a sandbox clock jumps (docs/domain/access.md#sandbox)', () => {
  test.each([
    ['midnight', '2027-01-01T00:00:00.000Z'],
    ['month', '2027-01-01T00:00:00.000Z'],
    ['next', '2027-01-01T00:00:00.000Z'],
    ['reading', '2027-01-01T06:00:00.000Z'],
    ['proposal_expiry', '2027-01-01T00:00:00.000Z'],
    ['unpaid_end', undefined],
  ] as const)('%s', (to, target) => {
    expect(jumpTarget(to, now, pending)?.toISOString()).toBe(target);
  });

  test('there is no next instant when nothing is due', () => {
    expect(jumpTarget('next', now, [])).toBeNull();
  });

  test('the clock only moves forward', () => {
    const network = new Date('2026-11-21T00:00:00.000Z');
    expect(offsetFor(new Date('2026-11-22T00:00:00.000Z'), network, 0)).toBe(86_400_000);
    expect(offsetFor(new Date('2026-11-22T00:00:00.000Z'), network, 90_000_000)).toBe(90_000_000);
  });

  test('lists the 50 earliest facts of all services', () => {
    const many = Array.from({ length: 60 }, (_none, at) => fact('x', new Date(at * 1_000).toISOString()));
    const listed = earliestFacts([many.slice(30), many.slice(0, 30)]);
    expect(listed).toEqual(many.slice(0, 50));
  });
});

describe('the next stop of a move over days', () => {
  const DAY = 86_400_000;
  test.each([
    ['the goal, when nothing is due', null, 10 * DAY],
    ['the first whole day at or after what is due', 3.5 * DAY, 4 * DAY],
    ['that day itself', 4 * DAY, 4 * DAY],
    ['the next day, when something was due before', 0, 2 * DAY],
    ['the goal, when the day would be behind it', 9.9 * DAY, 9.95 * DAY],
  ])('is %s', (_what, dueAt, stop) => {
    const goal = dueAt === 9.9 * DAY ? 9.95 * DAY : 10 * DAY;
    expect(nextStop({ from: 0, present: DAY, goal, dueAt })).toBe(stop);
  });

  test('counts its days from where the move began, so that a resumed move stops where it would have', () => {
    expect(nextStop({ from: DAY / 3, present: 2 * DAY, goal: 10 * DAY, dueAt: 2.1 * DAY })).toBe(DAY / 3 + 2 * DAY);
  });
});
