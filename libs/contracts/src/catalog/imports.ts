import { z } from 'zod';
import { Count, publicText, Uuid } from '../fields.js';
import { closed, instantInput } from '../input.js';
import { defineOperations } from '../operation.js';
import { internalWrites } from '../operation-kinds.js';
import { queryBoolean } from '../query.js';
import { creatorId, onCreator, readBy, reason, written } from './operator-inputs.js';

const IMPORT_MAX_BYTES = 10 * 1024 * 1024;

const ANALYTICS_MAX_BYTES = 10 * 1024 * 1024;

/** `done` is false while a large import continues; ask again by `id`. `failed`: rows already imported stay. */
const ImportAnswer = z
  .object({
    id: Uuid,
    created: Count,
    updated: Count,
    unchanged: Count,
    refused: z.array(z.object({ row: Count, field: publicText(), message: publicText() })),
    dry_run: z.boolean(),
    done: z.boolean(),
    failed: z.boolean(),
  })
  .meta({ id: 'ImportAnswer' });

const upload = () => ({
  dry_run: queryBoolean().optional().describe('If true, reports what would happen without writing anything.'),
  as_of: instantInput().optional().describe('When the facts were true. X API and CSV files do not state it.'),
  reason: reason().optional(),
});

export const importOperations = defineOperations('catalog', {
  ops_creators_import: {
    ...written,
    rest: { method: 'POST', path: '/api/ops/creators/import', root: 'app' },
    summary:
      'Imports creators from neutral JSON or X API v2 JSON and reports row by row. Answers within 18 s. If done is false, the import continues, and GET /api/ops/creators/imports/{id} reports its progress. If sent again, rows already imported count as unchanged.',
    query: closed(upload()),
    upload: { maxBytes: IMPORT_MAX_BYTES, types: ['json', 'csv'] },
    output: ImportAnswer,
  },
  ops_import_get: {
    ...readBy,
    rest: { method: 'GET', path: '/api/ops/creators/imports/{id}', root: 'app' },
    summary: 'Reports the progress of an import, for a week.',
    params: creatorId(),
    output: ImportAnswer,
  },
  ops_creator_facts: {
    ...written,
    rest: onCreator('/facts'),
    summary:
      'Imports facts about one creator from X analytics CSV or JSON. If done is false, it continues like an import of creators.',
    params: creatorId(),
    query: closed(upload()),
    upload: { maxBytes: ANALYTICS_MAX_BYTES, types: ['json', 'csv'] },
    output: ImportAnswer,
    conflicts: ['bad_state'],
  },
  catalog_upload_chunk: {
    ...internalWrites,
    callers: ['gateway'],
    summary: 'Stores one base64 chunk of an operator’s file until its import reads it.',
    body: z.object({ upload_id: z.string(), number: z.int(), data: z.string() }),
    output: z.object({ kept: z.boolean() }),
  },
});
