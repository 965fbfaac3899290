import { notFound } from '@cds/contracts';
import { change, type WriteHandler } from '@cds/service';
import type { LaunchTeller } from '../../launches/launch-propagation.js';
import { auditedBy } from '../../operators/operator-creator-service.js';
import type { Launches } from '../../store/launches.js';

/** Stops tracking a launch; creators are no longer told to have taken part in it. Raises not_found. Source: domain 4-doors 4. */
export const opsLaunchRemove: WriteHandler<
  'ops_launch_remove',
  { launches: Launches; teller: Pick<LaunchTeller, 'soon'> }
> = async (ctx, input, { launches, teller }) => {
  const held = await launches.byId(input.id);
  if (held === null) throw notFound('launch');

  return change(
    { removed: true },
    {
      save: (tx) => launches.remove(tx, held),
      audit: [auditedBy(ctx, 'launch.removed', held._id, 'removed by DELETE, which takes no reason', held)],
      committed: () => teller.soon(),
    },
  );
};
