import { describe, expect, test } from '@jest/globals';
import type { z } from 'zod';
import { CreatorsQuery } from './catalog/creators-query.js';
import { SEGMENT_IDS, SEGMENTS } from './catalog/segments.js';
import { CampaignInput } from './planning/campaign-input.js';
import { CreatorGuidelinesInput } from './planning/guidelines.js';
import { problemsOf } from './problems.js';
import { operationByName, operations } from './registry.js';
import { proves } from './testing/proves.js';

const problems = (schema: { safeParse: typeof CreatorsQuery.safeParse }, input: unknown, whole = 'body') => {
  const parsed = schema.safeParse(input);
  return parsed.success ? { unknown: [], values: [] } : problemsOf(parsed.error, input, whole);
};
const fields = (input: unknown) => problems(CreatorsQuery, input, 'query').values.map(({ field }) => field);

const campaign = {
  goal: 'launch',
  product: 'A database',
  moment: 'Launch on 12 March 2027',
  window_start: '2027-03-10',
  window_end: '2027-03-31',
  budget_usd: 5000.25,
};
const body = (change: object) => problems(CampaignInput as never, { ...campaign, ...change });

describe('the query of GET /creators', () => {
  test('parses query strings and tool arguments to the same values', () => {
    const asText = { limit: '50', fit: 'true', er_min: '2.15', match: 'marketing,sales', match_min: '70', q: ' ada ' };
    const asJson = { limit: 50, fit: true, er_min: 2.15, match: 'marketing,sales', match_min: 70, q: 'ada' };
    expect(CreatorsQuery.parse(asText)).toEqual(asJson);
    expect(CreatorsQuery.parse(asJson)).toEqual(asJson);
  });

  test.each([
    ['limit under 1', { limit: '0' }, 'limit'],
    ['limit over 50', { limit: '51' }, 'limit'],
    ['limit with a sign', { limit: '+5' }, 'limit'],
    ['limit with a fraction', { limit: '5.0' }, 'limit'],
    ['limit in hexadecimal', { limit: '0x10' }, 'limit'],
    ['limit empty', { limit: '' }, 'limit'],
    ['limit as a fraction', { limit: 1.5 }, 'limit'],
    ['offset below 0', { offset: -1 }, 'offset'],
    ['budget 0', { budget: '0' }, 'budget'],
    ['a boolean in capitals', { fit: 'TRUE' }, 'fit'],
    ['a boolean as 1', { fit: '1' }, 'fit'],
    ['er_min with three decimals', { er_min: '1.234' }, 'er_min'],
    ['er_min over 100', { er_min: '100.01' }, 'er_min'],
    ['a blank q', { q: '   ' }, 'q'],
    ['q over 100 characters', { q: 'x'.repeat(101) }, 'q'],
    ['an unknown segment', { segment: 'nobody' }, 'segment'],
    ['an unknown id in match', { match: 'marketing,nobody' }, 'match'],
    ['eleven ids in match', { match: [...SEGMENT_IDS].slice(0, 11).join(',') }, 'match'],
    ['an unknown sort', { sort: 'name' }, 'sort'],
    ['match_min without match', { match_min: '50' }, 'match_min'],
    ['followers_min above followers_max', { followers_min: '10', followers_max: '9' }, 'followers_min'],
    ['price_min above price_max', { price_min: 10, price_max: 9 }, 'price_min'],
  ])('refuses %s', (_name, query, field) => {
    proves('creators.bad-query', 'creators.match-min-needs-match');
    expect(fields(query)).toEqual([field]);
  });

  test.each([
    [{ match: 'marketing,ai-bulders' }, 'names an unknown segment: ai-bulders. Nearest: ai-builders.'],
    [{ match: 'ai-bulders,foo' }, 'names unknown segments: ai-bulders, foo. Nearest: ai-builders, food.'],
    [{ segment: 'Gaming' }, 'names an unknown segment: Gaming. Nearest: gaming.'],
    [{ match: 'developer' }, 'names an unknown segment: developer. Nearest: software-developers.'],
    [
      { match: 'business-design' },
      'names an unknown segment: business-design. Nearest: product-design, small-business.',
    ],
    [
      { segment: 'underwater-welding' },
      'names an unknown segment: underwater-welding. Resolving an audience turns a description into ids.',
    ],
    [{ segment: 'AI builders' }, 'must contain known audience segment ids only. Nearest: ai-builders.'],
    [{ match: 'Food & drink,<b>' }, 'must contain known audience segment ids only. Nearest: food.'],
    [{ match: [...SEGMENT_IDS].slice(0, 11).join(',') }, 'must be 1 to 10 audience segment ids, comma separated'],
  ])('says what is wrong with %j', (query, message) => {
    expect(problems(CreatorsQuery, query, 'query').values).toEqual([{ field: Object.keys(query)[0], message }]);
  });

  test('accepts equal bounds, and 100 code points that are more UTF-16 units', () => {
    expect(fields({ followers_min: '9', followers_max: '9', q: '😀'.repeat(100) })).toEqual([]);
  });

  test('reports every problem at once, across fields too, and lists unknown fields separately', () => {
    proves('creators.bad-query');
    const found = problems(CreatorsQuery, { limit: 'x', followers_min: 2, followers_max: 1, page: '1' }, 'query');
    expect(found.values.map(({ field }) => field)).toEqual(['limit', 'followers_min']);
    expect(found.unknown.map(({ field }) => field)).toEqual(['page']);
    expect(found.unknown[0]?.message).toContain('accepted: q, segment');
  });

  test.each([
    ['budget', 'use budget_usd. Accepted: goal'],
    ['launchPostUrl', 'use launch_post_url. Accepted: '],
    ['audiance', 'use audience. Accepted: '],
    ['window', 'is not accepted here; accepted: goal'],
    ['colour', 'is not accepted here; accepted: goal'],
  ])('suggests once what the unknown field %s means', (field, message) => {
    const said = problems(CampaignInput, { [field]: 1, other: 2 }, 'body').unknown;
    expect(said[0]?.message).toContain(message);
    expect(said[1]?.message).toContain('is not accepted here; accepted: goal');
  });

  test('reports a conflict of two fields beside a fraction, and does not compare an invalid bound', () => {
    proves('creators.bad-query');
    expect(fields({ followers_max: 1.5, match_min: 5 })).toEqual(['followers_max', 'match_min']);
    expect(fields({ price_min: 5, price_max: -1 })).toEqual(['price_max']);
  });
});

