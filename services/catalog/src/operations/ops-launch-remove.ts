import { notFound } from '@cds/contracts';
import { change, type WriteHandler } from '@cds/service';
import { auditedBy } from '../network/operated.js';
import type { Launches } from '../store/launches.js';
import type { OperatedCreators } from '../store/operated-creators.js';

/** Stops tracking a launch; creators are no longer told to have taken part in it. Raises not_found. Source: domain 4-doors 4. */
export const opsLaunchRemove: WriteHandler<
  'ops_launch_remove',
  { launches: Launches; operated: Pick<OperatedCreators, 'retell'> }
> = async (ctx, input, { launches, operated }) => {
  const held = await launches.byId(input.id);
  if (held === null) throw notFound('launch');

  return change(
    { removed: true },
    {
      save: async (tx) => {
        await launches.remove(tx, held);
        await operated.retell(tx, held._id, null);
      },
      audit: [auditedBy(ctx, 'launch.removed', held._id, 'removed by DELETE, which takes no reason', held)],
    },
  );
};
