import type { ReadHandler } from '@cds/service';
import { servicesOr } from '../../event-admins.js';
import { auditPage } from '../list-page.js';
import type { AuditTrails } from '../trails.js';

/**
 * The sealed entries of one workspace or of all, from one service or from all, newest first. Raises unavailable while a
 * service that was asked does not answer. Source: docs/domain/operators.md#audit.
 */
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
