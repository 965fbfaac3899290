// What a sandbox creator does with a proposal (docs/domain/orders.md#sandbox-creators).
import { type RandomKey, seededNormal, seededRandom } from '@cds/service/seeded-random';
import {
  ACCEPTS_UNDER,
  ANSWER_AT_LEAST_MS,
  ANSWER_AT_MOST_MS,
  ANSWER_MEDIAN_MS,
  ANSWER_SPREAD,
  BOOKS_AT_ONCE_UNDER,
  DECLINES_UNDER,
  LATE_UNDER,
} from './constants.js';

/** The answer, and how long after sending it comes; an ignored proposal has none. */
export type PersonaAnswer = { answer: 'accept' | 'decline'; afterMs: number } | { answer: 'ignore' };

/**
 * A sandbox creator's answer. Its time is drawn under its own label, `answer-time`, so that it does not depend on the
 * answer. Source: docs/domain/orders.md#sandbox-creators, label answer.
 */
export const personaAnswer = (key: RandomKey): PersonaAnswer => {
  const u = seededRandom(key, 'answer');
  if (u >= DECLINES_UNDER) return { answer: 'ignore' };
  const wanted = ANSWER_MEDIAN_MS * Math.exp(ANSWER_SPREAD * seededNormal(key, 'answer-time'));
  const afterMs = Math.round(Math.min(Math.max(wanted, ANSWER_AT_LEAST_MS), ANSWER_AT_MOST_MS));
  return { answer: u < ACCEPTS_UNDER ? 'accept' : 'decline', afterMs };
};

/**
 * Whether a sandbox creator books a day together with its acceptance. Source: docs/domain/orders.md#sandbox-creators,
 * label date.
 */
export const booksAtOnce = (key: RandomKey): boolean => seededRandom(key, 'date') < BOOKS_AT_ONCE_UNDER;

/** Whether a sandbox creator who ignores an offer accepts late. Source: docs/domain/orders.md#sandbox-creators. */
export const answersLate = (key: RandomKey): boolean => seededRandom(key, 'late') < LATE_UNDER;
