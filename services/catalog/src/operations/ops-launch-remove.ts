import { notFound } from '@cds/contracts';
import { change, type WriteHandler } from '@cds/service';
import { auditedBy } from '../network/operated.js';
import type { Launches } from '../store/launches.js';

/** Stops tracking a launch. Raises not_found. Source: domain 4-doors 4. */
export const opsLaunchRemove: WriteHandler<'ops_launch_remove', { launches: Launches }> = async (
  ctx,
  input,
  { launches },
) => {
  const held = await launches.byId(input.id);
  if (held === null) throw notFound('launch');

  return change(
    { removed: true },
    {
      save: (tx) => launches.remove(tx, held),
      audit: [auditedBy(ctx, 'launch.removed', held._id, 'removed by DELETE, which takes no reason', held)],
    },
  );
};
