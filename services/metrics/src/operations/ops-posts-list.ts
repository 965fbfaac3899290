import { listed, type ReadHandler } from '@cds/service';
import { presentOpsPost } from '../present/ops-post.js';
import type { Posts } from '../store/posts.js';

/** A list in the order of ids has no times. */
const NO_TIME = new Date(0);

/**
 * Posts of all workspaces, in the order of their lines' ids. Raises bad_request for a cursor that no answer gave.
 * Source: docs/domain/access.md#operators.
 */
export const opsPostsList: ReadHandler<'ops_posts_list', { posts: Posts }> = async (_ctx, input, { posts }) =>
  listed(input, {
    rows: (place, limit) =>
      posts.page({ status: input.status, ws: input.workspace }, place === null ? null : place.id, limit),
    placeOf: (post) => ({ at: NO_TIME, id: post._id }),
    present: presentOpsPost,
  });
