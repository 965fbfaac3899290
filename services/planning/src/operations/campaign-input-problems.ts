import type { ReadHandler } from '@cds/service';
import { inputProblems } from '../domain/campaign/campaign-input.js';
import { todayOf } from '../load/today.js';
import type { Contexts } from '../store/contexts.js';

/** Source: docs/domain/plans.md#campaign-input, docs/domain/requests.md#order-of-errors, check 10. */
export const campaignInputProblems: ReadHandler<'campaign_input_problems', { contexts: Contexts }> = async (
  ctx,
  input,
  { contexts },
) => {
  const context = await contexts.inForce(ctx.principal.workspace);

  return { problems: inputProblems(input.sent, context, todayOf(ctx)) };
};
