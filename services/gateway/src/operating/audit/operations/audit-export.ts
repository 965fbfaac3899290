import type { AuditKey, ReadHandler } from '@cds/service';
import { exportFile } from '../export-file.js';
import type { AuditTrails } from '../trails.js';

/**
 * The workspace's audit as JSON Lines that anybody can check offline. Raises unavailable while a service does not
 * answer. Source: docs/domain/operators.md#audit.
 */
export const auditExport: ReadHandler<'audit_export', { auditTrails: AuditTrails; auditKey: AuditKey }> = async (
  ctx,
  input,
  { auditTrails, auditKey },
) => exportFile(ctx, auditTrails, auditKey, { workspace: ctx.principal.workspace, cursor: input.cursor });
