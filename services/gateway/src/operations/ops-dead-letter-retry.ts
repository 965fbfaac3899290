import { AppError, notFound, SERVICES } from '@cds/contracts';
import { actorOf, change, type WriteHandler } from '@cds/service';
import { askEach, type EventAdmins } from '../events/event-admins.js';

/**
 * Asks the service that set an event aside to apply it. Returns the letter afterwards: applied, or still parked with
 * the new error; an applied one is unchanged. Raises not_found, and unavailable while a service that may have the
 * letter does not answer. Source: docs/domain/access.md#operators.
 */
export const opsDeadLetterRetry: WriteHandler<'ops_dead_letter_retry', { eventAdmins: EventAdmins }> = async (
  ctx,
  input,
  { eventAdmins },
) => {
  // An id does not name its service; the others answer that they have no such letter.
  const { answers, unavailable } = await askEach(SERVICES, (service) =>
    eventAdmins[service].retry(ctx, { id: input.id }),
  );
  const letter = answers.map((answer) => answer.letter).find((one) => one !== null);
  if (letter === undefined) {
    if (unavailable.length === 0) throw notFound('dead letter');
    throw new AppError(
      'unavailable',
      `No service that answered has this dead letter, and these did not answer: ${unavailable.join(', ')}. Retry later with the same Idempotency-Key.`,
      { retry_after: 2, unavailable },
    );
  }

  return change(letter, {
    save: async () => undefined,
    audit: [
      {
        ws: '',
        actor: actorOf(ctx),
        action: 'dead_letter.retry',
        object: letter.id,
        reason: input.reason,
        payload: { service: letter.service, subject: letter.subject, state: letter.state },
      },
    ],
  });
};
