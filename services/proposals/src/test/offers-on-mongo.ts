import type { EventName, EventPayload } from '@cds/contracts';
import {
  Audit,
  Clocks,
  Commands,
  type Consumer,
  clockSet,
  DueFacts,
  type DueSource,
  Outbox,
  RowRunner,
  sweepTime,
  type WriteShell,
} from '@cds/service';
import { deliver, testStore } from '@cds/service/testing';
import { pino } from 'pino';
import { orderChanged } from '../events/order-changed.js';
import { postChanged } from '../events/post-changed.js';
import { Offers } from '../store/offers.js';
import { dueProposals } from '../sweeps/due-proposals.js';

/** The service's collections, consumers and sweep on a real MongoDB. */
export const offersOnMongo = async () => {
  const { store, drop } = await testStore('proposals');
  const shell: WriteShell = {
    store,
    commands: new Commands(store),
    outbox: new Outbox(store),
    audit: new Audit(store),
  };
  const offers = new Offers(store);
  const clocks = new Clocks(store);
  const log = pino({ level: 'silent' });
  const rows = new RowRunner(store, log);
  const source: DueSource = dueProposals({ store, offers, outbox: shell.outbox, rows });
  const due = new DueFacts(clocks, source, log);
  const consumers = {
    order: orderChanged({ offers, outbox: shell.outbox, due }),
    post: postChanged({ offers }),
    clock: clockSet(clocks, due),
  };
  await store.migrate();

  const at = (now: string) => sweepTime(new Date(now), new Map()).network;
  return {
    shell,
    offers,
    clocks,
    due,
    consumers,
    drop,
    /** Applies an event as the inbox does. */
    deliver: <N extends EventName>(consumer: Consumer, payload: EventPayload<N>): Promise<void> =>
      deliver(store, consumer, payload, new Date('2026-11-21T12:00:00.000Z')),
    /** Moves a sandbox's clock to an instant and handles what became due. */
    jump: (ws: string, to: string): Promise<number> => source.handleSandbox(ws, new Date(to), at(to), 'ignored'),
    /** The same for all live workspaces. */
    liveSweep: (now: string): Promise<number> => source.handleLive(at(now)),
    emitted: async (lineId: string) => {
      const rows = await shell.outbox.rows.find({ aggregate: lineId }).sort({ version: 1 }).toArray();
      return rows.map((row) => row.payload as EventPayload<'line.changed'>);
    },
  };
};
