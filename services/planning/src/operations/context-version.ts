import { notFound } from '@cds/contracts';
import type { ReadHandler } from '@cds/service';
import { contextVersionView } from '../present/brain.js';
import type { Contexts } from '../store/contexts.js';

/** Raises not_found. Source: docs/domain/access.md#developers-area. */
export const contextVersion: ReadHandler<'context_version', { contexts: Contexts }> = async (ctx, input, deps) => {
  const context = await deps.contexts.byWorkspace(ctx.principal.workspace);
  const version = context?.versions.find((one) => one.version === input.version);
  if (version === undefined) throw notFound('version');

  return contextVersionView(version);
};
