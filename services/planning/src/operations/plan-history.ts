import { HISTORY_PAGE } from '@cds/contracts';
import type { ReadHandler } from '@cds/service';
import { beforePayment } from '../domain/quote/line-texts.js';
import { isPaid } from '../domain/quote/paid-notes.js';
import { planNamed } from '../load/campaigns.js';
import type { CurrentUnits } from '../load/current-units.js';
import { planHistory as present } from '../present/history.js';
import type { Plans } from '../store/plans.js';

type Deps = { plans: Plans; units: CurrentUnits };

/** Newest first, a page at a time; lines show as in the quote. Raises not_found. Beyond the specification. */
export const planHistory: ReadHandler<'plan_history', Deps> = async (ctx, input, { plans, units }) => {
  const { plan, campaign } = await planNamed({ plans }, ctx.principal.workspace, input.id);
  const versions = await plans.versions.newest(plan, { before: input.before, most: HISTORY_PAGE });
  if (isPaid(plan)) return present(versions, (line) => line);

  const changes = versions.flatMap((version) => version.changes);
  const ids = changes
    .flatMap(({ before, after }) => [before?.unit_id, after?.unit_id])
    .filter((id) => typeof id === 'string');
  const current = await units.of(ctx, [...new Set(ids)], []);

  return present(versions, (line) => beforePayment([line], current, campaign.goal)[0] ?? line);
};
