import { type Consumer, consumerOf } from '@cds/service';
import type { Tasks } from '../store/tasks.js';

/** The events by which services open tasks; a service that has some adds its own. */
const OPENED = ['catalog_task.opened', 'billing_task.opened'] as const;

/** Keeps what services ask the operator's team to do. */
export const onTaskOpened = (tasks: Tasks): Consumer[] =>
  OPENED.map((event) => consumerOf({ event, project: (payload) => tasks.open(payload) }));
