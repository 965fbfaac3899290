import { listed, type ReadHandler } from '@cds/service';
import { presentOpsPost } from '../present/ops-post.js';
import type { Posts } from '../store/posts.js';

const NO_TIME = new Date(0);

/** In the order of the lines' ids. Raises bad_request (cursor). Source: docs/domain/operators.md#operators. */
export const opsPostsList: ReadHandler<'ops_posts_list', { posts: Posts }> = async (_ctx, input, { posts }) =>
  listed(input, {
    rows: (place, limit) =>
      posts.page({ status: input.status, ws: input.workspace }, place === null ? null : place.id, limit),
    placeOf: (post) => ({ at: NO_TIME, id: post._id }),
    present: presentOpsPost,
  });
