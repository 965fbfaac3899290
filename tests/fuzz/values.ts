import type { JsonSchema } from '@cds/contracts';
import fc from 'fast-check';

/** Values of the fuzzer: what a schema takes, what stands next to its bounds, and what nobody should send. */

const DAY_MS = 86_400_000;
const dayFrom = (days: number): string => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);

/** Replaced when sent: an id of the sender's sandbox, or with `victim.` of another brand's. */
const IDS = [
  '{{campaigns.id}}',
  '{{plans.id}}',
  '{{lines.line_id}}',
  '{{lines.id}}',
  '{{orders.id}}',
  '{{receipts.id}}',
  '{{creators.id}}',
  '{{units.unit_id}}',
  '{{victim.campaigns.id}}',
  '{{victim.plans.id}}',
  '{{victim.lines.id}}',
  '{{victim.orders.id}}',
  '{{victim.receipts.id}}',
] as const;

const HOSTILE: readonly unknown[] = [
  null,
  true,
  false,
  0,
  -1,
  1.5,
  1e308,
  -1e-320,
  2 ** 31,
  2 ** 53,
  '',
  ' ',
  '\u0000',
  'a\u0000b',
  '\u202egnp.exe',
  '\ud800',
  '\ufeff',
  '😀'.repeat(60),
  'e\u0301'.repeat(40),
  'x'.repeat(10_000),
  '\r\nSet-Cookie: a=b',
  '{"$gt":""}',
  { $gt: '' },
  { $where: 'sleep(1000)' },
  { $ne: null },
  [{ $exists: true }],
  '$where',
  '__proto__',
  'constructor',
  { constructor: { prototype: { polluted: true } } },
  JSON.parse('{"__proto__":{"polluted":true}}'),
  [],
  {},
  [[[[[]]]]],
  '../../../etc/passwd',
  '%00',
  '%',
  "' OR 1=1 --",
  '\x24{7*7}',
  '<script>alert(1)</script>',
  'NaN',
  'Infinity',
  '1e3',
  '0x10',
  '١٢',
  '2026-02-30',
  '9999-12-31',
  '0000-01-01',
  '+275760-09-13T00:00:00.000Z',
  '00000000-0000-0000-0000-000000000000',
];

/** Names that no operation takes, and those that objects of a language have by themselves. */
export const STRANGE_NAMES = [
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  '$where',
  'a.b',
  '',
  'x',
] as const;

export const hostile = (): fc.Arbitrary<unknown> => fc.constantFrom(...HOSTILE, ...IDS);

const numbers = (
  schema: JsonSchema,
  integer: boolean,
): { inside: fc.Arbitrary<number>; edge: fc.Arbitrary<number> } => {
  const min = Number(schema['minimum'] ?? schema['exclusiveMinimum'] ?? 0);
  const max = Number(schema['maximum'] ?? 1_000_000);
  const inside = integer
    ? fc.integer({ min: Math.ceil(min), max: Math.min(Math.floor(max), 2_147_483_647) })
    : fc
        .integer({ min: Math.ceil(min) * 100, max: Math.min(Math.floor(max) * 100, 2_147_483_647) })
        .map((n) => n / 100);
  return { inside, edge: fc.constantFrom(min - 1, min, max, max + 1, min + 0.001) };
};

const texts = (schema: JsonSchema): { inside: fc.Arbitrary<string>; edge: fc.Arbitrary<string> } => {
  const least = Number(schema['minLength'] ?? 0);
  const most = Number(schema['maxLength'] ?? 200);
  const inside =
    schema['format'] === 'uuid'
      ? fc.oneof(fc.constantFrom(...IDS), fc.uuid())
      : schema['format'] === 'date'
        ? fc.integer({ min: -2, max: 400 }).map(dayFrom)
        : schema['format'] === 'date-time'
          ? fc.integer({ min: -2, max: 400 }).map((days) => `${dayFrom(days)}T12:00:00.000Z`)
          : fc.string({ minLength: least, maxLength: Math.min(most, least + 60), unit: 'grapheme' });
  const edge = fc.constantFrom(Math.max(0, least - 1), least, most, most + 1).map((length) => 'x'.repeat(length));
  return { inside, edge };
};

/** A value for a field: mostly one that its schema takes, else one beside a bound, else a hostile one. */
export const valueFor = (schema: JsonSchema): fc.Arbitrary<unknown> => {
  const { inside, edge } = formsOf(schema);
  return fc.oneof(
    { weight: 7, arbitrary: inside },
    { weight: 2, arbitrary: edge },
    { weight: 2, arbitrary: hostile() },
  );
};

const isSchema = (value: unknown): value is JsonSchema => typeof value === 'object' && value !== null;

const formsOf = (schema: JsonSchema): { inside: fc.Arbitrary<unknown>; edge: fc.Arbitrary<unknown> } => {
  const forms = schema['anyOf'] ?? schema['oneOf'];
  if (Array.isArray(forms)) return { inside: fc.oneof(...forms.map(valueFor)), edge: hostile() };
  if (Array.isArray(schema['enum']))
    return {
      inside: fc.constantFrom(...schema['enum']),
      edge: fc
        .constantFrom(...schema['enum'])
        .map(String)
        .map((text) => text.toUpperCase()),
    };
  if ('const' in schema) return { inside: fc.constant(schema['const']), edge: hostile() };
  switch (schema['type']) {
    case 'integer':
      return numbers(schema, true);
    case 'number':
      return numbers(schema, false);
    case 'boolean':
      return { inside: fc.boolean(), edge: fc.constantFrom('true', 'false', 'yes', 1) };
    case 'string':
      return texts(schema);
    case 'array': {
      const item = isSchema(schema['items']) ? valueFor(schema['items']) : hostile();
      const most = Number(schema['maxItems'] ?? 8);
      return {
        inside: fc.array(item, { maxLength: 3 }),
        edge: fc.array(item, { minLength: most + 1, maxLength: most + 1 }),
      };
    }
    case 'object':
      return {
        inside: fieldsFor(isSchema(schema['properties']) ? schema['properties'] : {}, schema['required']),
        edge: hostile(),
      };
    default:
      return { inside: hostile(), edge: hostile() };
  }
};

/** An object of these fields: required ones nearly always, others often, and at times one that nobody takes. */
export const fieldsFor = (properties: JsonSchema, required: unknown): fc.Arbitrary<Record<string, unknown>> => {
  const needed = new Set(Array.isArray(required) ? required : []);
  const entries = Object.entries(properties).map(([name, schema]) =>
    fc
      .tuple(fc.integer({ min: 0, max: 99 }), valueFor(isSchema(schema) ? schema : {}))
      .map(([chance, value]): [string, unknown][] => (chance < (needed.has(name) ? 95 : 45) ? [[name, value]] : [])),
  );
  const strange = fc
    .tuple(fc.integer({ min: 0, max: 99 }), fc.constantFrom(...STRANGE_NAMES), hostile())
    .map(([chance, name, value]): [string, unknown][] => (chance < 6 ? [[name, value]] : []));
  return fc.tuple(...entries, strange).map((found) => Object.fromEntries(found.flat()));
};
