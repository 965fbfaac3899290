import { notFound } from '@cds/contracts';
import { change, type WriteHandler } from '@cds/service';
import type { Desks } from '../events/desks.js';

/**
 * Has the service that set an event aside try to apply it. It answers the letter as it is afterwards: applied, or still
 * parked with the new error; one that is applied already stays so. Raises not_found. Source: domain 4-doors 4.
 */
export const opsDeadLetterRetry: WriteHandler<'ops_dead_letter_retry', { desks: Desks }> = async (
  ctx,
  input,
  { desks },
) => {
  // An id does not tell its service; the others answer that they have no such letter.
  const answers = await Promise.all(Object.values(desks).map((desk) => desk.retry(ctx, { id: input.id })));
  const letter = answers.map((answer) => answer.letter).find((one) => one !== null);
  if (letter === undefined) throw notFound('dead letter');

  return change(letter, {
    save: async () => undefined,
    audit: [
      {
        ws: '',
        actor: `operator:${ctx.principal.operator?.id ?? 'system'}`,
        action: 'dead_letter.retry',
        object: letter.id,
        reason: input.reason,
        payload: { service: letter.service, subject: letter.subject, state: letter.state },
      },
    ],
  });
};
