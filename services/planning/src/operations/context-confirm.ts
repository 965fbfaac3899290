import { conflict, notFound, unprocessable } from '@cds/contracts';
import type { WriteHandler } from '@cds/service';
import { unchanged } from '../changes/campaign-change.js';
import { contextChange } from '../changes/context-change.js';
import { contextView } from '../present/brain.js';
import type { Contexts } from '../store/contexts.js';

/** Raises unprocessable, not_found, conflict (not_newest). Source: docs/domain/plans.md#company-context. */
export const contextConfirm: WriteHandler<'context_confirm', { contexts: Contexts }> = async (ctx, input, deps) => {
  const { workspace } = ctx.principal;
  if ((input.version === undefined) === (input.proposal === undefined))
    throw unprocessable([{ field: 'version', message: 'is required unless proposal is sent; send one of the two' }]);
  const proposal = input.proposal?.toLowerCase();
  const context = await deps.contexts.byWorkspace(workspace);
  const before = context?.versions ?? [];
  const version = before.find((one) =>
    proposal === undefined ? one.version === input.version : one.read?.proposal === proposal,
  );
  if (context === null || version === undefined) throw notFound('version');
  if (version.version !== context.version)
    throw conflict('not_newest', 'The company context has a newer version. Read it and confirm that one.', {
      newest: context.version,
    });
  if (version.confirmed_at !== null) return unchanged(contextView(before));

  const after = before.map((one) => (one === version ? { ...one, confirmed_at: ctx.now } : one));

  return contextChange(contextView(after), {
    ctx,
    workspace,
    before,
    after,
    action: 'context.confirm',
    save: (tx) => deps.contexts.confirm(tx, workspace, version.version, ctx.now),
  });
};
