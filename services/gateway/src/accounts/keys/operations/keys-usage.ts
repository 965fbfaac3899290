import { AppError, notFound, type Output } from '@cds/contracts';
import type { Ctx, ReadHandler } from '@cds/service';
import { dayOf } from '@cds/service/calendar';
import type { RequestLogRows, Usage } from '../../../edge/port.js';
import { DAY_MS } from '../domain/constants.js';
import { cursorOf, presentLogRow, readCursor } from '../present-usage.js';
import type { Keys } from '../store/keys.js';

type Deps = { keys: Keys; usage: Usage; requestLog: RequestLogRows };

const PAGE = 50;

/**
 * The workspace's requests by UTC day, or a page of its request log, newest first. Raises not_found for a key that is
 * not of the workspace, bad_request for a cursor that no page gave. Source: docs/specification.md#key-usage,
 * docs/domain/requests.md#usage.
 */
export const keysUsage: ReadHandler<'keys_usage', Deps> = async (ctx, input, deps) => {
  const { workspace } = ctx.principal;
  const keyId = input.key_id?.toLowerCase() ?? null;
  if (keyId !== null && (await deps.keys.byKeyId(workspace, keyId)) === null) throw notFound('key');

  return input.days === undefined ? logPage(ctx, keyId, input, deps) : byDay(ctx, keyId, input.days, deps);
};

const byDay = async (ctx: Ctx, keyId: string | null, range: number, { usage }: Deps): Promise<Output<'keys_usage'>> => {
  const dayBefore = (days: number): string => dayOf(new Date(ctx.networkNow.getTime() - days * DAY_MS));
  const days = Array.from({ length: range }, (_none, at) => dayBefore(range - 1 - at));
  const counted = await usage.byDay(ctx.principal.workspace, keyId, days[0] ?? '');
  const rows = days.map((day) => ({ day, ok: counted.get(day)?.ok ?? 0, errors: counted.get(day)?.errors ?? 0 }));
  const sum = (of: (row: (typeof rows)[number]) => number) => rows.reduce((total, row) => total + of(row), 0);

  return {
    range_days: range,
    timezone: 'UTC',
    days: rows,
    total: sum((row) => row.ok + row.errors),
    errors: sum((row) => row.errors),
  };
};

const logPage = async (
  ctx: Ctx,
  keyId: string | null,
  { limit = PAGE, cursor }: { limit?: number | undefined; cursor?: string | undefined },
  { keys, requestLog }: Deps,
): Promise<Output<'keys_usage'>> => {
  const { workspace } = ctx.principal;
  const after = cursor === undefined ? null : readCursor(cursor);
  if (after === undefined) throw badCursor();
  const [rows, all] = await Promise.all([requestLog.page(workspace, keyId, after, limit + 1), keys.all(workspace)]);
  const names = new Map(all.map((key) => [key.key_id, key.name]));
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);

  return {
    requests: shown.map((row) => presentLogRow(row, names.get(row.key_id) ?? '')),
    next: rows.length > limit && last !== undefined ? cursorOf(last) : null,
  };
};

const badCursor = (): AppError =>
  new AppError('bad_request', 'The request is malformed: cursor. Send the `next` of the previous page, unchanged.', {
    problems: [{ field: 'cursor', message: 'must be the next of the previous page' }],
  });
