import { randomUUID } from 'node:crypto';
import { type EventPayload, type Output, PAYMENT_STATES } from '@cds/contracts';
import { deliver, deliverAll } from '@cds/service/testing';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { onLineChanged } from '../events/line-changed.js';
import { onOrderChanged } from '../events/order-changed.js';
import { aCreator, anId } from '../test/builders.js';
import { aRequest, NOW } from '../test/network.js';
import { testNetwork } from '../test/suite.js';
import { identityReveal } from './identity-reveal.js';

const ADA = anId(0xc1);
const BEN = anId(0xc2);
const CEM = anId(0xc3);
const WS = randomUUID();
const ORDER = randomUUID();

/** An event with only the fields that catalog's consumers read. */
const anEvent = <Name extends 'order.changed' | 'line.changed'>(fields: object) => fields as EventPayload<Name>;

describe('identity_reveal', () => {
  const network = testNetwork('reveal');

  const reveal = async (creator_ids: string[], over: Parameters<typeof aRequest>[0] = {}, order_id = ORDER) =>
    (
      (await identityReveal(
        aRequest({ workspace: WS, ...over }),
        { order_id, creator_ids },
        network,
      )) as Output<'identity_reveal'>
    ).creators;

  const orderIs = (over: { version: number; paid_at: string | null; creator_ids: string[]; payment_state?: string }) =>
    deliver(
      network.store,
      onOrderChanged(network.paidOrders),
      anEvent<'order.changed'>({
        order_id: ORDER,
        workspace: WS,
        version: over.version,
        payment_state: over.payment_state ?? 'paid',
        paid_at: over.paid_at,
        lines: [...over.creator_ids.map((creator_id) => ({ creator_id })), { creator_id: null }],
      }),
      new Date(NOW),
    );

  beforeAll(async () => {
    await network.take([
      aCreator({ id: ADA, handle: 'demo_ada', url: 'https://example.com/demo_ada' }),
      aCreator({ id: BEN, handle: 'real_ben', url: 'https://example.com/real_ben' }),
      aCreator({ id: CEM, handle: 'demo_cem', url: 'https://example.com/demo_cem' }),
    ]);
    await network.store.db
      .collection<{ _id: string }>('creators')
      .updateOne({ _id: BEN }, { $set: { generated: null } });
  });

  it('reveals nobody before the order is paid', async () => {
    await orderIs({ version: 1, paid_at: null, creator_ids: [ADA, BEN], payment_state: 'unpaid' });
    expect(await reveal([ADA, BEN])).toEqual([]);
  });

  it('reveals the creators of the workspace’s own paid order, and nobody else', async () => {
    await orderIs({ version: 2, paid_at: NOW, creator_ids: [ADA, BEN] });
    expect(await reveal([ADA, CEM])).toEqual([
      { creator_id: ADA, name: expect.any(String), handle: 'demo_ada', url: 'https://example.com/demo_ada' },
    ]);
    expect(await reveal([ADA], { workspace: randomUUID() })).toEqual([]);
    expect(await reveal([ADA], {}, randomUUID())).toEqual([]);
  });

  it('reveals no real creator in a sandbox', async () => {
    const shown = await reveal([ADA, BEN], { sandbox: true });
    expect(shown.map(({ handle }) => handle)).toEqual(['demo_ada', `sbx_${BEN.slice(0, 8)}`]);
  });

  it('names each creator by the handle that is theirs now, after handles changed hands', async () => {
    const source = { asOf: new Date(NOW), recordedAt: new Date(NOW), viewsSource: 'network', setBy: 'test' } as const;
    const ids = new Map(
      (await network.store.db.collection<{ _id: string; network_id: string }>('creators').find({}).toArray()).map(
        ({ _id, network_id }) => [_id, network_id],
      ),
    );
    const become = (of: [string, string][]) =>
      network.importer.importRows(
        of.map(([id, handle], row) => ({
          row,
          stated: { network_id: ids.get(id) ?? '', handle, units: [] },
          refused: [],
        })),
        source,
      );
    const named = async () => Object.fromEntries((await reveal([ADA, BEN])).map((one) => [one.creator_id, one.handle]));
    await become([
      [ADA, 'real_ben'],
      [BEN, 'demo_ada'],
    ]);
    expect(await named()).toEqual({ [ADA]: 'real_ben', [BEN]: 'demo_ada' });
    await become([
      [BEN, 'real_ben'],
      [ADA, 'demo_ada'],
    ]);
    expect(await named()).toEqual({ [ADA]: 'demo_ada', [BEN]: 'real_ben' });
  });

  it('takes a creator who left two offers unanswered within 60 days out of automatic plans', async () => {
    const silent = async (attempt: number, updated_at: string, sandbox = false): Promise<boolean | undefined> => {
      await deliver(
        network.store,
        onLineChanged(network.paidOrders, network.silent),
        anEvent<'line.changed'>({
          order_id: ORDER,
          workspace: WS,
          creator_id: ADA,
          line_id: ORDER,
          sandbox,
          attempt,
          proposal: { state: 'no_reply', replaced_creator_id: null, updated_at },
        }),
        new Date(NOW),
      );
      return (await network.operated.byId(ADA))?.manual_only;
    };
    expect(await silent(1, '2026-08-01T00:00:00.000Z')).toBe(false);
    expect(await silent(2, '2026-10-01T00:00:00.000Z')).toBe(false);
    expect(await silent(2, '2026-10-01T00:00:00.000Z')).toBe(false);
    expect(await silent(9, '2026-10-02T00:00:00.000Z', true)).toBe(false);
    expect(await silent(3, '2026-11-29T23:59:59.999Z')).toBe(true);
  });

  it('takes a creator out who left two of the offers unanswered that arrive together, and adds all their creators', async () => {
    const order = randomUUID();
    const unanswered = (line_id: string, creator_id: string) =>
      anEvent<'line.changed'>({
        order_id: order,
        workspace: WS,
        creator_id,
        line_id,
        sandbox: false,
        attempt: 1,
        proposal: { state: 'no_reply', replaced_creator_id: null, updated_at: NOW },
      });
    const [one, two, three] = [randomUUID(), randomUUID(), randomUUID()];
    const events = [unanswered(one, BEN), unanswered(two, CEM), unanswered(three, BEN)];
    await deliverAll(network.store, onLineChanged(network.paidOrders, network.silent), events, new Date(NOW));
    const manual = async (id: string) => (await network.operated.byId(id))?.manual_only;
    expect([await manual(BEN), await manual(CEM)]).toEqual([true, false]);
    expect(await network.paidOrders.holding(WS, [order], [ADA, BEN, CEM])).toEqual([BEN, CEM]);
  });

  it('includes a creator’s replacement on a line', async () => {
    await deliver(
      network.store,
      onLineChanged(network.paidOrders, network.silent),
      anEvent<'line.changed'>({ order_id: ORDER, workspace: WS, creator_id: CEM, proposal: { state: 'sent' } }),
      new Date(NOW),
    );
    expect((await reveal([CEM])).map(({ handle }) => handle)).toEqual(['demo_cem']);
  });
});

