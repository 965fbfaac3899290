import { randomUUID } from 'node:crypto';
import { type Consumer, consumerOf, type DueFacts, type Outbox } from '@cds/service';
import { followOrder, shouldEmit } from '../domain/follow-order.js';
import { lineChanged } from '../present/line-changed.js';
import type { Offers } from '../store/offers.js';

/** Follows orders: payment begins a chain per line with a creator, cancellation or refund withdraws it (I29, I35). */
export const orderChanged = ({ offers, outbox, due }: { offers: Offers; outbox: Outbox; due: DueFacts }): Consumer =>
  consumerOf({
    event: 'order.changed',
    apply: async (tx, order, at) => {
      const chains = await offers.ofOrder(tx, order.workspace, order.order_id);
      const changes = order.lines.flatMap((signed) => {
        const before = chains.get(signed.line_id) ?? null;
        const after = followOrder(order, signed, before, randomUUID);
        return after === null ? [] : { before, after };
      });
      await offers.put(tx, changes);
      const emitted = changes.flatMap(({ before, after }) => (shouldEmit(before, after) ? lineChanged(after) : []));
      await outbox.add(
        tx,
        emitted.map((payload) => ({ name: 'line.changed', payload })),
        at,
      );
    },
    applied: (orders) => due.applied(orders.flatMap(({ sandbox, workspace }) => (sandbox ? workspace : []))),
  });
