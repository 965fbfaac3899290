import { z } from 'zod';
import type { OperationDeclaration } from './operation.js';

/** A JSON Schema (2020-12) as data. */
export type JsonSchema = { [key: string]: unknown };

/** Keys of our own metadata, which zod copies into the schema and readers do not need. */
const INTERNAL_KEYS = ['disclosure', 'id'] as const;

/** Formats that make zod's long patterns redundant. */
const SELF_EXPLAINING_FORMATS: ReadonlySet<unknown> = new Set(['uuid', 'date', 'date-time', 'uri']);

/** Removes what a reader does not need: internal keys, patterns that a format implies, bounds of safe integers. */
export const stripInternals = (schema: JsonSchema): void => {
  for (const key of INTERNAL_KEYS) if (typeof schema[key] === 'string') delete schema[key];
  if (SELF_EXPLAINING_FORMATS.has(schema['format'])) delete schema['pattern'];
  if (schema['maximum'] === Number.MAX_SAFE_INTEGER) delete schema['maximum'];
  if (schema['minimum'] === Number.MIN_SAFE_INTEGER) delete schema['minimum'];
};

/** A part of a request or an answer as JSON Schema, open unless the declaration closes it. */
const rendered = (schema: z.ZodType): JsonSchema => {
  const { $schema: _, ...whole }: JsonSchema = z.toJSONSchema(schema, {
    io: 'input',
    target: 'draft-2020-12',
    unrepresentable: 'any',
    override: ({ jsonSchema }) => stripInternals(jsonSchema),
  });
  return unwrapped(inlined(whole));
};

/** Replaces a named root by its definition, because zod writes it as a reference that hides its properties. */
const unwrapped = (whole: JsonSchema): JsonSchema => {
  const { $ref, $defs, ...rest } = whole;
  if (typeof $ref !== 'string' || !isSchema($defs)) return whole;
  const { [$ref.replace(DEFS, '')]: root, ...others } = $defs;
  return {
    ...(isSchema(root) ? root : {}),
    ...rest,
    ...(Object.keys(others).length === 0 ? {} : { $defs: others }),
  };
};

const DEFS = '#/$defs/';

const isSchema = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Inlines the named value types (Uuid, Cents, ...); only objects stay under $defs. */
const inlined = (whole: JsonSchema): JsonSchema => {
  const { $defs, ...root } = whole;
  const defs = isSchema($defs) ? $defs : {};
  const place = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(place);
    if (!isSchema(value)) return value;
    const target = typeof value['$ref'] === 'string' ? defs[value['$ref'].replace(DEFS, '')] : undefined;
    if (isSchema(target) && target['type'] !== 'object' && target['anyOf'] === undefined) {
      const { $ref: _, ...rest } = value;
      return { ...target, ...rest };
    }
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, place(inner)]));
  };
  const placed = place(root);
  const kept = Object.entries(defs).filter(([, def]) => isSchema(def) && (def['type'] === 'object' || 'anyOf' in def));
  return {
    ...(isSchema(placed) ? placed : {}),
    ...(kept.length === 0 ? {} : { $defs: Object.fromEntries(kept.map(([name, def]) => [name, place(def)])) }),
  };
};

/** The grammar of an Idempotency-Key (docs/specification.md#limits). */
const IDEMPOTENCY_KEY: JsonSchema = {
  type: 'string',
  minLength: 8,
  maxLength: 128,
  pattern: '^[A-Za-z0-9._:-]+$',
};

const keyOf = (operation: OperationDeclaration): JsonSchema => ({
  ...IDEMPOTENCY_KEY,
  description:
    operation.idempotency === 'required'
      ? 'A random value, such as a UUID, that is new for each request. To retry a request, send the same value: the request runs only once.'
      : 'Optional. With the same value, a repeated request runs only once.',
});

/**
 * The input schema of a tool: params, query and body as one closed object, named as in REST, with `idempotency_key` for
 * writes (docs/domain/access.md#mcp). A field with an alias is required under neither name, since either will do.
 */
export const toolInputSchema = (operation: OperationDeclaration): JsonSchema => {
  const properties: JsonSchema = {};
  const required: string[] = [];
  for (const part of [operation.params, operation.query, operation.body]) {
    if (part === undefined) continue;
    const schema = rendered(part);
    Object.assign(properties, schema['properties']);
    if (Array.isArray(schema['required'])) required.push(...schema['required']);
  }
  for (const field of operation.ignored ?? []) {
    properties[field] = { deprecated: true, description: 'Accepted and ignored.' };
  }
  const also = Object.entries(operation.tool?.also ?? {});
  for (const [alias, field] of also) {
    const named = properties[field];
    properties[alias] = {
      ...(isSchema(named) ? named : {}),
      description: `Alias of ${field}. Send only one of them.`,
    };
  }
  if (operation.idempotency !== undefined) properties['idempotency_key'] = keyOf(operation);
  if (operation.idempotency === 'required') required.push('idempotency_key');
  const eitherName = new Set(also.map(([, field]) => field));
  const demanded = required.filter((field) => !eitherName.has(field));
  return {
    type: 'object',
    properties,
    ...(demanded.length === 0 ? {} : { required: demanded }),
    additionalProperties: false,
  };
};

/**
 * The output schema of a tool. It is open, so that a field added later breaks no strict client, and always of type
 * object, as the protocol requires, even for an answer with several forms.
 */
export const toolOutputSchema = (operation: OperationDeclaration): JsonSchema => ({
  ...rendered(operation.output),
  type: 'object',
});
