import type { WriteHandler } from '@cds/service';
import { type EventAdmins, letterOf } from '../event-admins.js';
import { changedLetter } from './changed-letter.js';

/**
 * Has the service that set an event aside close it, because it will never be applied. Returns the letter afterwards; an
 * applied one is unchanged. Raises not_found, and unavailable while a service that may have the letter does not answer.
 * Source: docs/domain/operators.md#operators.
 */
export const opsDeadLetterClose: WriteHandler<'ops_dead_letter_close', { eventAdmins: EventAdmins }> = async (
  ctx,
  { id, reason },
  { eventAdmins },
) =>
  changedLetter(ctx, 'dead_letter.close', await letterOf((service) => eventAdmins[service].close(ctx, { id })), reason);
