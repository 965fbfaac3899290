import { listed, type ReadHandler } from '@cds/service';
import { openClaim } from '../domain/claim.js';
import { presentOpsDispute } from '../present/dispute.js';
import type { Posts } from '../store/posts.js';

const NO_TIME = new Date(0);

/** In the order of the lines' ids. Raises bad_request (cursor). Source: docs/domain/operators.md#operators. */
export const opsDisputesList: ReadHandler<'ops_disputes_list', { posts: Posts }> = async (_ctx, input, { posts }) =>
  listed(input, {
    rows: async (place, limit) => {
      const found = await posts.withOpenClaim(place === null ? null : place.id, limit);
      return found.flatMap((post) => {
        const claim = openClaim(post);
        return claim === null ? [] : [{ post, claim }];
      });
    },
    placeOf: ({ post }) => ({ at: NO_TIME, id: post._id }),
    present: ({ post, claim }) => presentOpsDispute(post, claim),
  });
