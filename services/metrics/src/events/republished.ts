import { type Outbox, type Republished, republishedFrom, republishedFromOutbox } from '@cds/service';
import { postChanged, readingTaken } from '../present/post-changed.js';
import type { Posts } from '../store/posts.js';

/** A post at version 0 was never published. Only the gateway stores tasks, so they come from the outbox. */
export const republished = (posts: Posts, outbox: Outbox): Republished[] => [
  republishedFrom('post.changed', posts.rows, (rows) => rows.filter(({ version }) => version > 0).map(postChanged)),
  republishedFrom('reading.taken', posts.rows, (rows) => rows.map(readingTaken).filter((one) => one !== null)),
  republishedFromOutbox('metrics_task.opened', outbox),
];
