import { z } from 'zod';
import { VIEWS } from './brief.js';
import type { OperationDeclaration } from './operation.js';

export type JsonSchema = { [key: string]: unknown };

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

/** The answers of tools that the answers of others repeat. */
const ANSWERS: ReadonlySet<string> = new Set(['Quote']);

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

/** The answer that refuses a key gives the grammar, and so do the documents of REST. */
const IDEMPOTENCY_KEY: JsonSchema = {
  type: 'string',
  description: 'A new random UUID for each request. Send the same one again only to retry: the request runs once.',
};

const OPTIONAL_KEY: JsonSchema = {
  type: 'string',
  description: 'Optional UUID. A request sent again with the same one runs once.',
};

const VIEW: JsonSchema = {
  type: 'string',
  enum: VIEWS,
  description: 'brief: only what you need to decide, in far fewer tokens. Default: full.',
};

/** The input schema of a tool: one closed object (docs/domain/mcp.md#mcp). A field with an alias is not required. */
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
  if (operation.tool?.brief !== undefined) properties['view'] = VIEW;
  if (operation.idempotency !== undefined)
    properties['idempotency_key'] = operation.idempotency === 'required' ? IDEMPOTENCY_KEY : OPTIONAL_KEY;
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

const OUTPUT_LEVELS = 2;

const targetOf = (schema: JsonSchema): string | undefined =>
  typeof schema['$ref'] === 'string' ? schema['$ref'].replace(DEFS, '') : undefined;

const isNull = (schema: JsonSchema): boolean => schema['type'] === 'null';

const jsonTypeOf = (schema: JsonSchema): unknown =>
  schema['type'] ?? ('const' in schema ? typeof schema['const'] : 'object');

/** One schema with its fields, `levels` deep. Several forms other than null are listed at the root alone. */
const outlined = (schema: JsonSchema, defs: JsonSchema, levels: number): JsonSchema => {
  if (levels === 0) return {};
  const target = targetOf(schema);
  if (target !== undefined) {
    const named = defs[target];
    const isAnswer = levels < OUTPUT_LEVELS && ANSWERS.has(target);
    return isAnswer ? { type: 'object', title: target } : outlined(isSchema(named) ? named : {}, defs, levels);
  }
  if (Array.isArray(schema['anyOf'])) {
    const forms = schema['anyOf'].filter(isSchema);
    const [first, ...others] = forms.filter((form) => !isNull(form)).map((form) => outlined(form, defs, levels));
    if (first === undefined || others.length > 0) return levels === OUTPUT_LEVELS ? { anyOf: [first, ...others] } : {};
    return forms.length === 1 ? first : { ...first, type: [first['type'], 'null'] };
  }
  const type = jsonTypeOf(schema);
  if (isSchema(schema['properties'])) return { type, properties: fieldsOf(schema['properties'], defs, levels) };
  return isSchema(schema['items']) ? { type, items: outlined(schema['items'], defs, levels) } : { type };
};

const fieldsOf = (properties: JsonSchema, defs: JsonSchema, levels: number): JsonSchema =>
  Object.fromEntries(
    Object.entries(properties).map(([name, field]) => [name, isSchema(field) ? outlined(field, defs, levels - 1) : {}]),
  );

/**
 * The output schema of a tool (docs/domain/mcp.md#mcp): fields and types, nested ones by name alone. Nothing is
 * required or forbidden, so that brief answers and later fields fit. Another tool's whole answer is named by `title`.
 */
export const toolOutputSchema = (operation: OperationDeclaration): JsonSchema => {
  const { $defs, ...whole } = rendered(operation.output);
  const name = operation.output.meta()?.id;
  return {
    ...(name !== undefined && ANSWERS.has(name) ? { title: name } : {}),
    ...outlined(whole, isSchema($defs) ? $defs : {}, OUTPUT_LEVELS),
    type: 'object',
  };
};
