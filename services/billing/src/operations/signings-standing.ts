import type { ReadHandler } from '@cds/service';
import type { Authorities } from '../store/authority.js';

/** Planning keeps the verdicts of those that it names. Source: docs/reliability.md#signing (I56). */
export const signingsStanding: ReadHandler<'signings_standing', { authorities: Authorities }> = async (
  _ctx,
  { signings },
  { authorities },
) => {
  const held = await authorities.heldSignings(
    signings.map(({ workspace, signing_id }) => ({ ws: workspace, signing_id })),
  );

  return { standing: [...held] };
};
