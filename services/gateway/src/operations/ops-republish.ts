import { createHash } from 'node:crypto';
import { actorOf, change, type WriteHandler } from '@cds/service';
import { type EventAdmins, servicesOr } from '../events/event-admins.js';

/**
 * Asks one service, or all, to publish the current state of their aggregates again. The id of the run is derived from
 * the command, so that a repeated request starts no second run. Source: docs/reliability.md#events.
 */
export const opsRepublish: WriteHandler<'ops_republish', { eventAdmins: EventAdmins }> = async (
  ctx,
  input,
  { eventAdmins },
) => {
  if (ctx.command === null) throw new Error('ops_republish ran without a command');
  const run = createHash('sha256').update(ctx.command.id).digest('hex').slice(0, 32);
  const runs = await Promise.all(
    servicesOr(input.service).map((service) => eventAdmins[service].republish(ctx, { run })),
  );

  return change(
    { runs },
    {
      save: async () => undefined,
      audit: [
        {
          ws: '',
          actor: actorOf(ctx),
          action: 'events.republish',
          object: run,
          reason: input.reason ?? '',
          payload: { services: runs.map(({ service }) => service) },
        },
      ],
    },
  );
};
