import { describe, expect, test } from '@jest/globals';
import { problemsOf } from '../problems.js';
import { operationByName } from '../registry.js';
import { FEED_KINDS } from './feed.js';

type Fields = Record<string, unknown>;
type Part = 'params' | 'query' | 'body';
const UUID = '0b6cbb3e-6f0a-4f5e-9d5e-6a1b7b1b7b1b';
const LATER = '2027-03-10T12:00:00Z';

const NAME_60 = 'must be text of 1 to 60 characters after trimming';
const SCOPES =
  'must be 1 or more of inventory:read, audience:read, campaigns:read, evidence:read, results:read, brain:read, creators:read, campaigns:write, plans:approve, without duplicates';
const CHANNELS =
  'must be 1 or more of x_creators, reddit, clipping, linkedin, ugc, newsletter, podcast, other, without duplicates';
const INSTANT = 'must be an ISO 8601 date-time with an offset or Z';
const BOOLEAN = 'must be true or false';
const UUID_RULE = 'must be a UUID';
const EMAIL = 'must be an email address';
const ROLE = 'must be one of viewer, member, admin, owner';
const PLAN_CENTS = 'must be a whole number from 1 to 100,000,000';
const CAP_CENTS = 'must be a whole number from 1 to 1,000,000,000';
const TRY_DAYS = 'must be a whole number from 1 to 90';
const USAGE_DAYS = 'must be one of 7, 30, 90';
const ROWS = 'must be a whole number from 1 to 200, in decimal digits';
const WEBSITE = 'must be the URL of a website, such as https://example.com';
const NAME =
  'must be a name of 1 to 120 characters, without hidden characters and without letters of two alphabets in a word';
const WITH_DAYS = 'is not accepted together with days; leave days out to page the request log';
const WHOLE_KEY = 'must be the whole key as text';
const URL_2000 = 'must be text of 1 to 2,000 characters after trimming';
const KINDS = `must be one or more of ${FEED_KINDS.join(', ')}, without duplicates`;
const required = (accepts: string): string => `is required and ${accepts}`;
const accepted = (fields: string): string => `is not accepted here; accepted: ${fields}`;

const mandate = {
  max_plan_cents: 500_000,
  monthly_cap_cents: 2_000_000,
  channels: ['x_creators'],
  may_approve: true,
  expires_at: LATER,
};
const MANDATE_FIELDS = 'max_plan_cents, monthly_cap_cents, channels, may_approve, expires_at';

/** A good input of each operation; the tables change one field of it. */
const GOOD = {
  key_make: { part: 'body', input: { name: 'Planner', scopes: ['campaigns:read'] } },
  key_change: { part: 'body', input: {} },
  key_mandate_set: { part: 'body', input: mandate },
  key_mandate_try: { part: 'body', input: { mandate } },
  key_delegate: { part: 'body', input: { name: 'Helper', scopes: ['campaigns:read'], expires_at: LATER } },
  key_report: { part: 'body', input: { key: 'cds_live_of_somebody' } },
  key_terms_accept: { part: 'body', input: { version: '2026-11-01' } },
  keys_usage: { part: 'query', input: {} },
  member_invite: { part: 'body', input: { email: 'ada@acme.example', role: 'admin' } },
  member_change: { part: 'body', input: { role: 'viewer' } },
  webhook_make: { part: 'body', input: { url: 'https://hooks.acme.example/in' } },
  webhook_replay: { part: 'body', input: {} },
  webhook_deliveries: { part: 'query', input: {} },
  sign_in: { part: 'body', input: { email: 'ada@acme.example' } },
  sign_up: {
    part: 'body',
    input: { company: 'Acme', website: 'https://acme.example', name: 'Ada Lovelace', email: 'ada@acme.example' },
  },
} as const satisfies Record<string, { part: Part; input: Fields }>;
type Name = keyof typeof GOOD;

const parsed = (name: Name, change: Fields) => {
  const { part, input } = GOOD[name];
  const schema = operationByName(name)?.[part];
  if (schema === undefined) throw new Error(`${name} takes no ${part}`);
  const sent: Fields = { ...input, ...change };
  return { sent, part, result: schema.safeParse(sent) };
};
const problems = (name: Name, change: Fields) => {
  const { sent, part, result } = parsed(name, change);
  return result.success ? { unknown: [], values: [] } : problemsOf(result.error, sent, part);
};

