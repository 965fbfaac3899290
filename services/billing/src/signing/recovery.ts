import { type Ctx, INTERNAL_CALL_MS, type RowRunner, raiseAlarm, type Sweep, systemContext } from '@cds/service';

import type { Dependencies } from '../dependencies.js';
import { type Authority, type Hold, isGated } from '../domain/authority.js';
import { STUCK_HOLD_MS } from '../domain/constants.js';
import { signingStuck } from '../domain/tasks.js';
import { openTask, type TaskDependencies } from './order-writer.js';
import type { SigningMachine } from './signing.js';

const AT_ONCE = 16;

type RecoveryDependencies = TaskDependencies & { signing: SigningMachine };

/** While planning is unavailable holds stay; after ten minutes each is a task (docs/reliability.md#signing). */
export const recoveryWorker = ({ signing, ...deps }: RecoveryDependencies, rows: RowRunner): Sweep => ({
  name: 'signings',
  everyMs: 1_000,
  run: (time, only) =>
    rows.run(
      {
        name: 'signings',
        find: (without) => deps.authorities.expired(time.network, only, without),
        idOf: ({ hold }) => hold.signing_id,
        handle: async ({ hold }) => {
          const ctx = systemContext({
            workspace: hold.ws,
            sandbox: hold.principal.sandbox,
            now: time.of(hold.ws),
            networkNow: time.network,
            limitMs: 2 * INTERNAL_CALL_MS,
          });
          try {
            await signing.recover(ctx, hold);
            return 1;
          } catch (error) {
            const stuck = time.network.getTime() - hold.until.getTime() > STUCK_HOLD_MS;
            if (stuck) {
              const about = { err: error, signing_id: hold.signing_id, plan_id: hold.plan_id };
              raiseAlarm(deps.log, 'signing_stuck', about, 'a signing has not settled for ten minutes');
              await openTask(deps, signingStuck(hold, time.network), hold, ctx.deadline);
            }
            throw error;
          }
        },
        atOnce: AT_ONCE,
      },
      only === null ? 'kept' : 'ignored',
    ),
});

export class GatedSignings {
  constructor(
    private readonly signing: SigningMachine,
    private readonly log: Dependencies['log'],
  ) {}

  /** Has planning close them or repeat its verdict. Raises unavailable when it does not answer for one of them. */
  async settle(ctx: Ctx, authority: Authority): Promise<void> {
    const gated = authority.holds.filter((hold) => hold.refusal === undefined && isGated(authority, hold));
    await Promise.all(gated.map((hold) => this.settleOne(ctx, hold)));
  }

  private async settleOne({ now, networkNow, deadline }: Ctx, hold: Hold): Promise<void> {
    const of = { workspace: hold.ws, sandbox: hold.principal.sandbox, now, networkNow };
    const ctx: Ctx = { ...systemContext(of), deadline };
    const decided = await this.signing.close(ctx, hold);
    try {
      await this.signing.finish(ctx, decided);
    } catch (error) {
      // The verdict is final, and the recovery worker finishes the hold.
      this.log.warn({ err: error, signing_id: hold.signing_id }, 'a settled signing is left to the recovery worker');
    }
  }
}
