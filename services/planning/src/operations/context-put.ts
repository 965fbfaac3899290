import type { WriteHandler } from '@cds/service';
import { contextChange } from '../changes/context-change.js';
import { newVersion } from '../domain/campaign/context.js';
import { contextView } from '../present/brain.js';
import type { Contexts } from '../store/contexts.js';

/** Confirmed at once. Source: docs/domain/plans.md#company-context, docs/domain/access.md#developers-area. */
export const contextPut: WriteHandler<'context_put', { contexts: Contexts }> = async (ctx, input, { contexts }) => {
  const { workspace } = ctx.principal;
  await contexts.ensure(workspace);
  const before = (await contexts.byWorkspace(workspace))?.versions ?? [];

  const version = newVersion(before, input, ctx.now);
  const after = [...before, version];

  return contextChange(contextView(after), {
    ctx,
    workspace,
    before,
    after,
    action: 'context.set',
    save: (tx) => contexts.add(tx, workspace, version, before),
  });
};
