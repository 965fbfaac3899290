import { INTERNAL_CALL_MS, type RowRunner, raiseAlarm, type Sweep, systemContext } from '@cds/service';
import type { Dependencies } from '../dependencies.js';
import { STUCK_HOLD_MS } from '../domain/constants.js';
import { signingStuck } from '../domain/tasks.js';
import type { Authorities } from '../store/authority.js';
import type { SigningMachine } from './signing-machine.js';
import type { SigningTasks } from './signing-tasks.js';

const AT_ONCE = 16;

type RecoveryDependencies = Pick<Dependencies, 'log'> & {
  authorities: Authorities;
  signing: SigningMachine;
  tasks: SigningTasks;
};

/**
 * Finishes holds whose runner went silent (docs/reliability.md#signing); every replica runs it. While planning is
 * unavailable the holds stay, and after ten minutes each becomes an operator's task.
 */
export const recoveryWorker = ({ log, authorities, signing, tasks }: RecoveryDependencies, rows: RowRunner): Sweep => ({
  name: 'signings',
  everyMs: 1_000,
  run: (time, only) =>
    rows.run(
      {
        name: 'signings',
        find: (without) => authorities.expired(time.network, only, without),
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
              raiseAlarm(log, 'signing_stuck', about, 'a signing has not settled for ten minutes');
              await tasks.open(signingStuck(hold, time.network), hold, ctx.deadline);
            }
            throw error;
          }
        },
        atOnce: AT_ONCE,
      },
      only === null ? 'kept' : 'ignored',
    ),
});
