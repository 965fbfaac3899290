import { describe, expect, test } from '@jest/globals';
import { parseBody } from './body.js';

const JSON_TYPE = ['application/json'];
const parse = (text: string | Buffer, types: string[] = JSON_TYPE, encoding: string[] = []) =>
  parseBody(Buffer.from(text), types, encoding);

describe('the body of a request (docs/domain/requests.md#every-request)', () => {
  test.each([
    ['an object', '{"a":1}', JSON_TYPE, { a: 1 }],
    ['an empty body equals {}', '', [], {}],
    ['an empty body of any type', '', ['text/plain'], {}],
    ['a charset in any case', '{}', ['Application/JSON; Charset="UTF-8"'], {}],
    ['another parameter', '{}', ['application/json; profile=x'], {}],
    ['64 levels', `{"a":${'['.repeat(63)}${']'.repeat(63)}}`, JSON_TYPE, { a: expect.any(Array) }],
  ])('%s', (_name, text, types, fields) => {
    expect(parse(text, types)).toEqual({ fields });
  });

  test.each([
    ['no content type', '{}', [], 'content-type'],
    ['two content types', '{}', ['application/json', 'application/json'], 'content-type'],
    ['another type', '{}', ['text/plain'], 'content-type'],
    ['a JSON-based type', '{}', ['application/vnd.api+json'], 'content-type'],
    ['another charset', '{}', ['application/json; charset=latin1'], 'content-type'],
    ['broken JSON', '{', JSON_TYPE, 'body'],
    ['blanks', '  ', JSON_TYPE, 'body'],
    ['an array', '[]', JSON_TYPE, 'body'],
    ['null', 'null', JSON_TYPE, 'body'],
    ['a number', '1', JSON_TYPE, 'body'],
    ['an object of 65 levels', `${'{"a":'.repeat(65)}1${'}'.repeat(65)}`, JSON_TYPE, 'body'],
    ['a list of thousands of levels', `{"a":${'['.repeat(30_000)}${']'.repeat(30_000)}}`, JSON_TYPE, 'body'],
  ])('%s is a problem', (_name, text, types, field) => {
    expect(parse(text, types)).toEqual({ problem: { field, message: expect.any(String) } });
  });

  test('bytes that are not UTF-8 are a problem', () => {
    expect(parse(Buffer.from([0x22, 0xff, 0x22]))).toEqual({ problem: expect.objectContaining({ field: 'body' }) });
  });

  test('a compressed body is a problem', () => {
    expect(parse('{}', JSON_TYPE, ['gzip'])).toEqual({
      problem: expect.objectContaining({ field: 'content-encoding' }),
    });
  });

  test('a body that is too large is a problem', () => {
    expect(parseBody(null, JSON_TYPE, [])).toEqual({ problem: { field: 'body', message: 'must be at most 64 KiB' } });
  });

  test('is CSV text only where the operation takes it, and may then be larger', () => {
    const csv = { field: 'csv', maxBytes: 2_048 };
    const of = (text: string | Buffer | null, type: string) =>
      parseBody(text === null ? null : Buffer.from(text), [type], [], csv);
    expect(of('a,b\n1,2', 'text/csv; header=present')).toEqual({ fields: { csv: 'a,b\n1,2' } });
    expect(of('{"views":1}', 'application/json')).toEqual({ fields: { views: 1 } });
    expect(of(Buffer.from([0xff]), 'text/csv')).toEqual({
      problem: { field: 'body', message: 'must be CSV in UTF-8' },
    });
    expect(of('x', 'text/plain')).toMatchObject({ problem: { message: expect.stringContaining('or text/csv') } });
    expect(of(null, 'text/csv')).toMatchObject({ problem: { message: 'must be at most 2 KiB' } });
    expect(parse('a,b', ['text/csv'])).toMatchObject({ problem: { field: 'content-type' } });
  });
});
