import type { JsonSchema } from '@cds/contracts';
import { type Call, type Document, type Field, resolved } from './calls.js';
import { isSchema } from './typescript.js';

/** Variables that a collection's scripts set before each request, because a fixed day or instant would pass. */
const BY_SCRIPT: Readonly<Record<string, string>> = {
  window_start: 'window_start',
  window_end: 'window_end',
  start: 'window_start',
  end: 'window_end',
  expires_at: 'expires_at',
  terms_fingerprint: 'terms_fingerprint',
  expected_total_cents: 'total_cents',
};

const NUMBERS: ReadonlySet<string> = new Set(['total_cents']);

/** Values by the name of a field, where the documents have no example and any value of its type would not do. */
const BY_NAME: Readonly<Record<string, unknown>> = {
  product: 'Orbit, an AI pair for founders',
  audience: 'startup founders and AI builders',
  moment: 'Orbit goes live on the first day of the window',
  budget_usd: 6_000,
  message: 'The quote of our last plan was easy to read.',
  text: 'The post is gone.',
  name: 'Spring launch',
  operation: 'inventory',
  match: 'ai-builders,startup-founders',
  q: 'AI',
  country: 'DE',
  kind: 'order.paid',
  language: 'English',
  status: 503,
};

/** Optional fields without which a request would be refused or do nothing. */
const NEEDED: Readonly<Record<string, readonly string[]>> = {
  // A company that has just signed up has no audience on file.
  create_campaign: ['audience'],
  rename_campaign: ['name'],
  sandbox_clock_advance: ['seconds'],
  sandbox_fault_arm: ['status'],
  sandbox_unit_set: ['price_cents'],
};

const variable = (name: string): string => `{{${name}}}`;

/** What the variable of a path's id is called: the `id` of a plan's operation is `plan_id`. */
const variableOf = (call: Call, name: string): string => {
  if (name !== 'id') return name;
  const [, resource = 'object'] = /\/([a-z-]+?)s?\/\{id\}/.exec(call.path) ?? [];
  return `${resource.replaceAll('-', '_')}_id`;
};

const formsOf = (schema: JsonSchema): JsonSchema[] =>
  Array.isArray(schema['anyOf']) ? schema['anyOf'].filter(isSchema) : [schema];

const ofType = (document: Document, schema: JsonSchema): unknown => {
  const whole = resolved(document, schema);
  if ('const' in whole) return whole['const'];
  if (Array.isArray(whole['enum'])) return whole['enum'][0];
  const [form = whole] = formsOf(whole);
  if (form !== whole) return ofType(document, form);
  switch (whole['type']) {
    case 'integer':
    case 'number':
      return Math.max(1, Number(whole['minimum'] ?? 1));
    case 'boolean':
      return true;
    case 'array':
      return isSchema(whole['items']) ? [ofType(document, whole['items'])] : [];
    default:
      return 'text';
  }
};

/** A value for a field: a variable of the collection for ids and times, else an example, else a value of its type. */
export const sampleField = (document: Document, call: Call, field: Field): unknown => {
  const isId = formsOf(resolved(document, field.schema)).some((form) => form['format'] === 'uuid');
  if (field.in === 'path' || isId) return variable(variableOf(call, field.name));
  const scripted = BY_SCRIPT[field.name];
  if (scripted !== undefined) return variable(scripted);
  const { enum: words } = resolved(document, field.schema);
  const named = words === undefined ? BY_NAME[field.name] : undefined;
  return call.example?.[field.name] ?? named ?? ofType(document, field.schema);
};

/** A body as text. Until its variables are filled in, it is valid JSON only if all of them are strings. */
export const bodyText = (body: Record<string, unknown>): string =>
  JSON.stringify(body, null, 2).replace(/"\{\{(\w+)\}\}"/g, (quoted, name: string) =>
    NUMBERS.has(name) ? variable(name) : quoted,
  );

/** The body of a request: the fields that it needs, and those of the documents' example. */
export const sampleBody = (document: Document, call: Call): Record<string, unknown> => {
  const shown = new Set([...Object.keys(call.example ?? {}), ...(NEEDED[call.operation.name] ?? [])]);
  const fields = call.fields.filter(
    ({ name, required, in: place }) => place === 'body' && (required || shown.has(name)),
  );
  return Object.fromEntries(fields.map((field) => [field.name, sampleField(document, call, field)]));
};
