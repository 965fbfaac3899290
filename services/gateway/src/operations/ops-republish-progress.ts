import type { ReadHandler } from '@cds/service';
import type { EventAdmins } from '../events/event-admins.js';

/**
 * The progress of each service's newest run, without services that never had one. Source: docs/reliability.md#events.
 */
export const opsRepublishProgress: ReadHandler<'ops_republish_progress', { eventAdmins: EventAdmins }> = async (
  ctx,
  _input,
  { eventAdmins },
) => {
  const answers = await Promise.all(Object.values(eventAdmins).map((admin) => admin.progress(ctx)));
  return { runs: answers.flatMap(({ run }) => run ?? []) };
};
