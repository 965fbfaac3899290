import type { CampaignStatus, OperationName } from '@cds/contracts';
import type { Random } from '../faults/random.js';
import type { FeedFold } from './feed-fold.js';
import { listOf } from './feed-stages.js';
import { aCampaign, aDraft } from './matrix-arguments.js';

// What somebody does next in a random history, drawn from what the feed or a read says of it.

export type Input = Record<string, unknown>;

/** A request of the key that signs, of the brand's owner, or of the operator's team. */
export type Act = { by: 'key' | 'person' | 'team'; name: OperationName; input: Input };
type Way = readonly [OperationName, Input];

export const DAY_S = 86_400;
const REASON = 'a test';

export const whole = (random: Random, low: number, high: number): number => Math.floor(random.between(low, high + 1));

const actOf = (by: Act['by'], [name, input]: Way): Act => ({ by, name, input });

/** What happens to the money of an order: it is paid, repaid or credited, or its lines end; null without an order. */
export const moneyAct = (fold: FeedFold, random: Random): Act | null => {
  const orders = fold.all('order');
  if (orders.length === 0) return null;
  const order = random.pick(orders);
  const { id } = order;
  if (order['paid_at'] === null) {
    const outcome = random.pick(['paid', 'pending', 'settled', 'failed'] as const);
    return random.next() < 0.7
      ? actOf('key', ['sandbox_order_payment', { id, outcome }])
      : actOf('person', ['order_cancel', { id, reason: REASON }]);
  }
  if (random.next() < 0.1) return actOf('team', ['ops_order_cancel', { id, reason: REASON }]);
  const line_id = random.pick(listOf(order['lines']))['line_id'];
  const amount_cents = whole(random, 1, 30_000);
  const due = listOf(order['credits']).filter(({ state }) => state === 'due');
  const ways: Way[] = [
    ['ops_order_refund', { id, amount_cents, reason: REASON }],
    ['ops_order_refund', { id, amount_cents, line_id, reason: REASON }],
    ['ops_line_cancel', { id: line_id, reason: REASON }],
    ...due.flatMap(({ id: credit }): Way[] => [
      ['ops_credit_refund', { id: credit, reason: REASON }],
      ['ops_credit_waive', { id: credit, reason: REASON }],
    ]),
  ];
  return actOf('team', random.pick(ways));
};

const POST_CHANGES = ['edit', 'edit', 'delete', 'restore', 'hide_disclosure', 'inflate'] as const;

/** What happens to the post of a booked line: it comes, it changes, or somebody claims or decides; null without one. */
export const postAct = (fold: FeedFold, random: Random): Act | null => {
  const booked = fold.all('line').filter((line) => line['booked'] === true);
  if (booked.length === 0) return null;
  const { id } = random.pick(booked);
  const open = fold.claims(id).find(({ state }) => state === 'open');
  if (open !== undefined && random.next() < 0.5) {
    const remedy = random.pick(['makegood', 'credit', 'none'] as const);
    return actOf('team', ['ops_dispute_decide', { id: open['id'], remedy, reason: REASON }]);
  }
  const disclosure = random.pick(['now', 'late', 'never'] as const);
  const verdict = random.next() < 0.7 ? 'accepted' : 'rejected';
  const ways: Way[] = [
    ['sandbox_line_post', { id, when: 'now', disclosure, verdict }],
    ['sandbox_line_post_change', { id, change: random.pick(POST_CHANGES) }],
    ['sandbox_line_post_change', { id, change: random.pick(POST_CHANGES) }],
    ['line_dispute', { id, claim: 'not_as_agreed', text: 'It shows another product.' }],
  ];
  return actOf('key', random.pick(ways));
};

/** What a key does with a campaign, or with none: it starts one, edits or signs its plan, or lets time pass. */
export const campaignAct = (
  today: string,
  status: CampaignStatus | null,
  units: readonly string[],
  random: Random,
): Act => {
  const advance: Way = ['sandbox_clock_advance', { seconds: Math.ceil(random.next() * 6 * DAY_S) }];
  if (status === null || random.next() < 0.15)
    return actOf('key', ['create_campaign', random.next() < 0.7 ? aCampaign(today) : aDraft(today)]);
  const { id, plan } = status;
  const ways: Way[] = [
    ['rename_campaign', { id, name: `Orbit ${whole(random, 1, 99)}` }],
    ['rename_campaign', { id, replacements: random.next() < 0.5 ? 'ask' : 'auto' }],
    ['set_creator_guidelines', { id, pitch: `Try Orbit ${whole(random, 1, 99)}.`, dos: ['Show it'] }],
  ];
  if (plan === null) return actOf('key', random.pick<Way>([...ways, ['delete_campaign', { id }]]));
  if (plan.status === 'approved') return actOf('key', random.next() < 0.8 ? advance : random.pick(ways));
  const line_id = random.pick(plan.lines).id;
  const unit_id = random.pick(units);
  const day = (days: number) => new Date(Date.parse(today) + days * DAY_S * 1_000).toISOString().slice(0, 10);
  return actOf(
    'key',
    random.pick<Way>([
      ...ways,
      ['plan_add_creator', { id: plan.id, unit_id }],
      ['plan_swap_creator', { id: plan.id, line_id, unit_id }],
      ['plan_remove_creator', { id: plan.id, line_id }],
      ['plan_move_dates', { id: plan.id, start: day(4 + whole(random, 0, 3)), end: day(28) }],
      ['sandbox_unit_set', { unit_id, price_cents: whole(random, 10_000, 200_000) }],
      ['approve_plan', { id: plan.id }],
      ['approve_plan', { id: plan.id }],
    ]),
  );
};
