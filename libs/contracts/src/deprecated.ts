/** The deprecated fields of answers, each with the UTC day on which it ends (docs/specification.md#versioning). */
export const DEPRECATED_FIELDS = {
  brief_id: '2026-11-10',
  median_views_30d: '2027-01-11',
  'posts_summary.median_views': '2027-01-11',
} as const;
export type DeprecatedField = keyof typeof DEPRECATED_FIELDS;

/** The later days to which the operator extended fields, each alone. */
export type DeprecatedUntil = Readonly<Partial<Record<DeprecatedField, string>>>;

export const sunsetOf = (field: DeprecatedField, until: DeprecatedUntil): string =>
  until[field] ?? DEPRECATED_FIELDS[field];

/** Whether answers still hold a field, by the database's clock. */
export const isServed = (
  field: DeprecatedField,
  { switches, networkNow }: { switches: { deprecated_until: DeprecatedUntil }; networkNow: Date },
): boolean => networkNow.toISOString() < sunsetOf(field, switches.deprecated_until);

/** The deprecated field at a path of an answer, such as `items[].brief_id`. */
export const deprecatedAt = (path: string): DeprecatedField | null => {
  const name = path.slice(path.lastIndexOf('].') + 1).replace(/^\./, '');
  return Object.hasOwn(DEPRECATED_FIELDS, name) ? (name as DeprecatedField) : null;
};
