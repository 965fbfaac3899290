import { describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { paidStrings, stringsOf, unmarkedStrings } from './disclosure.js';
import { ErrorResource } from './error.js';
import { CalendarDate, paidText, publicText, redactedText, Timestamp, Uuid } from './fields.js';
import { events, operationByName, operations } from './registry.js';

/** A refusal's details are data of the error table, not text of an answer. */
const REFUSAL_DETAILS = 'answer.refusal.details.*';

const published = operations.filter((operation) => operation.audience !== 'internal');

describe('every string of an answer says who may see it', () => {
  test.each(operations.map((operation) => [operation.name, operation] as const))('%s', (_name, operation) => {
    expect(unmarkedStrings(operation.output).filter((path) => path !== REFUSAL_DETAILS)).toEqual([]);
  });

  test.each(events.map((event) => [event.name, event] as const))('event %s', (_name, event) => {
    expect(unmarkedStrings(event.payload)).toEqual([]);
  });

  test('the text of an error is ours; its details are data', () => {
    expect(unmarkedStrings(ErrorResource)).toEqual(['answer.error.details.*']);
  });
});

describe('identity text', () => {
  test('is in no event', () => {
    expect(events.flatMap((event) => paidStrings(event.payload))).toEqual([]);
  });

  test('is in no creator list', () => {
    expect(paidStrings(operationByName('creators_search')?.output ?? z.never())).toEqual([]);
  });

  test('every field named like a handle or a profile link of a creator is marked as paid', () => {
    const names = ['creator_handle', 'replaced_handle', 'profile_url', 'proof_url'];
    const found = published.flatMap((operation) => stringsOf(operation.output));
    const named = found.filter(({ path }) => names.some((name) => path.endsWith(`.${name}`)));
    expect(named.length).toBeGreaterThan(0);
    expect(named.filter(({ disclosure }) => disclosure !== 'paid')).toEqual([]);
  });

  test('of an opened creator is the handle, url and every post link', () => {
    expect(paidStrings(operationByName('creator_get')?.output ?? z.never())).toEqual([
      'answer.past_collabs[].url',
      'answer.handle',
      'answer.url',
      'answer.recent_posts[].url',
      'answer.posts_summary.top_post.url',
    ]);
  });
});

describe('walking a shape', () => {
  const marked = z.object({ a: publicText().nullable(), b: z.array(redactedText()).optional(), c: paidText() });

  test('accepts a shape whose strings are all marked', () => {
    expect(unmarkedStrings(marked)).toEqual([]);
    expect(paidStrings(marked)).toEqual(['answer.c']);
  });

  test('ignores identifiers, instants, days, enums, literals and record keys', () => {
    const wordless = z.object({
      id: Uuid,
      at: Timestamp,
      day: CalendarDate,
      kind: z.enum(['x']),
      one: z.literal('y'),
      counts: z.record(z.string(), z.int()),
    });
    expect(unmarkedStrings(wordless)).toEqual([]);
  });

  test.each([
    ['a bare string', z.object({ a: z.string() }), ['answer.a']],
    ['a string in a list', z.object({ a: z.array(z.string()) }), ['answer.a[]']],
    ['a string in one form of a union', z.union([marked, z.object({ x: z.string() })]), ['answer.x']],
    ['a string as a record value', z.record(z.string(), z.string().nullable()), ['answer.*']],
    ['an unknown value', z.object({ a: z.unknown() }), ['answer.a']],
    ['a transformed value', z.object({ a: z.string().transform((text) => text) }), ['answer.a']],
    ['a made-up mark', z.object({ a: z.string().meta({ disclosure: 'secret' }) }), ['answer.a']],
    ['a link without a mark', z.object({ a: z.url() }), ['answer.a']],
  ])('finds %s', (_name, schema, paths) => {
    expect(unmarkedStrings(schema)).toEqual(paths);
  });
});
