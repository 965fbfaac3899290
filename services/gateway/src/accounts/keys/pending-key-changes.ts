import type { RowRunner, Sweep } from '@cds/service';
import type { KeyChanges } from './store/key-changes.js';

/** Applies the changes of keys that a crash or an unavailable database left between their commit and their keys. */
export const pendingKeyChanges = (changes: Pick<KeyChanges, 'apply' | 'pending'>, rows: RowRunner): Sweep => ({
  name: 'key changes',
  everyMs: 1_000,
  ofNetwork: true,
  run: (_time, only) =>
    rows.run(
      {
        name: 'key changes',
        find: (without) => changes.pending(only, without),
        idOf: ({ _id }) => _id,
        handle: async (row) => {
          await changes.apply([row]);
          return 1;
        },
      },
      only === null ? 'kept' : 'ignored',
    ),
});
