import { randomUUID } from 'node:crypto';
import { type Client, change, type WriteHandler, withoutCredentials } from '@cds/service';
import type { PeopleModule } from '../../accounts/port.js';
import { checkQuota } from '../../edge/port.js';
import { FEEDBACK_QUOTA } from '../domain/feedback-quota.js';
import type { Feedback } from '../store/feedback.js';

/**
 * The receipt has the real time, not a sandbox's (docs/domain/requests.md#brand-operations). Raises not_found for a
 * campaign of another workspace, rate_limited (daily_feedback).
 */
export const feedbackSend: WriteHandler<
  'feedback_send',
  { feedback: Feedback; people: Pick<PeopleModule, 'quotas'>; planning: Client<'campaign_known'> }
> = async (ctx, input, { feedback, people, planning }) => {
  if (input.campaign_id !== undefined) await planning.campaign_known(ctx, { id: input.campaign_id });

  checkQuota(await people.quotas.use(FEEDBACK_QUOTA, ctx.principal.reads_workspace), FEEDBACK_QUOTA);

  const id = randomUUID();
  const row = {
    _id: id,
    ws: ctx.principal.workspace,
    key_id: ctx.principal.key,
    // The team reads it, and agents quote the key that they call with.
    message: withoutCredentials(input.message),
    kind: input.kind ?? null,
    campaign_id: input.campaign_id ?? null,
    request_id: input.request_id ?? null,
    state: 'new' as const,
    received_at: ctx.networkNow,
  };

  return change({ id, received_at: ctx.networkNow.toISOString() }, { save: (tx) => feedback.insert(tx, row) });
};
