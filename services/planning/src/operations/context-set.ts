import type { WriteHandler } from '@cds/service';
import { contextChange } from '../changes/context-change.js';
import { inForce, newVersion } from '../domain/campaign/context.js';
import type { Contexts } from '../store/contexts.js';

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
