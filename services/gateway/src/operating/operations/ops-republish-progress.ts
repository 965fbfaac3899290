import { SERVICES } from '@cds/contracts';
import type { ReadHandler } from '@cds/service';
import { askEach, type EventAdmins } from '../event-admins.js';

/** Services that did not answer are named; those that never had a run are left out (docs/reliability.md#events). */
export const opsRepublishProgress: ReadHandler<'ops_republish_progress', { eventAdmins: EventAdmins }> = async (
  ctx,
  _input,
  { eventAdmins },
) => {
  const { answers, unavailable } = await askEach(SERVICES, (service) => eventAdmins[service].progress(ctx));
  return { runs: answers.flatMap(({ run }) => run ?? []), unavailable };
};
