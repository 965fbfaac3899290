import { type Consumer, consumerOf } from '@cds/service';
import type { PlanCreators } from '../store/plan-creators.js';

/** Stores the creators on a workspace's plans, which it may open whatever their status. */
export const onPlanChanged = (planCreators: PlanCreators): Consumer =>
  consumerOf({
    event: 'plan.changed',
    project: ({ aggregate, workspace, version, creator_ids }) =>
      planCreators.take({ id: aggregate, workspace, version, creatorIds: creator_ids }),
  });
