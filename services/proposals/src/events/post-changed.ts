import { type Consumer, consumerOf } from '@cds/service';
import type { Offers } from '../store/offers.js';

/** Notes on the line whether its post is live, completed or blocked. */
export const postChanged = ({ offers }: { offers: Offers }): Consumer =>
  consumerOf({
    event: 'post.changed',
    project: (post) => offers.notePost(post.workspace, post.line_id, { version: post.version, status: post.status }),
  });
