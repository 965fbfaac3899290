import { describe, expect, test } from '@jest/globals';
import { toolInputSchema, toolOutputSchema } from './json-schema.js';
import { extensionTools, operationByName, toolOperations } from './registry.js';

const named = (name: string) => {
  const operation = operationByName(name);
  if (operation === undefined) throw new Error(`${name} is not declared`);
  return operation;
};

const everyKey = (value: unknown): string[] =>
  typeof value !== 'object' || value === null
    ? []
    : Object.entries(value).flatMap(([key, inner]) => [key, ...everyKey(inner)]);

const isSchema = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

/** The keywords of a schema and of those within it; names of fields are none. */
const keywordsOf = (schema: unknown): string[] =>
  !isSchema(schema)
    ? []
    : Object.entries(schema).flatMap(([keyword, inner]) => [
        keyword,
        ...(keyword === 'properties' ? Object.values(inner as object).flatMap(keywordsOf) : keywordsOf(inner)),
      ]);

/** How many levels of named fields a schema has. */
const levelsOf = (schema: unknown): number =>
  !isSchema(schema)
    ? 0
    : Math.max(
        0,
        ...Object.entries(schema).map(([keyword, inner]) =>
          keyword === 'properties' ? 1 + Math.max(0, ...Object.values(inner as object).map(levelsOf)) : levelsOf(inner),
        ),
      );

const tools = [...toolOperations(), ...extensionTools()].map((operation) => [operation.name, operation] as const);

describe.each(tools)('%s', (_name, operation) => {
  const input = toolInputSchema(operation);
  const output = toolOutputSchema(operation);

  test('takes a closed flat object', () => {
    expect(input).toMatchObject({ type: 'object', additionalProperties: false });
    expect(everyKey(input)).not.toContain('$ref');
  });

  test('requires an idempotency_key exactly if the operation does', () => {
    const required = (input['required'] ?? []) as string[];
    const properties = input['properties'] as Record<string, unknown>;
    expect(required.includes('idempotency_key')).toBe(operation.idempotency === 'required');
    expect('idempotency_key' in properties).toBe(operation.idempotency !== undefined);
  });

  test('returns an open object that requires nothing, two levels deep, without descriptions', () => {
    expect(output['type']).toBe('object');
    for (const key of ['additionalProperties', 'required', 'description', '$ref', '$defs'])
      expect(keywordsOf(output)).not.toContain(key);
    expect(levelsOf(output)).toBeLessThanOrEqual(2);
  });

  test('takes a view exactly if it declares what a brief answer keeps', () => {
    const properties = input['properties'] as Record<string, unknown>;
    expect('view' in properties).toBe(operation.tool.brief !== undefined);
  });

  test('contains nothing internal', () => {
    const text = JSON.stringify([input, output]);
    expect(text).not.toContain('9007199254740991');
    expect(text).not.toMatch(/"disclosure":"(public|redacted|paid)"/);
    expect(text).not.toMatch(/"format":"(uuid|date|date-time)","pattern"/);
  });
});

test('a query is published in its typed form', () => {
  expect(toolInputSchema(named('creators_search'))['properties']).toMatchObject({
    limit: { type: 'integer', minimum: 1, maximum: 50 },
    fit: { type: 'boolean' },
    er_min: { type: 'number', minimum: 0, maximum: 100 },
    q: { type: 'string', minLength: 1, maxLength: 100 },
  });
});

test('a field with an alias is required under neither name', () => {
  const schema = toolInputSchema(named('creator_get'));
  expect(Object.keys(schema['properties'] as object)).toEqual(['id', 'match', 'campaign_id', 'creator_id', 'view']);
  expect(schema['required']).toBeUndefined();
});

test('an ignored field is accepted and marked as deprecated', () => {
  expect(toolInputSchema(named('approve_plan'))['properties']).toMatchObject({
    confirm_over_budget_cents: { deprecated: true },
  });
});

test('a part that is the whole answer of another tool is named, and outlined only there', () => {
  const edited = toolOutputSchema(named('plan_swap_creator'))['properties'] as Record<string, unknown>;
  expect(edited['plan']).toEqual({ type: 'object', title: 'Quote' });
  expect(toolOutputSchema(named('plan_quote'))).toMatchObject({
    title: 'Quote',
    properties: {
      terms_fingerprint: { type: 'string' },
      over_budget: { type: ['object', 'null'] },
      lines: { type: 'array', items: { type: 'object', properties: { id: {}, price_cents: {} } } },
    },
  });
});

test('an answer with two forms is an object of either', () => {
  const schema = toolOutputSchema(named('brain_get'));
  expect(schema['type']).toBe('object');
  expect(schema['anyOf']).toHaveLength(2);
});
