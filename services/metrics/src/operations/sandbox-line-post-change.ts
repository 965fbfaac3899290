import { conflict, notFound } from '@cds/contracts';
import { change, type WriteHandler } from '@cds/service';
import { withEntries } from '../domain/integrity.js';
import { changedBy } from '../domain/post-moves.js';
import { presentIntegrity } from '../present/integrity.js';
import { postChanged } from '../present/post-changed.js';
import type { Lines } from '../store/lines.js';
import type { Integrity, PostWriter } from '../store/post-writer.js';
import type { Posts } from '../store/posts.js';

type Deps = { lines: Lines; posts: Posts; writer: PostWriter; integrity: Integrity };

/**
 * Has the fake network of a sandbox edit, delete, restore, hide the disclosure of or inflate a post. Raises not_found,
 * conflict (bad_state). Source: docs/domain/access.md#sandbox, docs/domain/orders.md#integrity.
 */
export const sandboxLinePostChange: WriteHandler<'sandbox_line_post_change', Deps> = async (ctx, input, deps) => {
  const ws = ctx.principal.workspace;
  const line = await deps.lines.byId(ws, input.id);
  if (line === null || !line.sandbox) throw notFound('line');
  const before = await deps.posts.byLine(ws, input.id);
  const move = before === null ? null : changedBy(before, input.change, ctx.now);
  if (before === null || move === null)
    throw conflict('bad_state', `The post of this line cannot ${WORDS[input.change]}. Read its evidence first.`, {
      status: before?.status ?? 'planned',
    });

  const entries = await deps.integrity.ofLine(ws, input.id);
  const added = withEntries(before, move.post, ctx.now).entries;
  return change(presentIntegrity([...entries, ...added]), {
    save: (tx) => deps.writer.save(tx, before, move.post, ctx.now),
    events: move.emits ? [{ name: 'post.changed', payload: postChanged(move.post) }] : [],
  });
};

const WORDS = {
  edit: 'be edited: it is not up',
  delete: 'be deleted: it is not up',
  restore: 'be restored: it is not gone, or has its remedy',
  hide_disclosure: 'hide its disclosure: it is not up, or shows none',
  inflate: 'be inflated: it is not up',
} as const;
