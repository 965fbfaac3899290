import type { Sweep } from '@cds/service';
import { LostRace } from '@cds/service';
import type { SandboxSessions } from '../store/sandbox-sessions.js';
import type { Receiver } from './receiver.js';
import type { SandboxRail } from './sandbox-rail.js';
import type { PaymentWorker } from './worker.js';

/** Settles delayed sandbox payments at their own time, by an event like any rail's (domain 3-orders 6.2). */
export const settlements = (
  sessions: SandboxSessions,
  rail: SandboxRail,
  receiver: Receiver,
  worker: PaymentWorker,
): Sweep => ({
  name: 'sandbox settlements',
  everyMs: 1_000,
  run: async (time, only) => {
    let settled = 0;
    for (const session of await sessions.settlingUntil(time.horizon, only)) {
      const due = session.settles_at;
      if (due === null || due > time.of(session.ws)) continue;
      try {
        const delivery = await rail.play(session, 'settle', due);
        if (delivery === null) continue;
        const id = await receiver.receive(rail.name, { raw: Buffer.from(delivery.raw), signature: delivery.signature });
        await worker.apply(id);
        settled += 1;
      } catch (error) {
        if (!(error instanceof LostRace)) throw error; // Another replica settled it.
      }
    }
    return settled;
  },
});