describe('inputs of the gateway (docs/domain/requests.md#every-request)', () => {
  test.each<[name: Name, change: Fields, read: Fields]>([
    ['key_make', {}, { name: 'Planner' }],
    ['key_make', { name: `  ${'😀'.repeat(60)}  ` }, { name: '😀'.repeat(60) }],
    ['key_make', { expires_at: null, may_delegate: true }, { expires_at: null, may_delegate: true }],
    ['key_make', { expires_at: '2027-03-10T12:00:00.5+02:00' }, { expires_at: '2027-03-10T12:00:00.5+02:00' }],
    ['key_change', {}, {}],
    ['key_change', { expires_at: null }, { expires_at: null }],
    ['key_mandate_set', { max_plan_cents: 1, monthly_cap_cents: 1 }, { max_plan_cents: 1, monthly_cap_cents: 1 }],
    ['key_mandate_set', { max_plan_cents: 100_000_000 }, { max_plan_cents: 100_000_000 }],
    ['key_mandate_set', { monthly_cap_cents: 1_000_000_000 }, { monthly_cap_cents: 1_000_000_000 }],
    ['key_mandate_set', { channels: ['other', 'reddit'] }, { channels: ['other', 'reddit'] }],
    ['key_mandate_try', {}, { days: 30 }],
    ['key_mandate_try', { days: 1 }, { days: 1 }],
    ['key_mandate_try', { days: 90 }, { days: 90 }],
    ['key_delegate', {}, { name: 'Helper' }],
    ['key_delegate', { mandate }, { mandate }],
    ['key_report', { key: '' }, { key: '' }],
    ['keys_usage', {}, {}],
    ['keys_usage', { days: '7' }, { days: 7 }],
    ['keys_usage', { days: 90, key_id: UUID.toUpperCase() }, { days: 90, key_id: UUID }],
    ['keys_usage', { limit: '200', cursor: 'abc' }, { limit: 200, cursor: 'abc' }],
    ['member_invite', { email: ' Ada@ACME.example ' }, { email: 'ada@acme.example' }],
    ['webhook_make', { kinds: ['plan.approved'] }, { kinds: ['plan.approved'] }],
    ['webhook_replay', { cursor: ' abc ' }, { cursor: 'abc' }],
    ['webhook_deliveries', { state: 'failed', limit: '200' }, { state: 'failed', limit: 200 }],
    ['sign_in', { email: 'ADA@acme.example' }, { email: 'ada@acme.example' }],
    ['sign_up', { website: ' http://Acme.Example ' }, { website: 'http://acme.example/' }],
    ['sign_up', { company: 'Ａｃｍｅ   GmbH' }, { company: 'Acme GmbH' }],
  ])('%s takes %j', (name, change, read) => {
    const { result } = parsed(name, change);
    expect(result.error?.issues).toBeUndefined();
    expect(result.data).toMatchObject(read);
  });

  test.each<[name: Name, change: Fields, field: string, message: string]>([
    ['key_make', { name: undefined }, 'name', required(NAME_60)],
    ['key_make', { name: '   ' }, 'name', NAME_60],
    ['key_make', { name: 'x'.repeat(61) }, 'name', NAME_60],
    ['key_make', { name: '\ud800' }, 'name', NAME_60],
    ['key_make', { name: 7 }, 'name', NAME_60],
    ['key_make', { scopes: undefined }, 'scopes', required(SCOPES)],
    ['key_make', { scopes: [] }, 'scopes', SCOPES],
    ['key_make', { scopes: 'campaigns:read' }, 'scopes', SCOPES],
    ['key_make', { scopes: ['campaigns:read', 'campaigns:read'] }, 'scopes', SCOPES],
    ['key_make', { scopes: ['campaigns:read', 'campaigns:delete'] }, 'scopes[1]', SCOPES],
    ['key_make', { expires_at: '2027-03-10' }, 'expires_at', INSTANT],
    ['key_make', { expires_at: '2027-03-10T12:00:00' }, 'expires_at', INSTANT],
    ['key_make', { expires_at: '2027-02-30T12:00:00Z' }, 'expires_at', INSTANT],
    ['key_make', { may_delegate: 'true' }, 'may_delegate', BOOLEAN],

    ['key_change', { name: '' }, 'name', NAME_60],
    ['key_change', { name: null }, 'name', NAME_60],
    ['key_change', { scopes: [] }, 'scopes', SCOPES],
    ['key_change', { expires_at: 'never' }, 'expires_at', INSTANT],
    ['key_change', { may_delegate: null }, 'may_delegate', BOOLEAN],

    ['key_mandate_set', { max_plan_cents: undefined }, 'max_plan_cents', required(PLAN_CENTS)],
    ['key_mandate_set', { max_plan_cents: 0 }, 'max_plan_cents', PLAN_CENTS],
    ['key_mandate_set', { max_plan_cents: 100_000_001 }, 'max_plan_cents', PLAN_CENTS],
    ['key_mandate_set', { max_plan_cents: 1.5 }, 'max_plan_cents', PLAN_CENTS],
    ['key_mandate_set', { max_plan_cents: '500000' }, 'max_plan_cents', PLAN_CENTS],
    ['key_mandate_set', { monthly_cap_cents: undefined }, 'monthly_cap_cents', required(CAP_CENTS)],
    ['key_mandate_set', { monthly_cap_cents: 0 }, 'monthly_cap_cents', CAP_CENTS],
    ['key_mandate_set', { monthly_cap_cents: 1_000_000_001 }, 'monthly_cap_cents', CAP_CENTS],
    ['key_mandate_set', { channels: undefined }, 'channels', required(CHANNELS)],
    ['key_mandate_set', { channels: [] }, 'channels', CHANNELS],
    ['key_mandate_set', { channels: ['reddit', 'reddit'] }, 'channels', CHANNELS],
    ['key_mandate_set', { channels: ['tv'] }, 'channels[0]', CHANNELS],
    ['key_mandate_set', { may_approve: undefined }, 'may_approve', required(BOOLEAN)],
    ['key_mandate_set', { may_approve: 1 }, 'may_approve', BOOLEAN],
    ['key_mandate_set', { expires_at: undefined }, 'expires_at', required(INSTANT)],
    ['key_mandate_set', { expires_at: null }, 'expires_at', INSTANT],

    ['key_mandate_try', { mandate: undefined }, 'mandate', 'must be a JSON object'],
    ['key_mandate_try', { mandate: { ...mandate, max_plan_cents: 0 } }, 'mandate.max_plan_cents', PLAN_CENTS],
    ['key_mandate_try', { mandate: { ...mandate, channels: ['tv'] } }, 'mandate.channels[0]', CHANNELS],
    ['key_mandate_try', { days: 0 }, 'days', TRY_DAYS],
    ['key_mandate_try', { days: 91 }, 'days', TRY_DAYS],
    ['key_mandate_try', { days: '30' }, 'days', TRY_DAYS],
    ['key_mandate_try', { days: null }, 'days', TRY_DAYS],

    ['key_delegate', { name: undefined }, 'name', required(NAME_60)],
    ['key_delegate', { scopes: ['keys:make'] }, 'scopes[0]', SCOPES],
    ['key_delegate', { expires_at: undefined }, 'expires_at', required(INSTANT)],
    ['key_delegate', { expires_at: null }, 'expires_at', INSTANT],
    ['key_delegate', { mandate: { ...mandate, may_approve: 'no' } }, 'mandate.may_approve', BOOLEAN],
    ['key_delegate', { mandate: null }, 'mandate', 'must be a JSON object'],

    ['key_report', { key: undefined }, 'key', required(WHOLE_KEY)],
    ['key_report', { key: 12 }, 'key', WHOLE_KEY],
    ['key_terms_accept', { version: 1 }, 'version', 'must be the id of the current version, such as 2026-11-01'],

    ['keys_usage', { days: '8' }, 'days', USAGE_DAYS],
    ['keys_usage', { days: '07.0' }, 'days', USAGE_DAYS],
    ['keys_usage', { key_id: 'full' }, 'key_id', UUID_RULE],
    ['keys_usage', { limit: '0' }, 'limit', ROWS],
    ['keys_usage', { limit: '201' }, 'limit', ROWS],
    ['keys_usage', { limit: '+5' }, 'limit', ROWS],
    ['keys_usage', { cursor: 5 }, 'cursor', 'must be the next of the previous page'],
    ['keys_usage', { days: '7', limit: '5' }, 'limit', WITH_DAYS],
    ['keys_usage', { days: '7', cursor: 'abc' }, 'cursor', WITH_DAYS],

    ['member_invite', { email: undefined }, 'email', required(EMAIL)],
    ['member_invite', { email: 'ada' }, 'email', EMAIL],
    ['member_invite', { email: 'аda@acme.example' }, 'email', EMAIL],
    ['member_invite', { email: 'ada@acme.example\r\nBcc: eve@mail.example' }, 'email', EMAIL],
    ['member_invite', { email: `${'a'.repeat(60)}@${'b'.repeat(60)}.${'c.'.repeat(66)}example` }, 'email', EMAIL],
    ['member_invite', { role: undefined }, 'role', required(ROLE)],
    ['member_invite', { role: 'lead' }, 'role', ROLE],
    ['member_change', { role: 'OWNER' }, 'role', ROLE],

    ['webhook_make', { url: undefined }, 'url', required(URL_2000)],
    ['webhook_make', { url: '' }, 'url', URL_2000],
    ['webhook_make', { url: 'x'.repeat(2_001) }, 'url', URL_2000],
    ['webhook_make', { kinds: [] }, 'kinds', KINDS],
    ['webhook_make', { kinds: null }, 'kinds', KINDS],
    ['webhook_make', { kinds: ['plan.approved', 'plan.approved'] }, 'kinds', KINDS],
    ['webhook_make', { kinds: ['webhook.test'] }, 'kinds[0]', `names an unknown kind: webhook.test; ${KINDS}`],
    ['webhook_make', { kinds: ['not a kind'] }, 'kinds[0]', KINDS],
    ['webhook_replay', { cursor: '' }, 'cursor', 'must be text of 1 to 100 characters after trimming'],
    ['webhook_deliveries', { state: 'ended' }, 'state', 'must be one of waiting, delivered, failed'],
    ['webhook_deliveries', { limit: '0' }, 'limit', ROWS],
    ['sign_in', { email: '' }, 'email', EMAIL],
    ['sign_up', { company: undefined }, 'company', required(NAME)],
    ['sign_up', { company: 'x'.repeat(121) }, 'company', NAME],
    ['sign_up', { company: 'Acmе' }, 'company', NAME],
    ['sign_up', { company: 'Ac\u200bme' }, 'company', NAME],
    ['sign_up', { name: '--' }, 'name', NAME],
    ['sign_up', { website: undefined }, 'website', required(WEBSITE)],
    ['sign_up', { website: 'acme.example' }, 'website', WEBSITE],
    ['sign_up', { website: 'ftp://acme.example' }, 'website', WEBSITE],
    ['sign_up', { website: 'javascript:alert(1)' }, 'website', WEBSITE],
    ['sign_up', { website: 'https://ada:secret@acme.example' }, 'website', WEBSITE],
    ['sign_up', { website: 'https://127.0.0.1' }, 'website', WEBSITE],
    ['sign_up', { website: 'https://[::1]' }, 'website', WEBSITE],
    ['sign_up', { website: 'https://localhost' }, 'website', WEBSITE],
    ['sign_up', { website: `https://acme.example/${'x'.repeat(200)}` }, 'website', WEBSITE],
    ['sign_up', { email: 'ada@' }, 'email', EMAIL],
  ])('%s refuses %j at %s', (name, change, field, message) => {
    expect(problems(name, change)).toEqual({ unknown: [], values: [{ field, message }] });
  });

  test.each<[name: Name, change: Fields, field: string, message: string]>([
    ['key_make', { mandate }, 'mandate', accepted('name, scopes, expires_at, may_delegate')],
    ['key_change', { revoked_at: LATER }, 'revoked_at', accepted('name, scopes, expires_at, may_delegate')],
    ['key_mandate_set', { may_exceed_budget: false }, 'may_exceed_budget', accepted(MANDATE_FIELDS)],
    ['key_mandate_set', { terms_version: '2026-11-01' }, 'terms_version', accepted(MANDATE_FIELDS)],
    [
      'key_mandate_try',
      { mandate: { ...mandate, may_exceed_budget: false } },
      'mandate.may_exceed_budget',
      accepted(MANDATE_FIELDS),
    ],
    ['key_delegate', { may_delegate: true }, 'may_delegate', accepted('name, scopes, mandate, expires_at')],
    ['keys_usage', { page: '2' }, 'page', accepted('days, key_id, limit, cursor')],
    ['member_invite', { brand_id: UUID }, 'brand_id', accepted('email, role')],
    ['webhook_make', { secret: 'whsec_x' }, 'secret', accepted('url, kinds')],
    ['sign_up', { status: 'approved' }, 'status', accepted('company, website, name, email')],
    ['key_report', { secret: 'x' }, 'secret', accepted('key')],
  ])('%s does not know the field of %j', (name, change, field, message) => {
    expect(problems(name, change)).toEqual({ unknown: [{ field, message }], values: [] });
  });

  test('all problems come at once, missing fields first', () => {
    expect(
      problems('key_mandate_set', { max_plan_cents: 0, channels: undefined, may_approve: 'no', extra: 1 }),
    ).toEqual({
      unknown: [{ field: 'extra', message: accepted(MANDATE_FIELDS) }],
      values: [
        { field: 'channels', message: required(CHANNELS) },
        { field: 'max_plan_cents', message: PLAN_CENTS },
        { field: 'may_approve', message: BOOLEAN },
      ],
    });
  });

  test.each([
    'key_change',
    'key_revoke',
    'key_mandate_set',
    'key_mandate_try',
    'member_change',
    'member_remove',
    'member_remove_all',
    'webhook_remove',
    'webhook_rotate',
    'webhook_deliveries',
    'client_end',
  ])('%s refuses an id that is no UUID', (name) => {
    const sent = { id: 'mine' };
    const { error } = operationByName(name)?.params?.safeParse(sent) ?? {};
    if (error === undefined) throw new Error(`${name} took an id that is no UUID`);
    expect(problemsOf(error, sent, 'path').values).toEqual([{ field: 'id', message: UUID_RULE }]);
  });
});
