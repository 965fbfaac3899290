// What planning asks the operator's team to do (docs/domain/operators.md#tasks-and-feedback).
import type { EventPayload } from '@cds/contracts';
import { namedUuid } from '@cds/service/named-uuid';
import type { Campaign } from './plan.js';

export const campaignTask = (
  kind: 'campaign_sent' | 'change_requested',
  { _id, rev }: Campaign,
  at: Date,
): { name: 'planning_task.opened'; payload: EventPayload<'planning_task.opened'> } => ({
  name: 'planning_task.opened',
  payload: {
    aggregate: namedUuid(kind, _id, String(rev)),
    version: 1,
    kind,
    about: { campaign_id: _id },
    note: null,
    opened_at: at.toISOString(),
  },
});
