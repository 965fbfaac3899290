import { z } from 'zod';
import type { OperationDeclaration } from './operation.js';

/** A JSON Schema (2020-12) as data. */
export type JsonSchema = { [key: string]: unknown };

/** The keys of our own that zod copies from a schema's metadata and that no reader of the documents needs. */
const OWN_KEYS = ['disclosure', 'id'] as const;

/** Formats that say all that zod's long patterns say. */
const SAID_BY_FORMAT: ReadonlySet<unknown> = new Set(['uuid', 'date', 'date-time', 'uri']);

/** Takes off what says nothing to a reader: own marks, patterns that a format repeats, bounds of safe integers. */
export const tidy = (schema: JsonSchema): void => {
  for (const key of OWN_KEYS) if (typeof schema[key] === 'string') delete schema[key];
  if (SAID_BY_FORMAT.has(schema['format'])) delete schema['pattern'];
  if (schema['maximum'] === Number.MAX_SAFE_INTEGER) delete schema['maximum'];
  if (schema['minimum'] === Number.MIN_SAFE_INTEGER) delete schema['minimum'];
};

/** The part of a request or answer as a reader sends or gets it, open unless the declaration closes it. */
const rendered = (schema: z.ZodType): JsonSchema => {
  const { $schema: _, ...whole }: JsonSchema = z.toJSONSchema(schema, {
    io: 'input',
    target: 'draft-2020-12',
    unrepresentable: 'any',
    override: ({ jsonSchema }) => tidy(jsonSchema),
  });
  return unwrapped(inlined(whole));
};

/** A named root as itself: zod writes it as a reference into $defs, which hides its properties. */
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

/** Writes the named value types (Uuid, Cents, ...) in place; only objects stay under $defs. */
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

/** The grammar of an Idempotency-Key (spec, "Limits"). */
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
      ? 'Make a new random value for each new request, such as a UUID; send the same value again to retry the same request, which never runs twice.'
      : 'Optional; with it the same request sent again runs once.',
});

/**
 * The input schema of a tool: params, query and body flat, named as in REST, closed, with `idempotency_key` for writes
 * (domain 4-doors 14). A field with another accepted name is required under neither name, since either one will do.
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
      description: `Another name for ${field}; send one of the two.`,
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
 * The output schema of a tool: open, so that a field added later breaks no strict client, and always of type object, as
 * the protocol asks, also where the answer is one of several forms.
 */
export const toolOutputSchema = (operation: OperationDeclaration): JsonSchema => ({
  ...rendered(operation.output),
  type: 'object',
});
