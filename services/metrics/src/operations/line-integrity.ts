import { notFound } from '@cds/contracts';
import type { ReadHandler } from '@cds/service';
import { presentIntegrity } from '../present/integrity.js';
import type { Lines } from '../store/lines.js';
import type { Integrity } from '../store/post-writer.js';

/** Raises not_found. Source: docs/domain/orders.md#integrity. */
export const lineIntegrity: ReadHandler<'line_integrity', { lines: Lines; integrity: Integrity }> = async (
  ctx,
  { id },
  { lines, integrity },
) => {
  const ws = ctx.principal.workspace;
  const [line, entries] = await Promise.all([lines.byId(ws, id), integrity.ofLine(ws, id)]);
  if (line === null) throw notFound('line');
  return presentIntegrity(entries);
};
