import type { ReadHandler } from '@cds/service';
import { contextView } from '../present/brain.js';
import type { Contexts } from '../store/contexts.js';

/** Source: docs/domain/access.md#developers-area, docs/domain/plans.md#company-context. */
export const contextGet: ReadHandler<'context_get', { contexts: Contexts }> = async (ctx, _input, { contexts }) =>
  contextView((await contexts.byWorkspace(ctx.principal.workspace))?.versions ?? []);
