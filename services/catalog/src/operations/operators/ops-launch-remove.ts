import { notFound } from '@cds/contracts';
import { change, type WriteHandler } from '@cds/service';
import type { LaunchPropagation } from '../../launches/launch-propagation.js';
import { auditedBy } from '../../operators/operator-creator-service.js';
import type { Launches } from '../../store/launches.js';

/** Raises not_found. Source: docs/domain/operators.md#operators. */
export const opsLaunchRemove: WriteHandler<
  'ops_launch_remove',
  { launches: Launches; launchPropagation: Pick<LaunchPropagation, 'soon'> }
> = async (ctx, input, { launches, launchPropagation }) => {
  const held = await launches.byId(input.id);
  if (held === null) throw notFound('launch');

  return change(
    { removed: true },
    {
      save: (tx) => launches.remove(tx, held),
      audit: [auditedBy(ctx, 'launch.removed', held._id, 'removed by DELETE, which has no reason field', held)],
      committed: () => launchPropagation.soon(),
    },
  );
};
