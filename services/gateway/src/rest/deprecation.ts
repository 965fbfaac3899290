import type { OperationDeclaration } from '@cds/contracts';

/** A field is deprecated this many days before its sunset (A). */
const NOTICE_DAYS = 180;
const DAY_MS = 86_400_000;

/** The key of a field in JSON, such as `"brief_id":` for `items[].brief_id`. */
const keyOf = (field: string): string => `"${field.slice(field.lastIndexOf('.') + 1)}":`;

const holds = (body: Uint8Array | string, key: string): boolean =>
  typeof body === 'string'
    ? body.includes(key)
    : Buffer.from(body.buffer, body.byteOffset, body.byteLength).includes(key);

/**
 * `Deprecation` (RFC 9745) and `Sunset` (RFC 8594), if the answer holds a deprecated field
 * (docs/domain/access.md#every-request).
 */
export const deprecationHeaders = (
  operation: Pick<OperationDeclaration, 'deprecated'>,
  body: Uint8Array | string,
): Record<string, string> => {
  const { deprecated } = operation;
  if (deprecated === undefined || !deprecated.fields.some((field) => holds(body, keyOf(field)))) return {};
  const sunset = new Date(`${deprecated.sunset}T00:00:00.000Z`);
  const since = Math.floor((sunset.getTime() - NOTICE_DAYS * DAY_MS) / 1_000);
  return { Deprecation: `@${since}`, Sunset: sunset.toUTCString() };
};
