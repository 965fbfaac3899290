import { Holdings } from './holdings.js';
import { brandRefusal, cancel, type Order, play, type Reached, teamRefusal } from './orders.js';
import { addDays, daysBetween, type Refused } from './plans.js';

const UNPAID_DAYS = 14;
/** Longer, and prices of the network would grow old. */
const MOST_DAYS = 25;

export class OrderHoldings extends Holdings {
  private readonly begun = this.today;

  mayAdvance(days: number): boolean {
    return daysBetween(this.begun, this.today) + days < MOST_DAYS;
  }

  daysOf(days: number | 'to the next month'): number {
    if (days !== 'to the next month') return days;
    const [year = 0, month = 0] = this.today.split('-').map(Number);
    return daysBetween(this.today, new Date(Date.UTC(year, month, 1)).toISOString().slice(0, 10));
  }

  /** Days pass: a payment on its way settles, an order left unpaid for 14 days ends, creators of paid ones answer. */
  advance(days: number): void {
    this.today = addDays(this.today, days);
    for (const plan of this.plans) {
      const { order } = plan;
      if (order === undefined) continue;
      if (order.state === 'processing') play(order, 'settled');
      if (order.state === 'unpaid' && daysBetween(order.signedOn, this.today) >= UNPAID_DAYS) this.ended(order);
      plan.isStaffed = order.wasPaid;
    }
  }

  /** Cancels an order that nobody paid; its cents return to the month of its approval. */
  private ended(order: Order): void {
    cancel(order);
    this.spent.set(order.month, (this.spent.get(order.month) ?? 0) - order.totalCents);
  }

  cancelOrder(order: Order, by: 'brand' | 'team', reached?: ReadonlyMap<string, Reached>): Refused | null {
    const refused = by === 'brand' ? brandRefusal(order) : teamRefusal(order);
    if (refused !== null) return refused;
    if (order.state === 'unpaid') this.ended(order);
    else cancel(order, reached);
    return null;
  }
}
