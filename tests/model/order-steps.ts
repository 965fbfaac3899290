import { setTimeout as delay } from 'node:timers/promises';
import type { BrandOrder, CampaignStatus } from '@cds/contracts';
import { expect } from '@jest/globals';
import type { Of } from './actions.js';
import { adopt, byText, type Credit, moneyOf, type Order, payCredit, play, type Reached, refund } from './orders.js';
import { at, type Playing } from './playing.js';

const READS = 100;
const READ_AGAIN_MS = 100;

export const onOrder = async (playing: Playing, action: Of<'pay' | 'cancel' | 'refund' | 'credit'>): Promise<null> => {
  const order = at(playing.model.orders, action.order);
  if (order === undefined) return null;
  const known = await readOrder(playing, order);
  const { workspace, clock } = playing.real;
  const { model } = playing;
  const now = clock.now();
  const reason = 'a test';
  const id = order.id;
  if (action.do === 'pay') {
    const { outcome } = action;
    const result = await workspace.gatewayBus('key', now, 'sandbox_order_payment', { id, outcome });
    playing.compare('pay', result, play(order, outcome));
  } else if (action.do === 'cancel') {
    const operation = action.by === 'brand' ? 'order_cancel' : 'ops_order_cancel';
    const reached = await reachedBy(playing, order, now);
    const result = await workspace.gatewayBus(action.by === 'brand' ? 'person' : 'team', now, operation, {
      id,
      reason,
    });
    playing.compare(operation, result, model.cancelOrder(order, action.by, reached));
  } else if (action.do === 'refund') {
    const line = action.line === null ? undefined : at(order.lines, action.line);
    const cents = Math.max(1, action.cents(line?.priceCents ?? order.totalCents));
    const input = { id, amount_cents: cents, reason, ...(line !== undefined && { line_id: line.id }) };
    const result = await workspace.gatewayBus('team', now, 'ops_order_refund', input);
    playing.compare('refund', result, refund(order, cents, line));
  } else {
    const found = at(known.credits, action.credit);
    const credit = found === undefined ? undefined : order.credits.find((one) => isSame(one, found));
    if (found === undefined || credit === undefined) return null;
    const result = await workspace.gatewayBus('team', now, 'ops_credit_refund', { id: found.id, reason });
    playing.compare('credit', result, payCredit(order, credit));
  }
  await readOrder(playing, order);
  return null;
};

/** How far creators have come with the lines of an order. Nothing comes further while no day passes. */
const reachedBy = async ({ model, real }: Playing, order: Order, at: Date): Promise<Map<string, Reached>> => {
  const plan = model.plans.find((one) => one.order === order);
  if (plan?.isStaffed !== true) return new Map();
  const { value } = await real.workspace.call({ transport: 'REST', key: 'full' }, 'campaign_status', {
    id: plan.campaign.id,
  });
  const { lines } = (value as CampaignStatus).plan ?? { lines: [] };
  return new Map(lines.map(({ id, status, scheduled_date: date }) => [id, { status, date, at }]));
};

const isSame = (one: Credit, { line_id, amount_cents, state }: BrandOrder['credits'][number]): boolean =>
  one.line === line_id && one.cents === amount_cents && one.state === state;

/** Reads an order until it is as in the reference: a refund that was accepted is made a moment later. */
export const readOrder = async ({ real }: Playing, order: Order): Promise<BrandOrder> => {
  for (let reads = 1; ; reads += 1) {
    const result = await real.workspace.call({ transport: 'REST', key: 'full' }, 'order_get', { id: order.id });
    const read = result.value as BrandOrder;
    adopt(order, fulfilmentIn(read), allEnded(read));
    try {
      expect(shownOf(read)).toEqual(moneyOf(order));
      return read;
    } catch (error) {
      if (reads === READS) throw error;
    }
    await delay(READ_AGAIN_MS);
  }
};

/** The causes that the team names; any other is fulfilment's. */
const TEAM = ['cancelled', 'remedy'];
const fulfilmentIn = ({ credits }: BrandOrder) =>
  credits
    .filter(({ cause }) => !TEAM.includes(cause))
    .map(({ id, line_id, amount_cents }) => ({ id, line: line_id, cents: amount_cents }));

/** A cancelled order each of whose lines fulfilment ended; a line that only a cheaper creator filled continues. */
const allEnded = ({ payment_state, credits, lines }: BrandOrder): boolean =>
  payment_state === 'cancelled' &&
  lines.every(({ line_id }) =>
    credits.some((one) => one.line_id === line_id && !TEAM.includes(one.cause) && one.cause !== 'cheaper'),
  );

const shownOf = (read: BrandOrder): ReturnType<typeof moneyOf> => ({
  payment_state: read.payment_state,
  total_cents: read.total_cents,
  received_cents: read.received_cents,
  refunded_cents: read.refunds.reduce((sum, one) => sum + one.amount_cents, 0),
  committed_cents: read.committed_cents,
  unused_cents: read.unused_cents,
  stray_cents: read.stray_cents,
  credits: read.credits.map((one) => `${one.line_id} ${one.amount_cents} ${one.state}` as const).sort(byText),
  lines: read.lines.map(({ line_id, committed_cents }) => ({ line_id, committed_cents })),
});
