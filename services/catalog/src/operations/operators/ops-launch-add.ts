import { randomUUID } from 'node:crypto';
import { change, type WriteHandler } from '@cds/service';
import type { LaunchPropagation } from '../../launches/launch-propagation.js';
import { auditedBy } from '../../operators/operator-creator-service.js';
import { presentLaunch } from '../../present/ops-creator.js';
import { brandOf, type Launches, type LaunchRow } from '../../store/launches.js';

/** Creators who took part show it a moment later. Source: docs/domain/network.md#launches-and-partnerships. */
export const opsLaunchAdd: WriteHandler<
  'ops_launch_add',
  { launches: Launches; launchPropagation: Pick<LaunchPropagation, 'soon'> }
> = async (ctx, input, { launches, launchPropagation }) => {
  const row: LaunchRow = {
    _id: randomUUID(),
    project: input.project,
    title: input.title ?? null,
    brand: brandOf(input.brand),
    date: input.date,
    segments: [...new Set(input.segments ?? [])],
    rev: 1,
    created_at: ctx.networkNow,
    updated_at: ctx.networkNow,
  };

  return change(presentLaunch(row), {
    save: (tx) => launches.add(tx, row),
    audit: [auditedBy(ctx, 'launch.added', row._id, input.reason, row)],
    committed: () => launchPropagation.soon(),
  });
};
