import { type ListedEntry, SERVICES } from '@cds/contracts';
import type { ReadHandler } from '@cds/service';
import { auditPage } from '../list-page.js';
import type { AuditTrails } from '../trails.js';

/** Without the reasons that operators gave (docs/domain/operators.md#audit). Raises unavailable. */
export const auditList: ReadHandler<'audit_list', { auditTrails: AuditTrails }> = async (
  ctx,
  input,
  { auditTrails },
) => {
  const { page, next } = await auditPage(ctx, auditTrails, {
    services: SERVICES,
    workspace: ctx.principal.workspace,
    cursor: input.cursor,
    limit: input.limit,
  });

  return { items: page.map(({ place: _place, ...entry }) => ({ ...entry, reason: ownReason(entry) })), next };
};

/** The reason that an operator gave is the team's; the hash of it is in the entry. */
const ownReason = ({ actor, reason }: Pick<ListedEntry, 'actor' | 'reason'>): string | null =>
  actor.startsWith('operator') ? null : reason;
