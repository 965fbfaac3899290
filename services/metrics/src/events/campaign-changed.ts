import { type Consumer, consumerOf } from '@cds/service';
import type { Campaigns } from '../store/campaigns.js';

export const campaignChanged = ({ campaigns }: { campaigns: Campaigns }): Consumer =>
  consumerOf({
    event: 'campaign.changed',
    project: ({ campaign_id, workspace, version, display_name }) =>
      campaigns.keep({ _id: campaign_id, ws: workspace, version, display_name }),
  });
