import type { ReadHandler } from '@cds/service';
import { presentLaunch } from '../../present/ops-creator.js';
import type { Launches } from '../../store/launches.js';
import { offsetOf } from './ops-prices-list.js';

const PAGE = 50;

/** Newest first. Source: docs/domain/operators.md#operators. */
export const opsLaunchesList: ReadHandler<'ops_launches_list', { launches: Launches }> = async (
  _ctx,
  input,
  { launches },
) => {
  const [from, limit] = [offsetOf(input.cursor), input.limit ?? PAGE];
  const rows = await launches.page(from, limit + 1);
  return {
    launches: rows.slice(0, limit).map(presentLaunch),
    next: rows.length > limit ? String(from + limit) : null,
  };
};
