import type { EventName, EventPayload, Input } from '@cds/contracts';
import {
  Audit,
  type Client,
  Clocks,
  Commands,
  type Consumer,
  clockSet,
  Deadline,
  DueFacts,
  type DueSource,
  inTx,
  MandateChecks,
  Outbox,
  RowRunner,
  sweepTime,
  type Tx,
  type WriteShell,
} from '@cds/service';
import { deliver, testStore } from '@cds/service/testing';
import { pino } from 'pino';
import type { Chain } from '../domain/chain.js';
import type { Move } from '../domain/moves.js';
import type { Found } from '../domain/search.js';
import { orderChanged } from '../events/order-changed.js';
import { postChanged } from '../events/post-changed.js';
import { Offers } from '../store/offers.js';
import { dueProposals } from '../sweeps/due-proposals.js';

/** The service's collections, consumers and sweep on a real MongoDB. */
export const offersOnMongo = async () => {
  const { store, drop } = await testStore('proposals', 'proposals');
  const shell: WriteShell = {
    store,
    commands: new Commands(store),
    outbox: new Outbox(store),
    audit: new Audit(store),
  };
  const offers = new Offers(store);
  const checks = new MandateChecks(store);
  const clocks = new Clocks(store);
  const log = pino({ level: 'silent' });
  const rows = new RowRunner(store, log);
  const found: Found = { replacements: 'auto', candidates: [] };
  const searches: Input<'replacement_candidates'>[] = [];
  const refuse: { search: ((campaignId: string) => boolean | Promise<boolean>) | null } = { search: null };
  const calls: Client<'replacement_candidates'> = {
    replacement_candidates: async (_ctx, asked) => {
      searches.push(asked);
      if (await refuse.search?.(asked.campaign_id)) throw new Error('planning fails');
      const { replacements, candidates } = found;
      const lines = asked.lines.map(({ line_id, exclude }) => ({
        line_id,
        unit_ids: candidates
          .filter(({ creator_id: id }) => !asked.exclude.includes(id) && !exclude.includes(id))
          .slice(0, asked.most)
          .map(({ unit_id }) => unit_id),
      }));
      const named = new Set(lines.flatMap(({ unit_ids }) => unit_ids));
      return { replacements, candidates: candidates.filter(({ unit_id }) => named.has(unit_id)), lines };
    },
  };
  const source: DueSource = dueProposals({ store, offers, outbox: shell.outbox, calls, rows });
  const due = new DueFacts(clocks, source, log);
  const consumers = {
    order: orderChanged({ offers, outbox: shell.outbox, due }),
    post: postChanged({ offers, outbox: shell.outbox, due }),
    clock: clockSet(clocks, due),
  };
  await store.migrate();

  const chainOf = async (ws: string, lineId: string) => {
    const chain = await offers.byLine(ws, lineId);
    if (chain?.proposal == null) throw new Error('no chain');
    return { line: chain.line, proposal: chain.proposal };
  };
  const inOne = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => inTx(store, Deadline.in(5_000), work);
  const at = (now: string) => sweepTime(new Date(now), new Map()).network;
  return {
    shell,
    offers,
    checks,
    clocks,
    due,
    consumers,
    drop,
    chainOf,
    /** Saves a move that was decided on a chain. */
    save: (before: Chain, move: Move): Promise<void> => inOne((tx) => offers.save(tx, before, move)),
    /** The same for the chain of a line, which is answered as it was before. */
    move: async (ws: string, lineId: string, to: (before: Chain) => Move) => {
      const before = await chainOf(ws, lineId);
      await inOne((tx) => offers.save(tx, before, to(before)));
      return before;
    },
    /** Saves what a write decided. */
    saved: async (decided: unknown): Promise<void> => {
      if (!isChange(decided)) throw new Error('expected a change');
      await inOne((tx) => decided.parts.save(tx));
    },
    /** What planning answers to searches, and what it was asked. */
    found,
    searches,
    /** Whether planning fails for a campaign, and what else happens while it searches. */
    refuse,
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

const isChange = (decided: unknown): decided is { parts: { save: (tx: Tx) => Promise<void> } } =>
  typeof decided === 'object' && decided !== null && 'parts' in decided;

export type OffersWorld = Awaited<ReturnType<typeof offersOnMongo>>;
