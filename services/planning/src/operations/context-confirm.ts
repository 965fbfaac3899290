import { conflict, notFound } from '@cds/contracts';
import { change, type WriteHandler } from '@cds/service';
import { unchanged } from '../load/campaign-change.js';
import { contextWritten } from '../load/context-written.js';
import { contextView } from '../present/brain.js';
import type { Contexts } from '../store/contexts.js';

/**
 * Confirms the newest version of the company context, which puts it in force; confirmed before it stays as it is. Raises
 * not_found, conflict (not_newest). Source: domain 2-plans 2; 4-doors 3.2.
 */
export const contextConfirm: WriteHandler<'context_confirm', { contexts: Contexts }> = async (
  ctx,
  input,
  { contexts },
) => {
  const { workspace } = ctx.principal;
  const context = await contexts.byWorkspace(workspace);
  const before = context?.versions ?? [];
  const version = before.find((one) => one.version === input.version);
  if (context === null || version === undefined) throw notFound('version');
  if (version.version !== context.version)
    throw conflict('not_newest', 'A newer version of the company context was written. Read it and confirm that one.', {
      newest: context.version,
    });
  if (version.confirmed_at !== null) return unchanged(contextView(before));

  const after = before.map((one) => (one === version ? { ...one, confirmed_at: ctx.now } : one));

  return change(contextView(after), {
    save: (tx) => contexts.confirm(tx, workspace, version.version, ctx.now),
    ...contextWritten(ctx, workspace, { before, after }, 'context.confirm'),
  });
};
