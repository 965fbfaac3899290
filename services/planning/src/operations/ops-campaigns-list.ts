import type { OpsCampaign } from '@cds/contracts';
import { listed, type Place, type ReadHandler } from '@cds/service';
import { type OpsCampaignDeps, shownCampaigns } from '../load/ops-campaigns.js';

const READ_AT_ONCE = 200;

/**
 * Oldest first; stages are derived, so campaigns are read until the page is full. Source:
 * docs/domain/operators.md#operators.
 */
export const opsCampaignsList: ReadHandler<'ops_campaigns_list', OpsCampaignDeps> = (_ctx, input, deps) => {
  const stage = input.stage_id ?? null;
  const page = (place: Place | null, limit: number) =>
    deps.campaigns.page(input.open_change ?? null, place, stage === null ? limit : READ_AT_ONCE);

  return listed(input, {
    rows: async (place, limit) => {
      const found: OpsCampaign[] = [];
      let from = place;
      while (found.length < limit) {
        const rows = await page(from, limit);
        const shown = await shownCampaigns(rows, deps);
        found.push(...shown.filter(({ stage_id }) => stage === null || stage_id === stage));
        const last = rows.at(-1);
        if (stage === null || last === undefined || rows.length < READ_AT_ONCE) break;
        from = { at: last.created_at, id: last._id };
      }
      return found.slice(0, limit);
    },
    placeOf: ({ created_at, id }) => ({ at: new Date(created_at), id }),
    present: (campaign) => campaign,
  });
};