describe('CampaignInput', () => {
  test('accepts a complete input and trims its texts', () => {
    expect(CampaignInput.parse({ ...campaign, product: '  A database ' }).product).toBe('A database');
  });

  test('names missing fields first, in the order of the specification', () => {
    proves('create.required-fields', 'create.422-names-all-missing');
    const found = problems(CampaignInput as never, { budget_usd: 0, goal: 'party', window_end: '2027-03-31' });
    expect(found.values).toEqual([
      { field: 'product', message: 'is required and must be text of 1 to 2,000 characters after trimming' },
      { field: 'moment', message: 'is required and must be text of 1 to 2,000 characters after trimming' },
      { field: 'window_start', message: 'is required and must be a real date, YYYY-MM-DD' },
      { field: 'goal', message: 'must be one of launch, funding, feature, program' },
      {
        field: 'budget_usd',
        message: 'must be a number of US dollars above 0, at most 10,000,000, with at most two decimals',
      },
    ]);
  });

  test.each([
    ['a goal that is null', { goal: null }, 'goal'],
    ['a product that is a number', { product: 5 }, 'product'],
    ['a blank moment', { moment: ' \n ' }, 'moment'],
    ['a product of 2,001 characters', { product: 'x'.repeat(2001) }, 'product'],
    ['a lone surrogate', { product: 'x\ud800' }, 'product'],
    ['29 February of a common year', { window_start: '2027-02-29' }, 'window_start'],
    ['a date with a time', { window_start: '2027-03-10T00:00:00Z' }, 'window_start'],
    ['a budget of 0', { budget_usd: 0 }, 'budget_usd'],
    ['a budget over the maximum', { budget_usd: 10_000_000.01 }, 'budget_usd'],
    ['a budget with three decimals', { budget_usd: 10.125 }, 'budget_usd'],
    ['a budget as text', { budget_usd: '100' }, 'budget_usd'],
    ['an audience of nine characters', { audience: 'engineers' }, 'audience'],
    ['a geography of 201 characters', { geography: 'x'.repeat(201) }, 'geography'],
    ['an unknown category', { category: 'cars' }, 'category'],
  ])('refuses %s', (_name, change, field) => {
    proves('create.bounds');
    const found = body(change);
    expect(found.unknown).toEqual([]);
    expect(found.values.map((problem) => problem.field)).toEqual([field]);
  });

  test('accepts the bounds themselves', () => {
    proves('create.bounds');
    expect(body({ budget_usd: 10_000_000, audience: 'x'.repeat(10), product: '😀'.repeat(2000) })).toEqual({
      unknown: [],
      values: [],
    });
    expect(body({ budget_usd: 0.01, window_start: '2028-02-29' }).values).toEqual([]);
  });

  test('lists an unknown field separately, which is 400', () => {
    expect(body({ budget: 5 }).unknown.map(({ field }) => field)).toEqual(['budget']);
  });

  test('a body that is not an object is one problem of the body', () => {
    expect(problems(CampaignInput as never, []).values).toEqual([{ field: 'body', message: 'must be a JSON object' }]);
  });
});

