import type { ReadHandler } from '@cds/service';
import { brainFull, brainSection } from '../present/brain.js';
import type { Contexts } from '../store/contexts.js';

/** Source: docs/specification.md#brain, docs/domain/plans.md#company-context. */
export const brainGet: ReadHandler<'brain_get', { contexts: Contexts }> = async (ctx, input, { contexts }) => {
  const versions = (await contexts.byWorkspace(ctx.principal.workspace))?.versions ?? [];

  return input.section === undefined ? brainFull(versions) : brainSection(versions, input.section);
};
