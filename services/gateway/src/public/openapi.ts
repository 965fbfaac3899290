import { DEPRECATED_FIELDS, type DeprecatedField, isServed, type Switches, sunsetOf } from '@cds/contracts';
import { fileOf } from '@cds/pages';
import { JSON_TYPE } from '../edge/port.js';

type At = { switches: Switches; networkNow: Date };
type Schema = { properties?: Record<string, Record<string, unknown>> };

const FIELDS = Object.keys(DEPRECATED_FIELDS) as DeprecatedField[];
const propertyOf = (field: DeprecatedField): string => field.slice(field.lastIndexOf('.') + 1);

/** The published document without the fields that have ended, and with the days of those that were extended. */
export const openapiAt = (text: string): ((at: At) => ReturnType<typeof fileOf>) => {
  let made: { of: string; file: ReturnType<typeof fileOf> } | undefined;
  return (at) => {
    const ends = new Map(
      FIELDS.map((field) => [
        propertyOf(field),
        isServed(field, at) ? sunsetOf(field, at.switches.deprecated_until) : null,
      ]),
    );
    const of = JSON.stringify([...ends]);
    if (made?.of !== of) made = { of, file: fileOf(JSON_TYPE, JSON.stringify(withEnds(text, ends))) };
    return made.file;
  };
};

const withEnds = (text: string, ends: ReadonlyMap<string, string | null>): unknown =>
  JSON.parse(text, (key, value: unknown) => {
    if (key !== 'properties' || typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value as NonNullable<Schema['properties']>).flatMap(([name, schema]) => {
        const end = 'x-sunset' in schema ? ends.get(name) : undefined;
        if (end === undefined) return [[name, schema]];
        return end === null ? [] : [[name, { ...schema, 'x-sunset': end }]];
      }),
    );
  });
