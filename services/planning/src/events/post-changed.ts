import { consumerOf } from '@cds/service';
import type { LineFactsStore } from '../store/line-facts.js';

/** Follows a paid line's post: live, blocked, completed. */
export const postChanged = ({ lineFacts }: { lineFacts: LineFactsStore }) =>
  consumerOf({ event: 'post.changed', project: (post) => lineFacts.applyPost(post) });
