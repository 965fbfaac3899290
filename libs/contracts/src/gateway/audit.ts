import { z } from 'zod';
import { AuditEntry } from '../audit.js';
import { publicText } from '../fields.js';
import { closed, oneOf, tokenInput, uuidInput } from '../input.js';
import { defineOperations } from '../operation.js';
import { queryInteger } from '../query.js';
import { SERVICES } from '../service.js';

const cursor = tokenInput({ max: 120 }).optional().describe('The next of the previous answer.');
const limit = queryInteger({ min: 1, max: 200 }).optional().describe('Default: 50.');
const workspace = uuidInput('must be the id of a workspace').optional();

/** An entry with its reason: what an operator gave, or from where a session began. */
const ReasonedEntry = AuditEntry.extend({ reason: publicText().nullable() });

const EXPORT = {
  mediaType: 'application/x-ndjson',
  output: publicText().describe(
    'JSON Lines: the sealed entries by service and place, then their checkpoints, then one signed line that ends the file.',
  ),
} as const;

export const auditReadOperations = defineOperations('gateway', {
  audit_list: {
    audience: 'person',
    rest: { method: 'GET', path: '/api/brand/audit', root: 'app' },
    scope: null,
    atLeast: 'admin',
    effect: 'read',
    summary: 'Lists the sealed audit entries of the workspace, newest first.',
    query: closed({ cursor, limit }),
    output: z.object({ items: z.array(ReasonedEntry), next: publicText().nullable() }),
  },
  audit_export: {
    audience: 'person',
    rest: { method: 'GET', path: '/api/brand/audit/export', root: 'app' },
    scope: null,
    atLeast: 'admin',
    effect: 'read',
    summary: 'Exports the audit of the workspace as JSON Lines that `npm run audit:verify` checks.',
    query: closed({ cursor }),
    ...EXPORT,
  },
  ops_audit_list: {
    audience: 'operator',
    rest: { method: 'GET', path: '/api/ops/audit', root: 'app' },
    scope: null,
    role: 'lead',
    effect: 'read',
    summary: 'Lists sealed audit entries with their reasons, newest first.',
    query: closed({
      service: oneOf(SERVICES).optional().describe('Default: all.'),
      workspace: workspace.describe('Default: all.'),
      cursor,
      limit,
    }),
    output: z.object({
      items: z.array(ReasonedEntry),
      next: publicText().nullable(),
    }),
  },
  ops_audit_export: {
    audience: 'operator',
    rest: { method: 'GET', path: '/api/ops/audit/export', root: 'app' },
    scope: null,
    role: 'lead',
    effect: 'read',
    summary: 'Exports one audit chain of every service as JSON Lines that `npm run audit:verify` checks.',
    query: closed({ workspace: workspace.describe("Default: the operators' own."), cursor }),
    ...EXPORT,
  },
});
