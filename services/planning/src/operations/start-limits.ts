import type { ReadHandler } from '@cds/service';
import { CAMPAIGN_STARTS, START_WINDOW_MS } from '../domain/constants.js';
import type { CampaignStarts } from '../store/campaign-starts.js';

/** Source: docs/domain/requests.md#limits. */
export const startLimits: ReadHandler<'start_limits', { starts: Pick<CampaignStarts, 'live'> }> = async (
  ctx,
  _input,
  { starts },
) => {
  const live = await starts.live(ctx);
  const [oldest] = live;

  return {
    limits: [
      {
        name: 'daily_campaign_limit',
        scope: 'brand',
        unit: 'campaigns',
        limit: CAMPAIGN_STARTS,
        left: Math.max(0, CAMPAIGN_STARTS - live.length),
        refills: 'one_by_one',
        resets_at: oldest === undefined ? null : new Date(oldest.getTime() + START_WINDOW_MS).toISOString(),
      },
    ],
  };
};
