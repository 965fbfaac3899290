import { type RowRunner, type Sweep, systemContext } from '@cds/service';
import { type ResetDeps, runReset } from './reset-sandbox.js';

const RUN_MS = 20_000;

/** Continues resets whose runner stopped, from the unfinished step. */
export const unfinishedResets = (deps: ResetDeps, rows: RowRunner): Sweep => ({
  name: 'unfinished resets',
  everyMs: 5_000,
  run: (time, only) =>
    rows.run(
      {
        name: 'unfinished resets',
        find: (without) => deps.resets.unfinished(only, without),
        idOf: ({ _id }) => _id,
        handle: async (reset) => {
          const { ws: workspace } = reset;
          const now = time.of(workspace);
          const ctx = systemContext({ workspace, sandbox: true, now, networkNow: time.network, limitMs: RUN_MS });
          await ctx.deadline.run(() => runReset(ctx, reset, deps));
          return 1;
        },
      },
      only === null ? 'kept' : 'ignored',
    ),
});
