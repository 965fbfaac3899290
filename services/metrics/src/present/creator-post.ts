import type { CreatorPost } from '@cds/contracts';
import { needsOf, postActsOf } from '../domain/own-post.js';
import type { Post } from '../domain/post.js';
import { metricsOf, type Reading, readingsOfPost } from '../domain/reading.js';

export const presentCreatorPost = (post: Post, readings: readonly Reading[]): CreatorPost => {
  const needs = needsOf(post);
  const { published_at: publishedAt } = post;
  return {
    status: post.status,
    needs: needs?.what ?? null,
    needs_by: needs?.by?.toISOString() ?? null,
    url: post.proof_url,
    published_at: publishedAt?.toISOString() ?? null,
    disclosure: post.disclosure,
    readings: readingsOfPost(post, readings)
      .sort((one, other) => other.captured_at.getTime() - one.captured_at.getTime())
      .map(presentReading),
    may: postActsOf(post),
  };
};

const presentReading = (reading: Reading): CreatorPost['readings'][number] => ({
  captured_at: reading.captured_at.toISOString(),
  ...metricsOf((name) => reading[name]),
  source: reading.source,
});
