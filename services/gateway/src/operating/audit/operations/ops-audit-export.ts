import type { AuditKey, ReadHandler } from '@cds/service';
import { exportFile } from '../export-file.js';
import type { AuditTrails } from '../trails.js';

export const opsAuditExport: ReadHandler<'ops_audit_export', { auditTrails: AuditTrails; auditKey: AuditKey }> = async (
  ctx,
  input,
  { auditTrails, auditKey },
) => exportFile(ctx, auditTrails, auditKey, { workspace: input.workspace ?? '', cursor: input.cursor });
