import { describe, expect, test } from '@jest/globals';
import { earliestFacts, jumpTarget, nextStop, offsetFor } from './clock.js';

const now = new Date('2026-12-31T12:00:00.000Z');
const fact = (kind: string, due: string) => ({ kind, due_at: due });
const pending = [
  fact('reading', '2027-01-02T00:00:00.000Z'),
  fact('proposal_expiry', '2027-01-01T00:00:00.000Z'),
  fact('reading', '2027-01-01T06:00:00.000Z'),
  fact('replacement_search', '2027-01-03T06:00:00.000Z'),
];

describe('where a sandbox clock jumps (docs/domain/sandbox.md#sandbox)', () => {
  test.each([
    ['midnight', '2027-01-01T00:00:00.000Z'],
    ['month', '2027-01-01T00:00:00.000Z'],
    ['next', '2027-01-01T00:00:00.000Z'],
    ['reading', '2027-01-01T06:00:00.000Z'],
    ['proposal_expiry', '2027-01-01T00:00:00.000Z'],
    ['replacement_search', '2027-01-03T06:00:00.000Z'],
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

describe('where a move over days stops', () => {
  const DAY = 86_400_000;
  const GOAL = 10 * DAY;
  test.each([
    ['at the goal, when nothing is due', null, null, GOAL],
    ['at the earliest remedy', 2 * DAY, 2.5 * DAY, 2.5 * DAY],
    ['at a remedy when no offer is out', null, 7 * DAY, 7 * DAY],
    ['three days after an offer, which may lead to a remedy then', 3 * DAY, null, 6 * DAY],
    ['three days ahead, when an offer was due before', 0, null, 4 * DAY],
    ['at the goal, when that is nearer', 9 * DAY, 12 * DAY, GOAL],
    ['beyond a remedy that was handled', 4 * DAY, DAY, 7 * DAY],
  ])('%s', (_where, offerAt, remedyAt, stop) => {
    expect(nextStop({ present: DAY, goal: GOAL, offerAt, remedyAt })).toBe(stop);
  });
});
