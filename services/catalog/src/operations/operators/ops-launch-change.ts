import { notFound } from '@cds/contracts';
import { change, type WriteHandler } from '@cds/service';
import type { LaunchPropagation } from '../../launches/launch-propagation.js';
import { auditedBy } from '../../operators/operator-creator-service.js';
import { presentLaunch } from '../../present/ops-creator.js';
import { brandOf, type Launches, type LaunchRow } from '../../store/launches.js';

/** Fields left out stay. Raises not_found. Source: docs/domain/operators.md#operators. */
export const opsLaunchChange: WriteHandler<
  'ops_launch_change',
  { launches: Launches; launchPropagation: Pick<LaunchPropagation, 'soon'> }
> = async (ctx, input, { launches, launchPropagation }) => {
  const held = await launches.byId(input.id);
  if (held === null) throw notFound('launch');

  const set: Partial<LaunchRow> = {
    ...(input.project === undefined ? {} : { project: input.project }),
    ...(input.title === undefined ? {} : { title: input.title }),
    ...(input.brand === undefined ? {} : { brand: brandOf(input.brand) }),
    ...(input.date === undefined ? {} : { date: input.date }),
    ...(input.segments === undefined ? {} : { segments: [...new Set(input.segments)] }),
    updated_at: ctx.networkNow,
  };

  return change(presentLaunch({ ...held, ...set }), {
    save: (tx) => launches.change(tx, held, set),
    audit: [auditedBy(ctx, 'launch.changed', held._id, input.reason, set)],
    committed: () => launchPropagation.soon(),
  });
};
