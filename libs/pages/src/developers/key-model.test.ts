import { type Key, type Mandate, READ_SCOPES, SCOPES } from '@cds/contracts';
import { describe, expect, test } from '@jest/globals';
import { keysModel, makerOf, mandateLine, meterOf, scopesLine, stateOf } from './key-model.js';

const NOW = new Date('2026-11-22T12:00:00.000Z');
const inDays = (days: number): string => new Date(NOW.getTime() + days * 86_400_000).toISOString();

const MANDATE: Mandate = {
  key_id: '0b6cbb3e-6f0a-4f5e-9d5e-6a1b7b1b7b1b',
  version: 1,
  max_plan_cents: 2_500_000,
  monthly_cap_cents: 6_000_000,
  channels: ['x_creators', 'reddit'],
  may_approve: true,
  expires_at: inDays(100),
  updated_at: inDays(-1),
  spent_this_month_cents: 5_250_000,
  terms_version: '2026-11-01',
  terms_accepted_at: inDays(-1),
  terms_accepted_email: 'owner@acme.example',
};

const key = (over: Partial<Key> = {}): Key => ({
  id: '0b6cbb3e-6f0a-4f5e-9d5e-6a1b7b1b7b1b',
  public_id: '0123456789Ab',
  name: 'agent',
  scopes: [...SCOPES],
  created_at: inDays(-10),
  created_by: 'person:1',
  expires_at: null,
  last_used_at: null,
  revoked_at: null,
  mandate: MANDATE,
  parent_id: null,
  may_delegate: false,
  ...over,
});
const mandate = (over: Partial<Mandate>): { mandate: Mandate } => ({ mandate: { ...MANDATE, ...over } });

describe('the state of a key', () => {
  test.each<[string, Partial<Key>, string, string]>([
    ['a key with a mandate and terms is active', {}, 'good', 'Active'],
    ['so is one without a mandate', { mandate: null }, 'good', 'Active'],
    [
      'a revoked one is revoked, whatever else it is',
      { revoked_at: inDays(-1), expires_at: inDays(-2) },
      'off',
      'Revoked',
    ],
    ['one that has ended is expired', { expires_at: inDays(0) }, 'off', 'Expired'],
    ['one that ends soon says so', { expires_at: inDays(3) }, 'warn', 'Expires in 3 days'],
    ['and on its last day', { expires_at: inDays(0.5) }, 'warn', 'Expires within a day'],
    ['a mandate that has ended is bad', mandate({ expires_at: inDays(0) }), 'bad', 'Mandate expired'],
    ['one that ends soon is a warning', mandate({ expires_at: inDays(14) }), 'warn', 'Mandate expires in 14 days'],
    ['signing without terms is bad', mandate({ terms_version: null }), 'bad', 'Terms not accepted'],
    ['so are terms that were replaced', mandate({ terms_version: '2026-01-01' }), 'bad', 'Terms not accepted'],
    ['a key that does not sign needs none', mandate({ may_approve: false, terms_version: null }), 'good', 'Active'],
    ['nor does the own agent key', { public_id: null, ...mandate({ terms_version: null }) }, 'good', 'Active'],
  ])('%s', (_name, over, kind, label) => {
    expect(stateOf(key(over), '2026-11-01', NOW)).toEqual({ kind, label });
  });
});

describe('what a key may do, in words', () => {
  test.each<[Key['scopes'], string]>([
    [[...SCOPES], 'Reads everything, works on campaigns and signs plans'],
    [[...READ_SCOPES], 'Reads everything'],
    [['inventory:read'], 'Reads 1 of 7 areas'],
    [['campaigns:write'], 'Works on campaigns'],
  ])('%j', (scopes, line) => {
    expect(scopesLine(scopes)).toBe(line);
  });

  test('a mandate is one sentence', () => {
    expect(mandateLine(MANDATE)).toBe('Signs plans up to $25,000 each and $60,000 a month: X creators and Reddit.');
    expect(mandateLine({ ...MANDATE, may_approve: false })).toMatch(/^Plans, without signing, up to/);
    expect(mandateLine(null)).toContain('every write is refused');
  });
});

describe('spent against the cap', () => {
  test.each([
    [0, 6_000_000, 0, ''],
    [4_799_999, 6_000_000, 80, ''],
    [4_800_000, 6_000_000, 80, 'warn'],
    [6_000_000, 6_000_000, 100, 'bad'],
    [9_000_000, 6_000_000, 100, 'bad'],
  ])('%i of %i cents is %i %', (spent, cap, percent, kind) => {
    expect(meterOf('Spent', spent, cap)).toMatchObject({ percent, kind });
  });
});

test('the list has a tab for keys that can be used and one for those that ended', () => {
  const keys = [key(), key({ revoked_at: inDays(-1) }), key({ expires_at: inDays(-1) })];
  const live = keysModel(keys, null, 'live', NOW);
  expect([live.cards.length, live.tabs.map(({ count }) => count)]).toEqual([1, [1, 2]]);
  expect(keysModel(keys, null, 'ended', NOW).cards).toHaveLength(2);
});

test.each([
  ['a member is named by address', 'person:1', 'maya@acme.example'],
  ['a person who has left is not named', 'person:2', 'somebody who is no longer a member'],
  ['a child key was made by a key', 'key:1', 'another key'],
  ['what is nobody is shown as it is stored', 'a seeder', 'a seeder'],
])('who made a key: %s', (_name, createdBy, maker) => {
  expect(makerOf(createdBy, [{ person_id: '1', email: 'maya@acme.example' }])).toBe(maker);
});
