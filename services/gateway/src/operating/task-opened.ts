import { type Consumer, consumerOf } from '@cds/service';
import type { Tasks } from './store/tasks.js';

const OPENED = [
  'catalog_task.opened',
  'planning_task.opened',
  'billing_task.opened',
  'proposals_task.opened',
  'metrics_task.opened',
] as const;

/** Stores what services ask the operator's team to do. */
export const onTaskOpened = (tasks: Tasks): Consumer[] =>
  OPENED.map((event) => consumerOf({ event, project: (payload) => tasks.open(payload) }));
