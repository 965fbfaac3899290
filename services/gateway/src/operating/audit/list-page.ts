import type { ListedEntry, ServiceName } from '@cds/contracts';
import type { Ctx } from '@cds/service';
import { auditCursor, auditPlacesIn } from './domain/audit-cursor.js';
import { FROM_THE_NEWEST, mergeAudit } from './domain/audit-merge.js';
import { type AuditTrails, askAll, badCursor } from './trails.js';

const PAGE = 50;

/** A page of one chain of each service, or of all chains when `workspace` is null, newest first. */
export const auditPage = async (
  ctx: Ctx,
  trails: AuditTrails,
  of: {
    services: readonly ServiceName[];
    workspace: string | null;
    cursor: string | undefined;
    limit: number | undefined;
  },
): Promise<{ page: ListedEntry[]; next: string | null }> => {
  const { services, workspace, cursor, limit = PAGE } = of;
  const kind = workspace === null ? 'all' : 'chain';
  const from = cursor === undefined ? FROM_THE_NEWEST : auditPlacesIn(kind, cursor);
  if (from === null) throw badCursor();

  const lists = await askAll(services, async (service): Promise<[ServiceName, ListedEntry[]]> => {
    const { entries } = await trails[service].list(ctx, { workspace, before: from[service], limit: limit + 1 });
    return [service, entries];
  });

  const { page, next } = mergeAudit(new Map(lists), from, limit);
  return { page, next: next === null ? null : auditCursor(kind, next) };
};
