import type { WriteHandler } from '@cds/service';
import { type EventAdmins, letterOf } from '../event-admins.js';
import { changedLetter } from './changed-letter.js';

/**
 * Has its service apply it again; an applied one is unchanged. Raises not_found, and unavailable while a service that
 * may have it is silent (docs/domain/operators.md#operators).
 */
export const opsDeadLetterRetry: WriteHandler<'ops_dead_letter_retry', { eventAdmins: EventAdmins }> = async (
  ctx,
  { id, reason },
  { eventAdmins },
) =>
  changedLetter(ctx, 'dead_letter.retry', await letterOf((service) => eventAdmins[service].retry(ctx, { id })), reason);
