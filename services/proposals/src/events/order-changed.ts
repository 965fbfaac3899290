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
      for (const signed of order.lines) {
        const before = chains.get(signed.line_id) ?? null;
        const after = followOrder(order, signed, before, randomUUID);
        if (after === null) continue;
        await offers.put(tx, before, after);
        if (shouldEmit(before, after))
          await outbox.add(tx, [{ name: 'line.changed', payload: lineChanged(after) }], at);
      }
    },
    applied: async (order) => {
      if (order.sandbox) await due.applied(order.workspace);
    },
  });
