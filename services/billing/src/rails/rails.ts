import type { Order } from '../domain/order.js';
import type { InvoiceRail } from './invoice/invoice-rail.js';
import type { PaymentRail } from './rail.js';
import type { SandboxRail } from './sandbox/sandbox-rail.js';

export class Rails {
  private readonly byNames: ReadonlyMap<string, PaymentRail>;

  constructor(
    readonly sandbox: SandboxRail,
    readonly invoice: InvoiceRail,
    /** Null while no card rail is configured: live orders are then paid by invoice. */
    readonly cards: PaymentRail | null,
  ) {
    const all: PaymentRail[] = [sandbox, invoice, ...(cards === null ? [] : [cards])];
    this.byNames = new Map(all.map((rail) => [rail.name, rail]));
  }

  byName(name: string): PaymentRail | null {
    return this.byNames.get(name) ?? null;
  }

  of(order: Pick<Order, 'rail' | 'sandbox'>): PaymentRail | null {
    if (order.rail === 'invoice') return this.invoice;
    return this.checkout(order.sandbox);
  }

  checkout(sandbox: boolean): PaymentRail | null {
    return sandbox ? this.sandbox : this.cards;
  }
}
