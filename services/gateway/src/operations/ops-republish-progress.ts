import type { ReadHandler } from '@cds/service';
import type { Desks } from '../events/desks.js';

/** How far each service's newest run is; a service that never had one is left out. Source: reliability 3.13. */
export const opsRepublishProgress: ReadHandler<'ops_republish_progress', { desks: Desks }> = async (
  ctx,
  _input,
  { desks },
) => {
  const answers = await Promise.all(Object.values(desks).map((desk) => desk.progress(ctx)));
  return { runs: answers.flatMap(({ run }) => run ?? []) };
};
