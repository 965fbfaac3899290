import type { ReadHandler } from '@cds/service';
import { badRequest } from '../edge/http/refusal.js';
import { presentTask, type TaskPlace, type TaskRow, type Tasks } from '../store/tasks.js';

const PAGE = 50;

/**
 * The tasks of the operator's team, the oldest first: open ones by default. Source:
 * docs/domain/access.md#tasks-and-feedback.
 */
export const opsTasksList: ReadHandler<'ops_tasks_list', { tasks: Tasks }> = async (_ctx, input, { tasks }) => {
  const limit = input.limit ?? PAGE;
  const rows = await tasks.page({
    state: input.state ?? 'open',
    kind: input.kind ?? null,
    after: placeIn(input.cursor),
    limit: limit + 1,
  });
  const page = rows.slice(0, limit);
  const last = page.at(-1);

  return { tasks: page.map(presentTask), next: rows.length > limit && last !== undefined ? cursorOf(last) : null };
};

const cursorOf = ({ opened_at, _id }: TaskRow): string => `${opened_at.getTime()}.${_id}`;

const placeIn = (cursor: string | undefined): TaskPlace | null => {
  if (cursor === undefined) return null;
  const [, at, id] = /^(\d{1,15})\.([0-9a-f-]{36})$/.exec(cursor) ?? [];
  if (at === undefined || id === undefined)
    throw badRequest([{ field: 'cursor', message: 'must be the `next` of the previous page' }]);
  return { openedAt: new Date(Number(at)), id };
};
