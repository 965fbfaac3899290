import { createHash } from 'node:crypto';
import { change, type WriteHandler } from '@cds/service';
import { type Desks, desksFor } from '../events/desks.js';

/**
 * Has one service, or all, publish the current state of its aggregates again. The run's id follows from the command, so
 * that a repeated request asks for no second run. Source: reliability 3.13.
 */
export const opsRepublish: WriteHandler<'ops_republish', { desks: Desks }> = async (ctx, input, { desks }) => {
  if (ctx.command === null) throw new Error('publishing again was asked for without a command');
  const run = createHash('sha256').update(ctx.command.id).digest('hex').slice(0, 32);
  const runs = await Promise.all(desksFor(desks, input.service).map((desk) => desk.republish(ctx, { run })));

  return change(
    { runs },
    {
      save: async () => undefined,
      audit: [
        {
          ws: '',
          actor: `operator:${ctx.principal.operator?.id ?? 'system'}`,
          action: 'events.republish',
          object: run,
          reason: input.reason ?? '',
          payload: { services: runs.map(({ service }) => service) },
        },
      ],
    },
  );
};
