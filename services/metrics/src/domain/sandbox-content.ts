import type { Post } from './post.js';

export const sandboxContent = (postId: string, version: number): NonNullable<Post['content']> => ({
  text: `A post of the sandbox, number ${postId}, version ${version}.`,
  media_ids: [`media-${postId}`],
});
