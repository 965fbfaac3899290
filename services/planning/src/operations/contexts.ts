import { conflict, notFound, unprocessable } from '@cds/contracts';
import type { ReadHandler, WriteHandler } from '@cds/service';
import { unchanged } from '../changes/campaign-change.js';
import { contextChange } from '../changes/context-change.js';
import { inForce, newVersion } from '../domain/campaign/context.js';
import { brainFull, brainSection, contextVersionView, contextView } from '../present/brain.js';
import type { Contexts } from '../store/contexts.js';

/** Source: docs/domain/access.md#developers-area, docs/domain/plans.md#company-context. */
export const contextGet: ReadHandler<'context_get', { contexts: Contexts }> = async (ctx, _input, { contexts }) =>
  contextView((await contexts.byWorkspace(ctx.principal.workspace))?.versions ?? []);

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

/** Raises not_found. Source: docs/domain/access.md#developers-area. */
export const contextVersion: ReadHandler<'context_version', { contexts: Contexts }> = async (ctx, input, deps) => {
  const context = await deps.contexts.byWorkspace(ctx.principal.workspace);
  const version = context?.versions.find((one) => one.version === input.version);
  if (version === undefined) throw notFound('version');

  return contextVersionView(version);
};

/**
 * Values already in force change nothing; empty texts count as absent. Source: docs/domain/plans.md#company-context.
 */
export const contextSet: WriteHandler<'context_set', { contexts: Contexts }> = async (ctx, input, { contexts }) => {
  const { workspace } = input;
  await contexts.ensure(workspace);
  const before = (await contexts.byWorkspace(workspace))?.versions ?? [];

  const version = newVersion(
    before,
    { name: trimmed(input.name), summary: trimmed(input.summary), audience: trimmed(input.audience) },
    ctx.now,
  );
  const current = inForce(before);
  const same =
    current.name === version.name && current.summary === version.summary && current.audience === version.audience;
  if (same) return { version: current.version };

  return contextChange(
    { version: version.version },
    {
      ctx,
      workspace,
      before,
      after: [...before, version],
      action: 'context.set',
      save: (tx) => contexts.add(tx, workspace, version, before),
    },
  );
};

const trimmed = (text: string | null): string | undefined => text?.trim();

/** Source: docs/specification.md#brain, docs/domain/plans.md#company-context. */
export const brainGet: ReadHandler<'brain_get', { contexts: Contexts }> = async (ctx, input, { contexts }) => {
  const versions = (await contexts.byWorkspace(ctx.principal.workspace))?.versions ?? [];

  return input.section === undefined ? brainFull(versions) : brainSection(versions, input.section);
};
