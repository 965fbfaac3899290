import type { AuditKey, ReadHandler } from '@cds/service';
import { exportFile } from '../export-file.js';
import type { AuditTrails } from '../trails.js';

/** JSON Lines that anybody can check offline (docs/domain/operators.md#audit). Raises unavailable. */
export const auditExport: ReadHandler<'audit_export', { auditTrails: AuditTrails; auditKey: AuditKey }> = async (
  ctx,
  input,
  { auditTrails, auditKey },
) => exportFile(ctx, auditTrails, auditKey, { workspace: ctx.principal.workspace, cursor: input.cursor });
