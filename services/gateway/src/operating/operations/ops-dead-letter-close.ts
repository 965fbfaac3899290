import type { WriteHandler } from '@cds/service';
import { type EventAdmins, letterOf } from '../event-admins.js';
import { changedLetter } from './changed-letter.js';

/**
 * Has its service close an event that will never be applied; an applied one is unchanged. Raises not_found, and
 * unavailable while a service that may have it is silent (docs/domain/operators.md#operators).
 */
export const opsDeadLetterClose: WriteHandler<'ops_dead_letter_close', { eventAdmins: EventAdmins }> = async (
  ctx,
  { id, reason },
  { eventAdmins },
) =>
  changedLetter(ctx, 'dead_letter.close', await letterOf((service) => eventAdmins[service].close(ctx, { id })), reason);
