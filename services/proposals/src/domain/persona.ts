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

export type PersonaAnswer = { answer: 'accept' | 'decline'; afterMs: number } | { answer: 'ignore' };

/** The time has its own label, so that it does not depend on the answer (docs/domain/orders.md#sandbox-creators). */
export const personaAnswer = (key: RandomKey): PersonaAnswer => {
  const u = seededRandom(key, 'answer');
  if (u >= DECLINES_UNDER) return { answer: 'ignore' };
  const wanted = ANSWER_MEDIAN_MS * Math.exp(ANSWER_SPREAD * seededNormal(key, 'answer-time'));
  const afterMs = Math.round(Math.min(Math.max(wanted, ANSWER_AT_LEAST_MS), ANSWER_AT_MOST_MS));
  return { answer: u < ACCEPTS_UNDER ? 'accept' : 'decline', afterMs };
};

export const booksAtOnce = (key: RandomKey): boolean => seededRandom(key, 'date') < BOOKS_AT_ONCE_UNDER;

export const answersLate = (key: RandomKey): boolean => seededRandom(key, 'late') < LATE_UNDER;
