import { type Call, callsOf, type Document, type Field } from './calls.js';
import { sampleBody, sampleField } from './samples.js';

/** A request of a collection, whatever the program that reads it. */
export type CollectionRequest = {
  name: string;
  folder: string;
  description: string;
  method: string;
  path: string;
  keyed: boolean;
  write: boolean;
  params: readonly { name: string; value: string }[];
  query: readonly { name: string; description: string; example: string }[];
  body: Record<string, unknown> | undefined;
  answer: { status: number; body: unknown } | undefined;
};

export const COLLECTION = {
  name: 'Creator Distribution Service',
  description:
    'Every public operation. Set the variables url and key; a key of a sandbox begins with cds_test_. Each write carries a new Idempotency-Key, or the one in the variable repeat_key. Ids, fingerprint and total of the last quote, and days are variables that the scripts of the collection fill from the answers.',
} as const;

/** The variables with their first values; the scripts set those that are empty. */
export const VARIABLES: readonly (readonly [name: string, value: string])[] = [
  ['url', 'http://localhost:8080'],
  ['key', ''],
  ['repeat_key', ''],
];

/** Before each request: days and instants ahead, and the Idempotency-Key. `get` and `set` are the program's own. */
const PRE_REQUEST = [
  'const dayAhead = (days) => new Date(Date.now() + days * 86400000).toISOString();',
  "set('window_start', dayAhead(7).slice(0, 10));",
  "set('window_end', dayAhead(28).slice(0, 10));",
  "set('expires_at', dayAhead(30));",
  "set('idempotency_key', get('repeat_key') || random());",
];

/** After each answer: the ids, and the fingerprint and total of a quote, that the next requests need. */
const POST_RESPONSE = [
  "const body = typeof answer === 'object' && answer !== null ? answer : {};",
  'const plan = body.plan || body;',
  'const line = (plan.lines || [])[0] || {};',
  'const creator = (body.creators || [])[0] || {};',
  'const unit = (body.offerings || creator.offerings || []).find((one) => one.buyable) || {};',
  'const found = {',
  '  plan_id: plan.plan_id || (body.plan || {}).id,',
  '  campaign_id: body.campaign_id || plan.campaign_id || ((body.campaigns || [])[0] || {}).id,',
  '  terms_fingerprint: plan.terms_fingerprint,',
  '  total_cents: plan.terms_fingerprint && plan.total_cents,',
  '  line_id: line.id,',
  '  order_id: body.order_id || ((body.orders || [])[0] || {}).id,',
  '  receipt_id: body.receipt_id || (body.error || {}).receipt_id,',
  '  creator_id: creator.id,',
  '  unit_id: unit.unit_id,',
  '};',
  'for (const [name, value] of Object.entries(found)) if (value) set(name, value);',
];

export const scriptsOf = (names: { get: string; set: string; random: string; answer: string }) => ({
  before: [`const get = ${names.get};`, `const set = ${names.set};`, `const random = ${names.random};`, ...PRE_REQUEST],
  after: [`const set = ${names.set};`, `const answer = ${names.answer};`, ...POST_RESPONSE],
});

const queryOf = (document: Document, call: Call, field: Field) => ({
  name: field.name,
  description: String(field.schema['description'] ?? ''),
  example: String(sampleField(document, call, field)),
});

export const requestsOf = (document: Document): CollectionRequest[] =>
  callsOf(document).map((call) => {
    const { operation, path, fields } = call;
    return {
      name: operation.name,
      folder: call.area,
      description: call.description,
      method: operation.rest.method,
      path,
      keyed: operation.scope !== null,
      write: operation.idempotency !== undefined,
      params: fields
        .filter((field) => field.in === 'path')
        .map((field) => ({ name: field.name, value: String(sampleField(document, call, field)) })),
      query: fields.filter((field) => field.in === 'query').map((field) => queryOf(document, call, field)),
      body: operation.body === undefined ? undefined : sampleBody(document, call),
      answer:
        call.answerExample === undefined ? undefined : { status: operation.success ?? 200, body: call.answerExample },
    };
  });

export const foldersOf = (requests: readonly CollectionRequest[]): Map<string, CollectionRequest[]> => {
  const folders = new Map<string, CollectionRequest[]>();
  for (const request of requests) folders.set(request.folder, [...(folders.get(request.folder) ?? []), request]);
  return folders;
};