/** docs/reliability.md#handles: only `paid_at` opens the lock, and nothing closes it again. */
describe('the lock on handles', () => {
  const network = testNetwork('lock');

  beforeAll(async () => {
    await network.take([aCreator({ id: ADA, handle: 'demo_ada', url: 'https://example.com/demo_ada' })]);
  });

  type Payment = Pick<EventPayload<'order.changed'>, 'payment_state' | 'paid_at'>;
  const orderChanged = async (orderId: string, version: number, of: Payment): Promise<void> => {
    const order = { order_id: orderId, workspace: WS, version, ...of, lines: [{ creator_id: ADA }] };
    await deliver(network.store, onOrderChanged(network.paidOrders), anEvent<'order.changed'>(order), new Date(NOW));
  };
  const shown = async (orderId: string) => {
    const request = aRequest({ workspace: WS });
    const answer = await identityReveal(request, { order_id: orderId, creator_ids: [ADA] }, network);
    return (answer as Output<'identity_reveal'>).creators.map(({ handle }) => handle);
  };

  it.each(PAYMENT_STATES)('stays shut on an order that is %s and was never paid', async (payment_state) => {
    const orderId = randomUUID();
    await orderChanged(orderId, 1, { payment_state, paid_at: null });
    expect(await shown(orderId)).toEqual([]);
  });

  it.each(PAYMENT_STATES)('is open on an order that is %s and was paid once', async (payment_state) => {
    const orderId = randomUUID();
    await orderChanged(orderId, 1, { payment_state, paid_at: NOW });
    expect(await shown(orderId)).toEqual(['demo_ada']);
    for (const later of PAYMENT_STATES) await orderChanged(orderId, 2, { payment_state: later, paid_at: NOW });
    expect(await shown(orderId)).toEqual(['demo_ada']);
  });
});
