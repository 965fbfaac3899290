import {
  AppError,
  billingOperations,
  catalogOperations,
  gatewayOperations,
  type Problem,
  planningOperations,
} from '@cds/contracts';
import { proves } from '@cds/service/testing';
import { describe, expect, test } from '@jest/globals';
import { type Parts, validate } from './validate.js';

const ID = '0b6cbb3e-6f0a-4f5e-9d5e-6a1b7b1b7b1b';
const parts = (over: Partial<Parts>): Parts => ({ params: {}, query: {}, body: {}, problems: [], ...over });

const refusal = (run: () => unknown): { code: string; fields: string[] } => {
  try {
    run();
  } catch (error) {
    if (error instanceof AppError)
      return {
        code: error.code,
        fields: ((error.details?.['problems'] ?? []) as Problem[]).map((problem) => problem.field),
      };
    throw error;
  }
  throw new Error('nothing was refused');
};

describe('shape before values (docs/domain/requests.md#order-of-errors, checks 9 and 10)', () => {
  test('every problem of the shape is named at once, and no wrong value of the body', () => {
    proves('errors.400-unknown-body-field', 'errors.400-names-field', 'edits.unknown-field-400');
    const refused = refusal(() =>
      validate(
        planningOperations.plan_swap_creator,
        parts({
          params: { id: 'x', line_id: 'y' },
          query: { a: '1' },
          body: { unit_id: 3, b: 1, c: 2 },
          problems: [{ field: 'content-type', message: '' }],
        }),
      ),
    );
    expect(refused).toEqual({ code: 'bad_request', fields: ['content-type', 'id', 'line_id', 'a', 'b', 'c'] });
  });

  const noKey = { problem: { field: 'idempotency_key', message: '' } };
  const start = { start: 'soon' };
  test.each([
    ['a missing key', noKey, { params: { id: ID }, body: start }, ['idempotency_key', 'end']],
    ['a missing id', { key: null }, { body: start }, ['id', 'end']],
    ['a missing key and an unread body', noKey, { params: { id: ID }, body: null }, ['idempotency_key']],
  ])('%s also names what the body misses: what is required is said at once', (_name, key, sent, fields) => {
    expect(refusal(() => validate(planningOperations.plan_move_dates, parts(sent), key)).fields).toEqual(fields);
  });

  test('numbers and booleans may be text where the transport says so, within objects too', () => {
    const mandate = {
      max_plan_cents: '1000',
      monthly_cap_cents: 2_000,
      channels: ['x_creators'],
      may_approve: 'false',
    };
    const body = {
      name: '12',
      scopes: ['campaigns:read'],
      expires_at: '2027-03-10T12:00:00Z',
      mandate: { ...mandate, expires_at: '2027-03-10T12:00:00Z' },
    };
    const delegate = gatewayOperations.key_delegate;
    const read = validate(delegate, parts({ body, textForValues: true }));
    expect(read.explicit).toMatchObject({ name: '12', mandate: { max_plan_cents: 1_000, may_approve: false } });
    expect(body.mandate.max_plan_cents).toBe('1000');
    const strict = validate(delegate, parts({ body }));
    expect(strict.body.wrong.map(({ field }) => field)).toEqual(['mandate.max_plan_cents', 'mandate.may_approve']);
  });

  test.each(['', 'ten', '1e3', '0x10', ' 5', 'TRUE'])('%j stands for no number or boolean', (text) => {
    const advance = gatewayOperations.sandbox_clock_advance;
    const { body } = validate(advance, parts({ body: { seconds: text }, textForValues: true }));
    expect(body.wrong.map(({ field }) => field)).toEqual(['seconds']);
  });

  test('a wrong id does not report what the body misses', () => {
    const sent = parts({ params: { id: 'x' }, body: start });
    expect(refusal(() => validate(planningOperations.plan_move_dates, sent)).fields).toEqual(['id']);
  });

  test('a UUID in upper case is the one in lower case', () => {
    const { input } = validate(planningOperations.plan_quote, parts({ params: { id: ID.toUpperCase() } }));
    expect(input).toEqual({ id: ID });
  });

  test('then every value of the body at once, missing ones first', () => {
    proves('create.422-names-all-missing', 'create.required-fields', 'errors.422-problems');
    const sent = { goal: 'x', product: 'p', budget_usd: -1 };
    const { body } = validate(planningOperations.create_campaign, parts({ body: sent }));
    expect(body.sent).toBe(sent);
    expect(body.wrong.map(({ field }) => field)).toEqual([
      'moment',
      'window_start',
      'window_end',
      'goal',
      'budget_usd',
    ]);
  });

  test.each(['limit=10', 'offset=0', 'anything=1', 'include_archived=yes', 'include_archived=1', 'include_archived='])(
    'GET /campaigns names what it does not take: %s',
    (query) => {
      proves('campaigns.list-unknown-400', 'campaigns.list-boolean-400', 'errors.400-names-field');
      const [field = '', value = ''] = query.split('=');
      const refused = refusal(() => validate(planningOperations.campaigns_list, parts({ query: { [field]: value } })));
      expect(refused).toEqual({ code: 'bad_request', fields: [field] });
    },
  );

  test('query values are 400', () => {
    expect(
      refusal(() => validate(catalogOperations.creators_search, parts({ query: { limit: '0x10', fit: '1' } }))),
    ).toEqual({
      code: 'bad_request',
      fields: ['limit', 'fit'],
    });
  });

  test('`current` is a plan only where it is declared', () => {
    const body = { unit_id: ID };
    expect(
      validate(planningOperations.plan_add_creator, parts({ params: { id: 'current' }, body })).input,
    ).toMatchObject({
      id: 'current',
    });
    expect(refusal(() => validate(planningOperations.plan_quote, parts({ params: { id: 'current' } })))).toEqual({
      code: 'bad_request',
      fields: ['id'],
    });
  });

  test('an ignored field is accepted with any value and left out of the fingerprint', () => {
    const sent = { terms_fingerprint: 'f', confirm_over_budget_cents: { any: [] } };
    const valid = validate(billingOperations.approve_plan, parts({ params: { id: ID }, body: sent }));
    expect(valid.explicit).toEqual({ id: ID, terms_fingerprint: 'f' });
  });

  test('the explicit arguments are those sent, parsed and without defaults', () => {
    const rest = validate(catalogOperations.dev_network_load, parts({ body: { seed: 7 } }));
    expect(rest.input).toEqual({ creators: 2_000, seed: 7 });
    expect(rest.explicit).toEqual({ seed: 7 });
  });

  test('names of built-in properties are unknown fields like any other', () => {
    const body = JSON.parse('{"__proto__": {"x": 1}, "constructor": 2, "seed": 1}') as Record<string, unknown>;
    expect(refusal(() => validate(catalogOperations.dev_network_load, parts({ body })))).toEqual({
      code: 'bad_request',
      fields: ['__proto__', 'constructor'],
    });
  });
});
