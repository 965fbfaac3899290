import { type Outbox, type Republished, republishedFrom, republishedFromOutbox } from '@cds/service';
import { campaignChanged, contextChanged, planChanged } from '../present/events.js';
import type { Campaigns } from '../store/campaigns.js';
import type { Contexts } from '../store/contexts.js';
import type { Plans } from '../store/plans.js';

type Deps = { campaigns: Campaigns; contexts: Contexts; plans: Plans; outbox: Outbox };

/** Contexts without a version were never published. Tasks come from the outbox: only the gateway stores them. */
export const republished = ({ campaigns, contexts, plans, outbox }: Deps): Republished[] => [
  republishedFrom('context.changed', contexts.rows, (rows) =>
    rows.filter(({ versions }) => versions.length > 0).map(({ ws, versions }) => contextChanged(ws, versions)),
  ),
  republishedFrom('campaign.changed', campaigns.rows, (rows) => rows.map((row) => campaignChanged(row).payload)),
  republishedFrom('plan.changed', plans.rows, (rows) => rows.map((row) => planChanged(row).payload)),
  republishedFromOutbox('planning_task.opened', outbox),
];
