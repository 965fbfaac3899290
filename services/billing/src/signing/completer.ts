import { INTERNAL_CALL_MS, type Sweep, systemContext } from '@cds/service';
import { STUCK_HOLD_MS } from '../domain/constants.js';
import { signingStuck } from '../domain/tasks.js';
import type { Authorities } from '../store/authority.js';
import type { Kit } from './kit.js';
import type { Signing } from './signing.js';

const AT_ONCE = 16;

/**
 * Finishes holds whose runner went silent (reliability 3.5); every replica runs it. While planning is away the holds
 * stay, and after ten minutes they are an operator's task.
 */
export const completer = (kit: Kit, authorities: Authorities, signing: Signing): Sweep => ({
  name: 'signings',
  everyMs: 1_000,
  run: async (time, only) => {
    const waiting = await authorities.expired(time.network, only);
    let finished = 0;
    const work = waiting.values();
    const runner = async () => {
      for (const { hold } of work) {
        const ctx = systemContext({
          workspace: hold.ws,
          sandbox: hold.principal.sandbox,
          now: time.of(hold.ws),
          networkNow: time.network,
          limitMs: 2 * INTERNAL_CALL_MS,
        });
        try {
          await signing.finish(ctx, hold);
          finished += 1;
        } catch (error) {
          const stuck = time.network.getTime() - hold.until.getTime() > STUCK_HOLD_MS;
          const facts = { err: error, signing_id: hold.signing_id, plan_id: hold.plan_id };
          if (!stuck) {
            kit.log.warn(facts, 'a signing could not be finished yet');
            continue;
          }
          kit.log.error({ ...facts, alarm: 'signing_stuck' }, 'a signing has not settled for ten minutes');
          await signing.openTask(signingStuck(hold, time.network), hold, ctx.deadline);
        }
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, runner));
    return finished;
  },
});
