import { table } from './document.js';

export type Schema = {
  $ref?: string;
  type?: string | string[];
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  enum?: unknown[];
  const?: unknown;
  format?: string;
  description?: string;
  deprecated?: boolean;
  default?: unknown;
  examples?: unknown[];
  example?: unknown;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
};

export type Schemas = Readonly<Record<string, Schema>>;

const NAMED = '#/components/schemas/';

export const refOf = ({ $ref }: Schema): string | undefined =>
  $ref?.startsWith(NAMED) ? $ref.slice(NAMED.length) : undefined;

/** A schema, or the one that it names. */
export const resolved = (schema: Schema, schemas: Schemas): Schema => {
  const ref = refOf(schema);
  return ref === undefined ? schema : (schemas[ref] ?? {});
};

export const choicesOf = (schema: Schema): Schema[] | undefined => schema.anyOf ?? schema.oneOf ?? schema.allOf;

/** Whether a named schema is an object, or a choice of objects, with a page of its own; others are values. */
export const hasPage = (schema: Schema): boolean =>
  schema.properties !== undefined ||
  (choicesOf(schema)?.some((one) => one.properties !== undefined || one.$ref) ?? false);

const counted = (min: number | undefined, max: number | undefined, what: string): string => {
  if (max !== undefined && max < Number.MAX_SAFE_INTEGER)
    return min === undefined ? `at most ${max}${what}` : `${min} to ${max}${what}`;
  return min === undefined || (min === 0 && what !== '') ? '' : `at least ${min}${what}`;
};

const boundsOf = (schema: Schema): string => {
  const { minimum, maximum, exclusiveMinimum, minLength, maxLength } = schema;
  const above = exclusiveMinimum === undefined ? '' : `above ${exclusiveMinimum}`;
  return [above, counted(minimum, maximum, ''), counted(minLength, maxLength, ' characters')]
    .filter((part) => part !== '')
    .join(', ');
};

const literal = (value: unknown): string => (value === null ? 'null' : `\`${String(value)}\``);

/** The type of a schema in words, with links to the pages of resources. */
export const typeOf = (schema: Schema, schemas: Schemas): string => {
  const ref = refOf(schema);
  if (ref !== undefined) {
    const named = schemas[ref];
    if (named === undefined) return ref;
    return hasPage(named) ? `[${ref}](/docs/resources/${ref})` : typeOf(named, schemas);
  }
  const choices = choicesOf(schema);
  if (choices !== undefined) return [...new Set(choices.map((one) => typeOf(one, schemas)))].join(' or ');
  if (schema.const !== undefined) return literal(schema.const);
  if (schema.enum !== undefined) return schema.enum.map(literal).join(', ');
  if (schema.items !== undefined) return `list of ${typeOf(schema.items, schemas)}`;
  if (typeof schema.additionalProperties === 'object' && schema.properties === undefined)
    return `object of ${typeOf(schema.additionalProperties, schemas)}`;
  const types = [schema.type ?? 'any value'].flat().map((type) => (type === 'string' ? (schema.format ?? type) : type));
  const bounds = boundsOf(schema);
  return `${types.join(' or ')}${bounds === '' ? '' : `, ${bounds}`}`;
};

type Row = { name: string; schema: Schema; required: boolean };

const DEPTH = 3;

/** The object that a schema holds inline: itself, the one choice besides null, or the items of a list. */
const inlineOf = (schema: Schema): { inside: Schema; mark: string } | undefined => {
  if (schema.properties !== undefined) return { inside: schema, mark: '' };
  if (schema.items?.properties !== undefined) return { inside: schema.items, mark: '[]' };
  const objects = choicesOf(schema)?.filter((one) => one.properties !== undefined) ?? [];
  const [only] = objects;
  return objects.length === 1 && only !== undefined ? { inside: only, mark: '' } : undefined;
};

const rowsOf = (schema: Schema, prefix: string, depth: number): Row[] =>
  Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const inline = depth < DEPTH ? inlineOf(field) : undefined;
    const row = { name: `${prefix}${name}`, schema: field, required: schema.required?.includes(name) ?? false };
    return inline === undefined ? [row] : [row, ...rowsOf(inline.inside, `${prefix}${name}${inline.mark}.`, depth + 1)];
  });

const meaningOf = (schema: Schema, schemas: Schemas): string => {
  const ref = refOf(schema);
  const own = schema.description ?? (ref === undefined ? undefined : schemas[ref]?.description) ?? '';
  const fallback = schema.default === undefined ? '' : ` Default: ${literal(schema.default)}.`;
  return `${schema.deprecated === true ? '**Deprecated.** ' : ''}${own}${fallback}`.trim();
};

/** The fields of an object; of one that is `sent`, whether each is required. */
export const fieldsTable = (schema: Schema, schemas: Schemas, sent: boolean): string =>
  table(
    ['Field', 'Type', ...(sent ? ['Required'] : []), 'Meaning'],
    rowsOf(schema, '', 1).map((row) => [
      `\`${row.name}\``,
      typeOf(row.schema, schemas),
      ...(sent ? [row.required ? 'yes' : 'no'] : []),
      meaningOf(row.schema, schemas),
    ]),
  );

const VALUES: Readonly<Record<string, unknown>> = {
  uuid: '7c6b5a4d-1e0f-4a9b-8c7d-6e5f4a3b2c1d',
  'date-time': '2026-11-22T14:03:43.000Z',
  date: '2026-12-10',
  uri: 'https://cds.example/',
  email: 'ada@cds.example',
  integer: 1,
  number: 1,
  boolean: true,
  null: null,
  string: 'text',
};

/** A value of a schema's form: its own example, or one of its type. What is sent has no optional fields. */
export const sampleOf = (schema: Schema, schemas: Schemas, sent: boolean, depth = 0): unknown => {
  const own = schema.example ?? schema.examples?.[0] ?? schema.default ?? schema.const ?? schema.enum?.[0];
  if (own !== undefined) return own;
  if (refOf(schema) !== undefined) return sampleOf(resolved(schema, schemas), schemas, sent, depth);
  const [choice] = choicesOf(schema) ?? [];
  if (choice !== undefined) return sampleOf(choice, schemas, sent, depth);
  if (schema.properties !== undefined) {
    if (depth > 4) return {};
    return Object.fromEntries(
      Object.entries(schema.properties)
        .filter(([name]) => !sent || schema.required?.includes(name))
        .map(([name, field]) => [name, sampleOf(field, schemas, sent, depth + 1)]),
    );
  }
  if (schema.items !== undefined) return depth > 4 ? [] : [sampleOf(schema.items, schemas, sent, depth + 1)];
  const [type = 'object'] = [schema.type ?? 'object'].flat();
  if (type === 'object') return {};
  if (type === 'string' && schema.format === undefined && (schema.minLength ?? 0) > 4)
    return 'text'.padEnd(schema.minLength ?? 4, '.');
  const value = VALUES[schema.format ?? type] ?? VALUES[type] ?? null;
  return typeof value === 'number' ? Math.max(value, schema.minimum ?? value) : value;
};
