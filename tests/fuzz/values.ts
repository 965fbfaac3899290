import type { JsonSchema } from '@cds/contracts';
import fc from 'fast-check';

/** Values of the fuzzer: what a schema takes, what lies next to its bounds, and what nobody should send. */

const DAY_MS = 86_400_000;
const dayFrom = (days: number): string => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);
/** Mostly days of the launch windows of the world. */
const someDay = (): fc.Arbitrary<string> =>
  fc
    .oneof({ weight: 3, arbitrary: fc.integer({ min: 0, max: 26 }) }, fc.integer({ min: -40, max: 400 }))
    .map((days) => dayFrom(days));

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

/** The name of another brand's object, which nobody else may find. */
const VICTIMS = [
  'campaigns.id',
  'plans.id',
  'lines.id',
  'orders.id',
  'receipts.id',
  'keys.id',
  'webhooks.id',
  'members.id',
  'clients.id',
];

export const hostile = (): fc.Arbitrary<unknown> =>
  fc.constantFrom(...HOSTILE, ...VICTIMS.map((pool) => `{{victim.${pool}}}`));

/** The same objects of another brand. */
const victimsOf = (known: readonly unknown[]): string[] =>
  VICTIMS.filter((pool) => known.includes(`{{${pool}}}`)).map((pool) => `{{victim.${pool}}}`);

/** Values that the world has for a field, or that mean something there: `{{pool}}` is replaced when it is sent. */
export type Known = (field: string) => readonly unknown[];

/** Values that a schema takes, and those next to its bounds. */
type Forms = { inside: fc.Arbitrary<unknown>; edge: fc.Arbitrary<unknown> };

const numbers = (schema: JsonSchema, integer: boolean): Forms => {
  const min = Number(schema['minimum'] ?? schema['exclusiveMinimum'] ?? 0);
  const max = Number(schema['maximum'] ?? 1_000_000);
  const inside = integer
    ? fc.integer({ min: Math.ceil(min), max: Math.min(Math.floor(max), 2_147_483_647) })
    : fc
        .integer({ min: Math.ceil(min) * 100, max: Math.min(Math.floor(max) * 100, 2_147_483_647) })
        .map((n) => n / 100);
  return { inside, edge: fc.constantFrom(min - 1, min, max, max + 1, min + 0.001) };
};

const mailbox = (): fc.Arbitrary<string> => fc.nat(100_000).map((number) => `fuzz-${number}@people.example`);

const wellFormed = (schema: JsonSchema): fc.Arbitrary<string> => {
  const least = Number(schema['minLength'] ?? 0);
  const most = Number(schema['maxLength'] ?? 200);
  switch (schema['format']) {
    case 'uuid':
      return fc.uuid();
    case 'date':
      return someDay();
    case 'date-time':
      return someDay().map((day) => `${day}T12:00:00.000Z`);
    case 'email':
      return mailbox();
    default:
      return typeof schema['pattern'] === 'string'
        ? fc.stringMatching(new RegExp(schema['pattern'], 'u'))
        : fc.string({ minLength: least, maxLength: Math.min(most, least + 60), unit: 'grapheme' });
  }
};

/** Texts as people hide them or keyboards write them: lookalikes, turned around, decomposed, with what nobody sees. */
const DISGUISED: readonly string[] = [
  ...[
    'An online саsinо',
    'Αcme Ｌａｂｓ 𝐥𝐭𝐝',
    'c a s i n o',
    'Acme\u202Egnp.exe',
    '\u2067Acme\u2069 \u200Fx',
    'e\u0301'.repeat(30),
  ],
  ...[
    'Tu\u0308rkiye',
    '\u1112\u1161\u11AB',
    '\u200B\u2060\uFEFF',
    'ca\u00ADsi\u2800no\u3164',
    'a\u{E0041}\u{E0042}',
    '👩‍🚀 می‌خواهم',
  ],
  ...['https://xn--80ak6aa92e.com/', 'https://аррӏе.com/', 'https://x.com@evil.example/login', 'a\r\nb\u2028c\u0085d'],
];

