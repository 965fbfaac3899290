import { type Republished, republishedFrom } from '@cds/service';
import { postChanged } from '../present/post-changed.js';
import type { Posts } from '../store/posts.js';

/** Every post as it is; one at version 0 was never published. */
export const republished = (posts: Posts): Republished[] => [
  republishedFrom('post.changed', posts.rows, (rows) => rows.filter(({ version }) => version > 0).map(postChanged)),
];
