import type { RowRunner, Sweep } from '@cds/service';
import type { RightEnds } from './store/right-ends.js';

/** Settles the ends of rights that a crash, billing or planning left open (docs/reliability.md#ended-rights). */
export const pendingRightEnds = (ends: Pick<RightEnds, 'apply' | 'pending'>, rows: RowRunner): Sweep => ({
  name: 'ends to settle',
  everyMs: 1_000,
  ofNetwork: true,
  run: (_time, only) =>
    rows.run(
      {
        name: 'ends to settle',
        find: (without) => ends.pending(without),
        idOf: ({ _id }) => _id,
        handle: async (row) => {
          await ends.apply(row);
          return 1;
        },
      },
      only === null ? 'kept' : 'ignored',
    ),
});
