import { type Consumer, consumerOf } from '@cds/service';
import type { PlanCreators } from '../store/plan-creators.js';

export const onPlanChanged = (planCreators: PlanCreators): Consumer =>
  consumerOf({
    event: 'plan.changed',
    project: ({ aggregate, workspace, version, creator_ids }) =>
      planCreators.take({ id: aggregate, workspace, version, creatorIds: creator_ids }),
  });