const texts = (schema: JsonSchema): Forms => {
  const least = Number(schema['minLength'] ?? 0);
  const most = Number(schema['maxLength'] ?? 200);
  const edge = fc.constantFrom(Math.max(0, least - 1), least, most, most + 1).map((length) => 'x'.repeat(length));
  return { inside: wellFormed(schema), edge: fc.oneof(edge, fc.constantFrom(...DISGUISED)) };
};

/** How fields are drawn: `tame` ones have only values that their schemas take, and reach what lies behind. */
export type Draw = { known: Known; tame: boolean };

/** A value for a field: mostly one that its schema takes, else one next to a bound, else a hostile one. */
const valueFor = (schema: JsonSchema, field: string, draw: Draw): fc.Arbitrary<unknown> => {
  const { known, tame } = draw;
  const { inside, edge } = formsOf(schema, field, draw);
  const isWhole = schema['type'] !== 'array' && !isSchema(schema['properties']) && !Array.isArray(schema['enum']);
  const found = isWhole ? known(field) : [];
  const victims = victimsOf(found);
  const usual = [
    { weight: 8, arbitrary: inside },
    ...(found.length === 0 ? [] : [{ weight: 24, arbitrary: fc.constantFrom(...found) }]),
  ];
  if (tame) return fc.oneof(...usual);
  return fc.oneof(
    ...usual,
    ...(victims.length === 0 ? [] : [{ weight: 3, arbitrary: fc.constantFrom(...victims) }]),
    { weight: 2, arbitrary: edge },
    { weight: 2, arbitrary: hostile() },
    { weight: 1, arbitrary: fc.constant(null) },
  );
};

const isSchema = (value: unknown): value is JsonSchema => typeof value === 'object' && value !== null;

const formsOf = (schema: JsonSchema, field: string, draw: Draw): Forms => {
  const forms = schema['anyOf'] ?? schema['oneOf'];
  if (Array.isArray(forms))
    return { inside: fc.oneof(...forms.map((form) => valueFor(form, field, draw))), edge: hostile() };
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
    case 'null':
      return { inside: fc.constant(null), edge: hostile() };
    case 'integer':
      return numbers(schema, true);
    case 'number':
      return numbers(schema, false);
    case 'boolean':
      return { inside: fc.boolean(), edge: fc.constantFrom('true', 'false', 'yes', 1) };
    case 'string':
      return texts(schema);
    case 'array': {
      const item = isSchema(schema['items']) ? valueFor(schema['items'], field, draw) : hostile();
      const least = Number(schema['minItems'] ?? 0);
      const most = Number(schema['maxItems'] ?? 8);
      return {
        inside: fc.array(item, { minLength: Math.min(least, 3), maxLength: Math.min(most, least + 2) }),
        edge: fc.array(item, { minLength: most + 1, maxLength: most + 1 }),
      };
    }
    case 'object':
      return {
        inside: fieldsFor(isSchema(schema['properties']) ? schema['properties'] : {}, schema['required'], draw),
        edge: hostile(),
      };
    default:
      return { inside: hostile(), edge: hostile() };
  }
};

/** An object of these fields: required ones nearly always, others often, and at times one that nobody takes. */
export const fieldsFor = (
  properties: JsonSchema,
  required: unknown,
  draw: Draw,
): fc.Arbitrary<Record<string, unknown>> => {
  const needed = new Set(Array.isArray(required) ? required : []);
  // A cursor belongs to one list; an invented one hides the list.
  const drawn = Object.entries(properties).filter(
    ([name]) => !draw.tame || name !== 'cursor' || draw.known(name).length > 0,
  );
  const entries = drawn.map(([name, schema]) =>
    fc
      .tuple(fc.integer({ min: 0, max: 99 }), valueFor(isSchema(schema) ? schema : {}, name, draw))
      .map(([chance, value]): [string, unknown][] =>
        chance < (needed.has(name) ? (draw.tame ? 100 : 95) : 35) ? [[name, value]] : [],
      ),
  );
  const strange = fc
    .tuple(fc.integer({ min: 0, max: 99 }), fc.constantFrom(...STRANGE_NAMES), hostile())
    .map(([chance, name, value]): [string, unknown][] => (!draw.tame && chance < 6 ? [[name, value]] : []));
  return fc.tuple(...entries, strange).map((found) => Object.fromEntries(found.flat()));
};