describe('the guidelines of a campaign', () => {
  const of = (input: unknown) => problems(CreatorGuidelinesInput as never, input);

  test('a list item is named by its place', () => {
    proves('guidelines.422-names-field');
    const input = { key_messages: ['fine', 'x'.repeat(201)], references: ['http://example.com'], pitch: null };
    expect(problems(CreatorGuidelinesInput as never, input).values.map(({ field }) => field)).toEqual([
      'pitch',
      'key_messages[1]',
      'references[0]',
    ]);
  });

  test('may be empty texts and empty lists, or nothing at all', () => {
    proves('guidelines.all-optional');
    expect(of({ pitch: '', voice: ' ', dos: [] }).values).toEqual([]);
    expect(of({}).values).toEqual([]);
  });

  test.each<[string, object, string[]]>([
    ['a pitch of 801 characters', { pitch: 'x'.repeat(801) }, ['pitch']],
    ['a voice of 301 characters', { voice: 'x'.repeat(301) }, ['voice']],
    ['nine messages', { key_messages: Array.from({ length: 9 }, () => 'x') }, ['key_messages']],
    ['a list that is null', { dos: null }, ['dos']],
    ['a list that is a text', { donts: 'never lie' }, ['donts']],
    ['a blank item', { donts: ['fine', ' '] }, ['donts[1]']],
    ['an item that is a number', { dos: [1] }, ['dos[0]']],
    ['a reference over http', { references: ['http://example.com'] }, ['references[0]']],
    ['a reference that is not a URI', { references: ['https://'] }, ['references[0]']],
    ['a reference with a space', { references: ['https://e.example/a b'] }, ['references[0]']],
    ['a reference of 501 characters', { references: [`https://e.example/${'x'.repeat(483)}`] }, ['references[0]']],
  ])('refuse %s', (_name, input, fields) => {
    proves('guidelines.bounds', 'guidelines.422-names-field');
    expect(of(input).values.map(({ field }) => field)).toEqual(fields);
  });

  test('accept the bounds themselves, counted in code points', () => {
    proves('guidelines.bounds');
    const items = Array.from({ length: 8 }, () => '😀'.repeat(200));
    const references = [`https://e.example/${'x'.repeat(482)}`];
    const input = { pitch: '😀'.repeat(800), voice: 'x'.repeat(300), key_messages: items, dos: items, donts: items };
    expect(of({ ...input, references })).toEqual({ unknown: [], values: [] });
  });

  test('list an unknown field separately, which is 400', () => {
    proves('guidelines.400-unknown-field');
    expect(of({ pitch: 'x', tone: 'warm' }).unknown.map(({ field }) => field)).toEqual(['tone']);
  });
});

describe('other inputs', () => {
  test.each([[''], [' \n'], ['\u200b\u2060\u3164'], ['x'.repeat(121)], [null], [5], [undefined]])(
    'a campaign is not renamed to %j',
    (name) => {
      proves('rename.name-422');
      const found = problems(operationByName('rename_campaign')?.body as never, { name });
      expect(found.values).toEqual([
        { field: 'name', message: expect.stringContaining('must be text of 1 to 120 characters after trimming') },
      ]);
    },
  );

  test.each([
    ['Acme\u0007', 'must be on one line, without control characters'],
    ['Acme\nlaunch', 'must be on one line, without control characters'],
  ])('a campaign is not renamed to %j, which %s', (name, message) => {
    const found = problems(operationByName('rename_campaign')?.body as never, { name });
    expect(found.values).toEqual([{ field: 'name', message }]);
  });

  test('a plan to add to is a UUID or the word current', () => {
    const params = operationByName('plan_add_creator')?.params;
    expect(params?.safeParse({ id: 'current' }).success).toBe(true);
    const bad = params?.safeParse({ id: 'newest' });
    expect(bad?.error?.issues[0]?.message).toBe('must be a UUID or the word current');
  });

  test('any id in the form of a UUID is accepted, whatever its version', () => {
    const params = operationByName('campaign_status')?.params;
    const made = ['11111111-1111-1111-1111-111111111111', 'E94B27C3-8D16-4A3A-B0F5-1C7E5D2A9B34'];
    for (const id of made) expect(params?.safeParse({ id }).success).toBe(true);
    for (const id of ['', 'current', '1111', `${made[0]} `]) expect(params?.safeParse({ id }).success).toBe(false);
  });

  test('every published input says what each field accepts', () => {
    for (const name of [
      'approve_plan',
      'sandbox_clock_jump',
      'sandbox_line_post',
      'feedback_send',
      'plan_move_dates',
    ]) {
      const schema = operationByName(name)?.body;
      const parsed = schema?.safeParse({});
      expect(parsed?.success).toBe(false);
      for (const issue of parsed?.error?.issues ?? []) expect(issue.message).toMatch(/^is required and must be /);
    }
  });

  test('the taxonomy has 34 distinct segments', () => {
    expect(SEGMENTS).toHaveLength(34);
    expect(SEGMENT_IDS.size).toBe(34);
    expect(SEGMENTS.find(({ id }) => id === 'startup-founders')?.label).toBe('Startup founders');
  });
});

describe('half of a surrogate pair, which nothing can store', () => {
  const half = '\ud800';
  const bodies = operations.flatMap(({ name, audience, body }) =>
    audience === 'internal' || body === undefined ? [] : [[name, Object.entries(body.shape)] as const],
  );

  test.each(bodies)('is refused in every field of %s', (_name, fields) => {
    const taken = fields.flatMap(([field, schema]) =>
      [half, [half], [{ text: half }], [{ [half]: 1 }], { text: half }].some(
        (value) => (schema as z.ZodType).safeParse(value).success,
      )
        ? [field]
        : [],
    );
    expect(taken).toEqual([]);
  });
});
