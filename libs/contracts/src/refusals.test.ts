import { describe, expect, test } from '@jest/globals';
import { refusalsOf } from './refusals.js';
import { operationByName, operations } from './registry.js';

const codesOf = (name: string): string[] => {
  const operation = operationByName(name);
  if (operation === undefined) throw new Error(`no operation ${name}`);
  return refusalsOf(operation).flatMap(({ codes }) => codes);
};

/** docs/specification.md#errors */
describe('the refusals of an operation', () => {
  const uploads = operations.filter(({ upload }) => upload !== undefined).map(({ name }) => [name] as const);
  test.each(uploads)('of %s include a file that cannot be read', (name) => {
    expect(codesOf(name)).toContain('unprocessable');
  });

  test('of campaign_send include a brief that lacks fields', () => {
    expect(codesOf('campaign_send')).toContain('unprocessable');
  });

  test('of a read without a body do not include wrong values', () => {
    expect(codesOf('ops_creator_get')).not.toContain('unprocessable');
  });
});
