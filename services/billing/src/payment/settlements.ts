import type { Sweep, SweepTime } from '@cds/service';
import { LostRace } from '@cds/service';
import type { SandboxSession } from '../domain/sandbox-rail.js';
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
    for (const session of await dueSessions(sessions, time, only)) {
      const due = session.settles_at;
      if (due === null) continue;
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

const dueSessions = async (
  sessions: SandboxSessions,
  time: SweepTime,
  only: string | null,
): Promise<SandboxSession[]> => {
  if (only !== null) return sessions.settlingOf(only, time.of(only));
  const due: SandboxSession[] = [];
  for (const { ws, due_at } of await sessions.workspacesSettling(time.horizon)) {
    if (due_at <= time.of(ws)) due.push(...(await sessions.settlingOf(ws, time.of(ws))));
  }
  return due;
};
