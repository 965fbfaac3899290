import { describe, expect, test } from '@jest/globals';
import {
  AppError,
  CONFLICT_REASONS,
  conflict,
  ERROR_CODE_NAMES,
  ERROR_CODES,
  MANDATE_REASONS,
  notFound,
  refused,
  retryable,
  unavailable,
} from './error.js';
import { proves } from './testing/proves.js';

/** The codes with their statuses as the specification's table gives them (docs/specification.md#errors). */
const TABLE = [
  ['bad_request', 400, false],
  ['filter_required', 400, false],
  ['unauthorized', 401, false],
  ['forbidden', 403, false],
  ['not_found', 404, false],
  ['method_not_allowed', 405, false],
  ['rate_limited', 429, true],
  ['unavailable', 503, true],
  ['internal', 500, true],
  ['mandate_refused', 403, false],
  ['conflict', 409, false],
  ['unprocessable', 422, false],
  ['idempotency_conflict', 409, false],
  ['in_progress', 409, true],
] as const;

describe('the error table', () => {
  test('has the codes of the specification, in its order', () => {
    expect(ERROR_CODE_NAMES).toEqual(TABLE.map(([code]) => code));
  });

  test.each(TABLE)('%s is %i', (code, status, again) => {
    proves('errors.statuses');
    expect(ERROR_CODES[code].status).toBe(status);
    expect(retryable(code)).toBe(again);
  });

  test('the reasons are distinct and include those of the specification', () => {
    expect(new Set(CONFLICT_REASONS).size).toBe(CONFLICT_REASONS.length);
    for (const reason of [
      'over_budget',
      'already_in_plan',
      'bad_dates',
      'same_day',
      'plan_signed',
      'archived',
    ] as const) {
      expect(CONFLICT_REASONS).toContain(reason);
    }
    expect(MANDATE_REASONS).toHaveLength(8);
  });
});

describe('errors', () => {
  test('a refusal becomes an error with its reason in the details', () => {
    const error = refused({
      code: 'mandate_refused',
      reason: 'over_max_plan_total',
      message: 'Over.',
      details: { limit_cents: 1, escalate: true },
    });
    expect(error).toBeInstanceOf(AppError);
    expect(error.body()).toEqual({
      code: 'mandate_refused',
      message: 'Over.',
      details: { reason: 'over_max_plan_total', limit_cents: 1, escalate: true },
    });
  });

  test('a cause is not part of the body', () => {
    const error = unavailable('Later.', 2, new Error('socket'));
    expect(error.body()).toEqual({ code: 'unavailable', message: 'Later.', details: { retry_after: 2 } });
    expect(error.cause).toBeInstanceOf(Error);
  });

  test('a conflict names its reason, a missing object has no details', () => {
    proves('errors.conflict-reasons');
    expect(conflict('archived', 'Archived.').details).toEqual({ reason: 'archived' });
    expect(notFound('plan').details).toBeUndefined();
  });
});

describe('an id that nothing has', () => {
  test.each([
    ['campaign', 'The list of campaigns shows their ids.'],
    ['plan', 'A campaign shows the id of its plan, and the list of campaigns their ids.'],
    ['line', 'The quote of a plan and its campaign show the ids of its lines.'],
    ['creator', 'The list of creators shows their ids.'],
    ['order', 'The answer of a signing has the id of its order.'],
    ['webhook', 'Check the id, or list again.'],
  ])('says where the id of a %s comes from', (what, where) => {
    expect(notFound(what).message).toBe(`No ${what} with that id was found. ${where}`);
  });
});
