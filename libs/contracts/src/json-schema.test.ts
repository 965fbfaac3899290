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

  test('returns an open object whose references all resolve', () => {
    expect(output['type']).toBe('object');
    expect(everyKey(output)).not.toContain('additionalProperties');
    const text = JSON.stringify(output);
    const defined = Object.keys((output['$defs'] ?? {}) as object);
    for (const [, name] of text.matchAll(/"#\/\$defs\/([A-Za-z]+)"/g)) expect(defined).toContain(name);
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
  expect(Object.keys(schema['properties'] as object)).toEqual(['id', 'creator_id']);
  expect(schema['required']).toBeUndefined();
});

test('an ignored field is accepted and marked as deprecated', () => {
  expect(toolInputSchema(named('approve_plan'))['properties']).toMatchObject({
    confirm_over_budget_cents: { deprecated: true },
  });
});

test('an answer with two forms is an object of either', () => {
  const schema = toolOutputSchema(named('brain_get'));
  expect(schema['type']).toBe('object');
  expect(schema['anyOf']).toHaveLength(2);
});
