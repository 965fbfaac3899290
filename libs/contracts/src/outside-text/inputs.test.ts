import { describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { codePoints, lineInput } from '../input.js';
import { operations } from '../registry.js';
import { type TextKind, textKinds } from './kinds.js';

type Input = { at: string; schema: z.ZodType; kind: TextKind | 'formatted' | 'unknown' };

/** Every string in an input, with its place. A transformed one counts as what is sent. */
const stringsIn = (schema: z.core.$ZodType, at: string): Input[] => {
  const kind = textKinds.get(schema as z.ZodType)?.kind;
  if (kind !== undefined) return [{ at, schema: schema as z.ZodType, kind }];
  if (schema instanceof z.ZodObject)
    return Object.entries(schema.shape).flatMap(([name, inner]) => stringsIn(inner as z.ZodType, `${at}.${name}`));
  if (schema instanceof z.ZodArray) return stringsIn(schema.element, `${at}[]`);
  if (schema instanceof z.ZodUnion) return schema.options.flatMap((one) => stringsIn(one, at));
  if (schema instanceof z.ZodPipe) return stringsIn(schema.in instanceof z.ZodTransform ? schema.out : schema.in, at);
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault)
    return stringsIn(schema.unwrap(), at);
  if (schema instanceof z.ZodStringFormat) return [{ at, schema, kind: 'formatted' }];
  if (schema instanceof z.ZodString) return [{ at, schema, kind: 'unknown' }];
  const { type } = schema._zod.def;
  // A record's fields are read one by one by the operation, which checks each.
  const isNoText = ['number', 'int', 'boolean', 'enum', 'literal', 'record'].includes(type);
  return isNoText ? [] : [{ at: `${at} (${type})`, schema: schema as z.ZodType, kind: 'unknown' }];
};

const inputs = operations.flatMap(({ name, audience, params, query, body }) =>
  audience === 'internal'
    ? []
    : [params, query, body].flatMap((part) => (part === undefined ? [] : stringsIn(part, name))),
);
const of = (...kinds: Input['kind'][]) => inputs.filter(({ kind }) => kinds.includes(kind));

/** What a schema makes of a text; null when it refuses it. */
const taken = (schema: z.ZodType, text: string): unknown => {
  const { success, data } = schema.safeParse(text);
  return success ? data : null;
};

const UNSEEN = [
  '\u200B',
  '\u202E',
  '\u2066',
  '\u200D',
  '\u2060',
  '\u00AD',
  '\u2800',
  '\u3164',
  '\uFEFF',
  '\u{E0041}',
  '\uFE0F',
  '\u{E0121}',
  '\u{1D159}',
  '\0',
];

describe('every string that an operation takes from outside (docs/domain/requests.md#text)', () => {
  test('has a kind', () => {
    expect(inputs.length).toBeGreaterThan(200);
    expect(of('unknown').map(({ at }) => at)).toEqual([]);
  });

  test('shows all that it holds, when people read it', () => {
    const hiding = of('text', 'line', 'name', 'email', 'url', 'pattern', 'formatted', 'listed').flatMap(
      ({ at, schema }) =>
        UNSEEN.flatMap((unseen) => {
          const texts = [
            `Acme labs${unseen}gnp.exe`,
            `https://x.com/acme/status/1${unseen}2`,
            `a${unseen}b@acme.example`,
          ];
          return texts.some((text) => String(taken(schema, text)).includes(unseen)) ? [`${at}: ${escape(unseen)}`] : [];
        }),
    );
    expect(hiding).toEqual([]);
  });

  test('is blank without a character that somebody sees', () => {
    const blank = of('text', 'line', 'name', 'url', 'email').filter(({ schema }) => {
      const least = schema.meta()?.['minLength'];
      return ['\u200B\u200B', ' \u2800', '\uFE0F', '\u{1D159}', '\u0301\u200D'].some(
        (text) => taken(schema, text.repeat(5)) !== (least === 0 ? '' : null),
      );
    });
    expect(blank.map(({ at }) => at)).toEqual([]);
  });

  test('is composed before it is stored and measured', () => {
    const decomposed = of('text', 'line', 'name').filter(({ schema }) => {
      const most = Number(schema.meta()?.['maxLength']);
      return taken(schema, 'e\u0301'.repeat(most)) !== 'é'.repeat(most);
    });
    expect(decomposed.map(({ at }) => at)).toEqual([]);
  });
});

describe('text that people read', () => {
  const text = codePoints({ max: 80 });
  const line = lineInput({ max: 80 });

  test.each([
    ['a family', '👨‍👩‍👧‍👦 and 👩🏽‍💻'],
    ['a heart and a keycap', '❤️ 1️⃣ ❤️‍🔥'],
    ['the flag of Scotland', '🏴\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F}'],
    ['Persian', 'می‌خواهم کتاب‌ها را بخوانم'],
    ['Hindi and Sinhala', 'क्‍ष ශ්‍රී'],
    ['Hebrew and Arabic', 'שלום مرحبا'],
    ['Japanese with a variant', '葛\u{E0100}飾区'],
  ])('keeps %s as it is written', (_name, written) => {
    expect([taken(text, written), taken(line, written)]).toEqual([written, written]);
  });

  test.each([
    ['line breaks of every system', 'a\r\nb\rc\u2028d\u000Be', 'a\nb\nc\nd\ne'],
    ['joiners between Latin letters', 'ca\u200Dsi\u200Cno', 'casino'],
    ['a tail of tags', '🏴\u{E0067}\u{E0061}\u{E007F} hi\u{E0041}\u{E0042}', '🏴 hi'],
    ['a row of variation selectors', 'a\uFE00\uFE01\uFE02 ❤\uFE0F\uFE0F', 'a ❤️'],
    ['a message in selectors of forms', 'A\u{E0131}c\u{E0132}m1\uFE0F', 'Acm1'],
    ['marks of direction', '\u200Fשלום\u200E, \u2068Acme\u2069', 'שלום, Acme'],
    ['blank letters', 'Acme\u2800Labs\u3164Ltd\u{1D159}', 'Acme Labs Ltd'],
    ['colours of a terminal', '\u001B[31mred', '[31mred'],
  ])('is cleaned of %s', (_name, written, clean) => {
    expect(taken(text, written)).toBe(clean);
  });

  test.each([
    ['a direction override', 'Acme\u202Egnp.exe', 'must not contain characters that turn the text around'],
    ['a direction isolate', 'Acme \u2067x\u2069', 'must not contain characters that turn the text around'],
    ['a line separator', 'Acme\u2028Labs', 'must be on one line, without control characters'],
    ['a null', 'Acme\0', 'must be on one line, without control characters'],
  ])('on one line is refused with %s', (_name, written, message) => {
    expect(line.safeParse(written).error?.issues.map((issue) => issue.message)).toEqual([message]);
  });
});
