import type { ReadHandler } from '@cds/service';
import { servicesOr } from '../../event-admins.js';
import { auditPage } from '../list-page.js';
import type { AuditTrails } from '../trails.js';

/** Newest first, of one workspace or all (docs/domain/operators.md#audit). Raises unavailable. */
export const opsAuditList: ReadHandler<'ops_audit_list', { auditTrails: AuditTrails }> = async (
  ctx,
  input,
  { auditTrails },
) => {
  const { page, next } = await auditPage(ctx, auditTrails, {
    services: servicesOr(input.service),
    workspace: input.workspace ?? null,
    cursor: input.cursor,
    limit: input.limit,
  });

  return { items: page.map(({ place: _place, ...entry }) => entry), next };
};
