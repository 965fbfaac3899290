import { type Outbox, type Republished, republishedFrom, republishedFromOutbox } from '@cds/service';
import { postChanged } from '../present/post-changed.js';
import type { Posts } from '../store/posts.js';

/**
 * Every post as it is; one at version 0 was never published. Only the gateway stores tasks, so they come from what is
 * left in the outbox.
 */
export const republished = (posts: Posts, outbox: Outbox): Republished[] => [
  republishedFrom('post.changed', posts.rows, (rows) => rows.filter(({ version }) => version > 0).map(postChanged)),
  republishedFromOutbox('metrics_task.opened', outbox),
];
