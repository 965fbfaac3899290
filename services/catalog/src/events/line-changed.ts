import type { EventPayload } from '@cds/contracts';
import { type Audit, type Consumer, consumerOf, Deadline, inTx, type Store } from '@cds/service';
import type { OperatedCreators } from '../store/operated-creators.js';
import type { PaidOrder, PaidOrders } from '../store/paid-orders.js';
import type { Silence, Silences } from '../store/silences.js';

type LineChanged = EventPayload<'line.changed'>;
type Silent = { store: Store; audit: Audit; silences: Silences; operated: OperatedCreators };

/** As many unanswered offers end automatic plans for a creator (docs/domain/orders.md#proposals). */
const SILENT_AT = 2;
const CHANGE_MS = 5_000;

/** Lines exist only for paid orders. A creator who left two live offers unanswered leaves automatic plans. */
export const onLineChanged = (paidOrders: PaidOrders, silent: Silent): Consumer =>
  consumerOf({
    event: 'line.changed',
    projectAll: async (lines, at) => {
      await paidOrders.addAll(ordersOf(lines));
      const silences = lines.filter((line) => !line.sandbox && line.proposal.state === 'no_reply').map(silenceOf);
      if (silences.length > 0) await noteSilences(silences, at, silent);
    },
  });

const ordersOf = (lines: readonly LineChanged[]): PaidOrder[] => {
  const orders = new Map<string, PaidOrder & { creatorIds: string[] }>();
  for (const { order_id: id, workspace, creator_id } of lines) {
    const order = orders.get(id) ?? { id, workspace, creatorIds: [], version: 0 };
    order.creatorIds.push(creator_id);
    orders.set(id, order);
  }
  return [...orders.values()];
};

const silenceOf = ({ line_id, attempt, creator_id, proposal }: LineChanged): Silence => ({
  _id: `${line_id}|${attempt}`,
  creator_id,
  at: new Date(proposal.updated_at),
});

const noteSilences = async (noted: readonly Silence[], at: Date, silent: Silent): Promise<void> => {
  const { silences, operated } = silent;
  await silences.note(noted);
  const automatic = new Set(await operated.automaticAmong(noted.map(({ creator_id }) => creator_id)));
  for (const silence of noted) {
    if (!automatic.has(silence.creator_id)) continue;
    if ((await silences.countUpTo(silence)) < SILENT_AT) continue;
    await takeOut(silence.creator_id, at, silent);
    automatic.delete(silence.creator_id);
  }
};

const takeOut = async (creatorId: string, at: Date, { store, audit, operated }: Silent): Promise<void> => {
  const creator = await operated.byId(creatorId);
  if (creator === null || creator.manual_only) return;
  await inTx(store, Deadline.in(CHANGE_MS), async (tx) => {
    await operated.change(tx, creator, { manual_only: true });
    await audit.add(
      tx,
      [{ ws: '', actor: 'system', action: 'creator.manual_only', object: creatorId, payload: { cause: 'no_reply' } }],
      at,
    );
  });
};
