import { describe, expect, test } from '@jest/globals';
import { requestRow, usageFilter, usageHref, usageModel } from './usage-model.js';

const NOW = new Date('2026-11-22T12:00:00.000Z');
const KEY_ID = '0b6cbb3e-6f0a-4f5e-9d5e-6a1b7b1b7b1b';

const row = (over: object = {}) => ({
  id: KEY_ID,
  at: '2026-11-22T11:55:00.000Z',
  key_id: KEY_ID,
  key_name: 'agent',
  door: 'rest' as const,
  operation: 'approve_plan',
  method: 'POST',
  path: '/api/v1/plans/x/approve',
  status: 200,
  code: null,
  reason: null,
  duration_ms: 119.6,
  request_id: 'req_1',
  ...over,
});

describe('the filter of usage', () => {
  const read = (query: string) => usageFilter((name) => new URLSearchParams(query).get(name) ?? '');

  test('reads what it knows, and takes the default for anything else', () => {
    expect(read('days=7&show=errors')).toMatchObject({ days: 7, show: 'errors', keyId: '' });
    expect(read('days=8&show=x&key=%22%3E')).toEqual({ days: 30, show: 'all', keyId: '', cursor: '' });
  });

  test('is the same after a round through the address, and a change of it begins at the newest request', () => {
    const filter = { days: 90 as const, keyId: KEY_ID, show: 'errors' as const, cursor: 'a b&c' };
    const href = usageHref(filter, { cursor: filter.cursor });
    expect(read(href.split('?')[1] ?? '')).toEqual(filter);
    expect(usageHref(filter, { days: 7 })).not.toContain('cursor');
    expect(usageHref(read(''), {})).toBe('/developers/usage');
  });
});

describe('a request of the log', () => {
  test('shows the operation by its title, and the whole of what happened', () => {
    expect(requestRow(row(), true, NOW)).toMatchObject({
      title: 'Sign a plan',
      line: 'POST /api/v1/plans/x/approve',
      ago: '5 minutes ago',
      took: '120 ms',
      state: { kind: 'good', label: '200' },
      remedy: null,
    });
  });

  test('leads to its key, and to what can be changed there, for those alone who may open that', () => {
    const refused = row({ status: 403, code: 'mandate_refused', reason: 'over_monthly_cap' });
    const at = `/developers/keys/${KEY_ID}`;
    expect(requestRow(refused, true, NOW)).toMatchObject({ keyHref: at, remedy: { href: `${at}#mandate` } });
    expect(requestRow(refused, false, NOW)).toMatchObject({ key: 'agent', keyHref: null, remedy: null });
  });

  test.each([
    [
      'a refused mandate leads to the mandate',
      { status: 403, code: 'mandate_refused', reason: 'over_monthly_cap' },
      '#mandate',
    ],
    [
      'missing terms lead to the terms',
      { status: 403, code: 'mandate_refused', reason: 'terms_not_accepted' },
      '/terms',
    ],
    ['a missing scope leads to the settings', { status: 403, code: 'forbidden' }, '#settings'],
  ])('%s', (_name, over, ending) => {
    expect(requestRow(row(over), true, NOW).remedy?.href).toMatch(
      new RegExp(`^/developers/keys/${KEY_ID}.*${ending}$`),
    );
  });

  test.each([
    [404, 'bad'],
    [429, 'warn'],
    [503, 'warn'],
    [303, 'good'],
  ])('an answer of %i is %s', (status, kind) => {
    expect(requestRow(row({ status }), true, NOW).state.kind).toBe(kind);
  });
});

test('errors alone are picked from the page of the log', () => {
  const log = { requests: [row(), row({ status: 500, code: 'internal' })], next: 'more' };
  const filter = { days: 30 as const, keyId: '', show: 'errors' as const, cursor: '' };
  const model = usageModel(filter, { days: [], total: 2, errors: 1 }, log, null, NOW);
  expect(model.requests.rows).toHaveLength(1);
  expect([model.pages.first, model.pages.next]).toEqual([null, '/developers/usage?show=errors&cursor=more']);
});
