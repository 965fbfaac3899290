import type { Pauses, RowRunner, Sweep } from '@cds/service';
import type { Receiver } from '../../payment/receiver.js';
import type { PaymentWorker } from '../../payment/worker.js';
import type { SandboxRail } from './sandbox-rail.js';
import type { SandboxSessions } from './sandbox-sessions.js';

export const sandboxSettlements = (
  sessions: SandboxSessions,
  rail: SandboxRail,
  receiver: Receiver,
  worker: PaymentWorker,
  rows: RowRunner,
): Sweep => {
  const settle = (ws: string, until: Date, pauses: Pauses) =>
    rows.run(
      {
        name: 'sandbox settlements',
        find: (without) => sessions.settlingOf(ws, until, without),
        idOf: (session) => session._id,
        handle: async (session) => {
          const due = session.settles_at;
          const delivery = due === null ? null : await rail.play(session, 'settle', due);
          if (delivery === null) return 0;
          const body = { raw: Buffer.from(delivery.raw), signature: delivery.signature };
          const id = await receiver.receive(rail.name, body);
          if (id !== null) await worker.apply(id);
          return 1;
        },
      },
      pauses,
    );

  return {
    name: 'sandbox settlements',
    everyMs: 5_000,
    run: async (time, only) => {
      if (only !== null) return settle(only, time.of(only), 'ignored');
      let settled = 0;
      for (const { ws, due_at } of await sessions.workspacesSettling(time.horizon)) {
        if (due_at <= time.of(ws)) settled += await settle(ws, time.of(ws), 'kept');
      }
      return settled;
    },
  };
};
