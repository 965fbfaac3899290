/** How the audit entries of all services become one list (docs/domain/operators.md#audit). */
import { type ListedEntry, SERVICES, type ServiceName } from '@cds/contracts';

/** For each service the place before which the next page continues; null before the first page. */
export type AuditPlaces = Readonly<Record<ServiceName, number | null>>;

export const FROM_THE_NEWEST = Object.fromEntries(SERVICES.map((service) => [service, null])) as AuditPlaces;

/** The newest entries of each service before its place, newest first. */
type Lists = ReadonlyMap<ServiceName, readonly ListedEntry[]>;

/**
 * Merges the lists, latest first; a tie goes to the service that `SERVICES` names first, so pages may cut anywhere.
 * Places count entries, not time: an entry that was sealed late is neither skipped nor repeated.
 */
export const mergeAudit = (
  lists: Lists,
  from: AuditPlaces,
  limit: number,
): { page: ListedEntry[]; next: AuditPlaces | null } => {
  const taken = new Map<ServiceName, number>();
  const front = (service: ServiceName) => lists.get(service)?.[taken.get(service) ?? 0];
  const page: ListedEntry[] = [];
  while (page.length < limit) {
    let latest: ListedEntry | undefined;
    for (const service of SERVICES) {
      const entry = front(service);
      if (entry !== undefined && (latest === undefined || entry.at > latest.at)) latest = entry;
    }
    if (latest === undefined) break;
    page.push(latest);
    taken.set(latest.service, (taken.get(latest.service) ?? 0) + 1);
  }

  if (SERVICES.every((service) => front(service) === undefined)) return { page, next: null };
  const places = SERVICES.map((service): [ServiceName, number | null] => {
    const list = lists.get(service);
    if (list === undefined) return [service, from[service]];
    const last = list[(taken.get(service) ?? 0) - 1];
    // What is sealed from now on belongs before the first page, so a service of which nothing was shown is fixed too.
    const [newest] = list;
    return [service, last?.place ?? (newest === undefined ? 1 : newest.place + 1)];
  });
  return { page, next: Object.fromEntries(places) as AuditPlaces };
};
