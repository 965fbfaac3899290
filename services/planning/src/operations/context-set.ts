import { change, type WriteHandler } from '@cds/service';
import { type ContextVersion, inForce } from '../domain/campaign/context.js';
import { actorOf } from '../changes/plan-change.js';
import type { Contexts } from '../store/contexts.js';

/**
 * Makes a new version of a workspace's company context, confirmed at once; the values in force again change nothing.
 * Empty texts count as absent. Source: domain 2-plans 2.
 */
export const contextSet: WriteHandler<'context_set', { contexts: Contexts }> = async (ctx, input, { contexts }) => {
  await contexts.ensure(input.workspace);
  const context = await contexts.byWorkspace(input.workspace);

  const values = { name: given(input.name), summary: given(input.summary), audience: given(input.audience) };
  const current = inForce(context?.versions ?? []);
  const same =
    current.name === values.name && current.summary === values.summary && current.audience === values.audience;
  if (same) return { version: current.version };
  const version: ContextVersion = {
    version: (context?.version ?? 0) + 1,
    ...values,
    created_at: ctx.now,
    confirmed_at: ctx.now,
    read: null,
  };

  return change(
    { version: version.version },
    {
      save: (tx) => contexts.add(tx, input.workspace, version, context?.versions ?? []),
      events: [
        {
          name: 'context.changed',
          payload: {
            aggregate: input.workspace,
            version: version.version,
            workspace: input.workspace,
            name: version.name,
            audience: version.audience,
          },
        },
      ],
      audit: [
        {
          ws: input.workspace,
          actor: actorOf(ctx),
          action: 'context.set',
          object: input.workspace,
          payload: { version: version.version, ...values },
        },
      ],
    },
  );
};

const given = (text: string | null): string | null => {
  const trimmed = text?.trim() ?? '';
  return trimmed === '' ? null : trimmed;
};
