import { createHash } from 'node:crypto';
import { unavailable } from '@cds/contracts';
import { actorOf, change, type WriteHandler } from '@cds/service';
import { askEach, type EventAdmins, servicesOr } from '../event-admins.js';

/**
 * Names services that did not answer (docs/reliability.md#events). The run's id is derived from the command, so a
 * repeat starts no second run. Raises unavailable when none answered.
 */
export const opsRepublish: WriteHandler<'ops_republish', { eventAdmins: EventAdmins }> = async (
  ctx,
  input,
  { eventAdmins },
) => {
  if (ctx.command === null) throw new Error('ops_republish ran without a command');
  const run = createHash('sha256').update(ctx.command.id).digest('hex').slice(0, 32);
  const asked = await askEach(servicesOr(input.service), (service) => eventAdmins[service].republish(ctx, { run }));
  const runs = asked.answers;
  if (runs.length === 0)
    throw unavailable(`No service answered: ${asked.unavailable.join(', ')}. Retry with the same Idempotency-Key.`, 2);

  return change(
    { runs, unavailable: asked.unavailable },
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
