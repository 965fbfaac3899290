import type { LimitPool } from '@cds/contracts';
import type { Client, Ctx, ReadHandler } from '@cds/service';
import { CHILD_KEY_QUOTA, type Keys, type PeopleModule } from '../../accounts/port.js';
import { childKeyPool, dayPool, mandatePools, requestPool, streamPool, WRITE_QUOTA } from '../../edge/port.js';
import { type FeedStreams, streamCallerOf } from '../../events/port.js';
import { FEEDBACK_QUOTA } from '../domain/feedback-quota.js';

export type LimitsDeps = {
  keys: Pick<Keys, 'byKeyId' | 'madeTimes'>;
  feedStreams: Pick<FeedStreams, 'ends'>;
  people: Pick<PeopleModule, 'quotas'>;
  catalog: Client<'read_limits'>;
  planning: Client<'start_limits'>;
  billing: Client<'keys_spent'>;
};

/** Every limit of the caller (docs/domain/requests.md#limits); unavailable if one that counts does not answer. */
export const limitsGet: ReadHandler<'limits_get', LimitsDeps> = async (ctx, _input, deps) => {
  const [reads, starts, days, streams, children, spent] = await Promise.all([
    deps.catalog.read_limits(ctx, {}),
    deps.planning.start_limits(ctx, {}),
    ofDay(ctx, deps),
    streamsOf(ctx, deps),
    childKeys(ctx, deps),
    spentOf(ctx, deps),
  ]);

  return {
    limits: [
      ...(ctx.minute === undefined ? [] : [requestPool(ctx.minute)]),
      ...reads.limits,
      ...starts.limits,
      ...days,
      ...streams,
      ...children,
      ...mandatePools(ctx.principal, spent, ctx.now),
    ],
  };
};

const ofDay = async ({ principal, networkNow }: Ctx, { people }: LimitsDeps): Promise<LimitPool[]> => {
  const { key, parent, person, reads_workspace } = principal;
  const [writes, feedback] = await Promise.all([
    people.quotas.left(WRITE_QUOTA, parent?.key ?? key, networkNow),
    people.quotas.left(FEEDBACK_QUOTA, reads_workspace, networkNow),
  ]);
  return [
    ...(person === undefined ? [dayPool('daily_writes', parent === undefined ? 'key' : 'parent', writes)] : []),
    dayPool('daily_feedback', 'brand', feedback),
  ];
};

const streamsOf = async ({ principal, networkNow }: Ctx, { feedStreams }: LimitsDeps): Promise<LimitPool[]> => {
  if (!principal.scopes.includes('campaigns:read')) return [];
  const caller = streamCallerOf(principal);
  return [streamPool(caller.scope, await feedStreams.ends(caller, networkNow))];
};

const childKeys = async ({ principal, networkNow }: Ctx, { keys }: LimitsDeps): Promise<LimitPool[]> => {
  if (principal.key === '' || principal.parent !== undefined) return [];
  const key = await keys.byKeyId(principal.workspace, principal.key);
  if (key?.may_delegate !== true) return [];
  const { limit, spanMs } = CHILD_KEY_QUOTA;
  return [childKeyPool(await keys.madeTimes(key.key_id, limit), limit, spanMs, networkNow)];
};

/** What the key, and for a child its parent, spent this month, in cents. */
const spentOf = async (ctx: Ctx, { billing }: LimitsDeps): Promise<ReadonlyMap<string, number>> => {
  const { key, mandate, parent, workspace } = ctx.principal;
  if (mandate === null) return new Map();
  const asked = [
    { key_id: key, parent_id: parent?.key ?? null },
    ...(parent === undefined ? [] : [{ key_id: parent.key, parent_id: null }]),
  ];
  const { spent } = await billing.keys_spent(ctx, { workspace, keys: asked });
  return new Map(spent.map((one) => [one.key_id, one.spent_this_month_cents]));
};
