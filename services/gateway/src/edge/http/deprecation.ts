import { type DeprecatedUntil, deprecatedAt, type OperationDeclaration, sunsetOf } from '@cds/contracts';

/** A field is deprecated this many days before its sunset (A). */
const NOTICE_DAYS = 180;
const DAY_MS = 86_400_000;

const keyOf = (field: string): string => `"${field.slice(field.lastIndexOf('.') + 1)}":`;

const holds = (body: Uint8Array | string, key: string): boolean =>
  typeof body === 'string'
    ? body.includes(key)
    : Buffer.from(body.buffer, body.byteOffset, body.byteLength).includes(key);

/** The deprecated fields that an answer holds: since when, and until when the first of them is served. */
export type Deprecation = { deprecation: string; sunset: string; fields: readonly string[] };

/** What `Deprecation` (RFC 9745) and `Sunset` (RFC 8594) say: headers in REST, `_meta` in MCP; null without them. */
export const deprecationOf = (
  { deprecated }: Pick<OperationDeclaration, 'deprecated'>,
  body: Uint8Array | string,
  until: DeprecatedUntil,
): Deprecation | null => {
  const fields = deprecated?.filter((field) => holds(body, keyOf(field))) ?? [];
  const names = fields.flatMap((field) => deprecatedAt(field) ?? []);
  const [first] = names.map((name) => sunsetOf(name, until)).sort();
  const [noticed] = names.map((name) => sunsetOf(name, {})).sort();
  if (first === undefined || noticed === undefined) return null;
  const sunset = new Date(`${first}T00:00:00.000Z`);
  // An extension moves the end of a field, not when it was deprecated.
  const since = Math.floor((Date.parse(`${noticed}T00:00:00.000Z`) - NOTICE_DAYS * DAY_MS) / 1_000);
  return { deprecation: `@${since}`, sunset: sunset.toUTCString(), fields };
};
