import { readFile } from 'node:fs/promises';
import { FEED_KINDS, pathOf, publishedOperations } from '@cds/contracts';
import { describe, expect, it, test } from '@jest/globals';
import { callsOf } from './calls.js';
import { openapiDocument } from './openapi.js';
import { methodOf, sdkFiles } from './sdk.js';
import { typeOf } from './typescript.js';

const document = openapiDocument();
const calls = callsOf(document);
const answered = calls.filter(({ operation }) => operation.mediaType === undefined);
const files = sdkFiles(document);

describe('the sources of the SDK', () => {
  test.each(publishedOperations().filter(({ mediaType }) => mediaType === undefined))(
    '$name has a method, a route and types',
    (operation) => {
      const call = calls.find((one) => one.operation === operation);
      if (call === undefined) throw new Error(`${operation.name} is missing`);
      const method = methodOf(call);
      expect(files['methods.ts']).toMatch(new RegExp(`^  ${method}\\(input`, 'm'));
      expect(files['routes.ts']).toContain(
        `  ${method}: {"operation":"${operation.name}","method":"${operation.rest.method}","path":"${pathOf(operation)}"`,
      );
      expect(files['operations.ts']).toContain(`  ${operation.name}: {\n`);
    },
  );

  it('type the data of every kind of event', async () => {
    const source = await readFile(new URL('../../../packages/sdk/src/event-data.ts', import.meta.url), 'utf8');
    const typed = [...source.matchAll(/^ {2}'(\w+\.\w+)': \w+Data;$/gm)].map(([, kind]) => kind);
    expect(new Set(typed)).toEqual(new Set(FEED_KINDS));
  });

  it('page through every list that comes in pages', () => {
    const paged = publishedOperations().filter(
      ({ query, mediaType }) =>
        mediaType === undefined &&
        ['cursor', 'offset', 'before'].some((field) => query !== undefined && field in query.shape),
    );
    expect(paged.length).toBeGreaterThan(0);
    expect(answered.flatMap(({ operation, paging }) => (paging === undefined ? [] : [operation.name])).sort()).toEqual(
      paged.map(({ name }) => name).sort(),
    );
  });

  it('use every component of the documents under one name', () => {
    const exported = [...(files['resources.ts'] ?? '').matchAll(/^export type (\w+) =/gm)].map(([, name]) => name);
    expect(new Set(exported).size).toBe(exported.length);
    expect(exported.length).toBe(Object.keys(document.components?.schemas ?? {}).length);
  });
});

describe('the type of a schema', () => {
  it.each([
    ['a reference', { $ref: '#/components/schemas/Quote' }, 'Quote'],
    ['a component with the name of a global', { $ref: '#/components/schemas/Error' }, 'ErrorBody'],
    ['a constant', { type: 'string', const: 'approved' }, '"approved"'],
    ['some words', { type: 'string', enum: ['a', 'b'] }, '"a" | "b"'],
    ['several forms', { anyOf: [{ type: 'integer' }, { type: 'null' }] }, 'number | null'],
    ['several types', { type: ['string', 'null'] }, 'string | null'],
    ['a list of several forms', { type: 'array', items: { type: ['string', 'null'] } }, '(string | null)[]'],
    ['a map', { type: 'object', additionalProperties: { type: 'number' } }, 'Record<string, number>'],
    ['anything', {}, 'unknown'],
    [
      'an object with an optional field',
      {
        type: 'object',
        properties: { a: { type: 'boolean' }, b: { type: 'string', description: 'Of b.' } },
        required: ['a'],
      },
      '{\n  a: boolean;\n  /** Of b. */\n  b?: string | undefined;\n}',
    ],
  ])('of %s', (_case, schema, type) => {
    expect(typeOf(schema)).toBe(type);
  });
});
