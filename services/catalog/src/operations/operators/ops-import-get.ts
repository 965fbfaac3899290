import { notFound } from '@cds/contracts';
import type { ReadHandler } from '@cds/service';
import type { Imports } from '../../store/imports.js';

/** Kept for a week. Raises not_found. Source: docs/domain/network.md#imports. */
export const opsImportGet: ReadHandler<'ops_import_get', { imports: Pick<Imports, 'byId'> }> = async (
  _ctx,
  input,
  { imports },
) => {
  const row = await imports.byId(input.id);
  if (row === null) throw notFound('import');

  const { _id: id, at: _at, ...facts } = row;
  return { id, ...facts };
};
