import type { z } from 'zod';
import type { Disclosure } from './fields.js';

/** A string somewhere in a shape: its path, and who may see it, or null if it has no mark. */
type FoundString = { path: string; disclosure: Disclosure | null };

/** Formats that contain no words and need no mark. */
const WORDLESS: ReadonlySet<string> = new Set(['uuid', 'datetime', 'date']);

const DISCLOSURES: ReadonlySet<unknown> = new Set<Disclosure>(['public', 'redacted', 'paid']);

const isDisclosure = (value: unknown): value is Disclosure => DISCLOSURES.has(value);

const markOf = (schema: z.ZodType): Disclosure | null => {
  const mark = schema.meta()?.['disclosure'];
  return isDisclosure(mark) ? mark : null;
};

/** Every string of a shape with its mark (docs/reliability.md#handles); an unknown type counts as a string. */
export const stringsOf = (schema: z.ZodType, path = 'answer'): FoundString[] => {
  // zod types its classes by what they parse; walking a schema needs the union of what they consist of.
  const known = schema as unknown as z.core.$ZodTypes;
  const { def } = known._zod;
  const into = (inner: z.core.$ZodType, step = ''): FoundString[] => stringsOf(inner as z.ZodType, `${path}${step}`);
  switch (def.type) {
    case 'string': {
      const format = 'format' in def && typeof def.format === 'string' ? def.format : '';
      return WORDLESS.has(format) ? [] : [{ path, disclosure: markOf(schema) }];
    }
    case 'unknown':
      return [{ path, disclosure: markOf(schema) }];
    case 'object':
      return Object.entries(def.shape).flatMap(([key, inner]) => into(inner, `.${key}`));
    case 'array':
      return into(def.element, '[]');
    case 'record':
      return into(def.valueType, '.*');
    case 'union':
      return def.options.flatMap((option) => into(option));
    case 'nullable':
    case 'optional':
    case 'readonly':
    case 'default':
      return into(def.innerType);
    case 'enum':
    case 'literal':
    case 'boolean':
    case 'number':
    case 'null':
      return [];
    default:
      return [{ path, disclosure: null }];
  }
};

export const unmarkedStrings = (schema: z.ZodType): string[] =>
  stringsOf(schema)
    .filter((found) => found.disclosure === null)
    .map((found) => found.path);

/** The paths of a shape's identity strings: null until the order is paid, and set only by `present/`. */
export const paidStrings = (schema: z.ZodType): string[] =>
  stringsOf(schema)
    .filter((found) => found.disclosure === 'paid')
    .map((found) => found.path);
