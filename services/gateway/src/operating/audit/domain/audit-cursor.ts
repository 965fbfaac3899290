/** The cursors of audit lists and exports: one place for each service, in the order of `SERVICES`. */
import { SERVICES, type ServiceName } from '@cds/contracts';

export type AuditCursorKind = 'chain' | 'all' | 'export';

const NONE = '-';

export const auditCursor = (kind: AuditCursorKind, places: Readonly<Record<ServiceName, number | null>>): string =>
  [kind, ...SERVICES.map((service) => places[service] ?? NONE)].join('.');

export const auditPlacesIn = (kind: AuditCursorKind, cursor: string): Record<ServiceName, number | null> | null => {
  const [first, ...places] = cursor.split('.');
  if (first !== kind || places.length !== SERVICES.length) return null;
  if (!places.every((place) => place === NONE || /^\d{1,15}$/.test(place))) return null;
  return Object.fromEntries(
    SERVICES.map((service, index) => [service, places[index] === NONE ? null : Number(places[index])]),
  ) as Record<ServiceName, number | null>;
};
