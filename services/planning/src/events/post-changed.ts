import { consumerOf } from '@cds/service';
import type { LineFactsStore } from '../store/line-facts.js';

export const postChanged = ({ lineFacts }: { lineFacts: LineFactsStore }) =>
  consumerOf({ event: 'post.changed', project: (post) => lineFacts.applyPost(post) });
