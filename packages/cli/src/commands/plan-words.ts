import type { PlanPreflight, PlanRationale, Quote } from '@cds/sdk';
import { count, facts, money, plural, table } from '../output.js';
import type { World } from '../world.js';

const refusalOf = ({ policy }: Quote): string =>
  policy.allowed ? 'yes' : `no: ${policy.refusal?.reason ?? 'refused'}, see cds plan preflight`;

const viewsOf = (low: number | null, high: number | null): string =>
  low === null || high === null ? '' : `${count(low)} to ${count(high)}`;

export const quoteWords = (quote: Quote, world: World): string => {
  const { totals } = quote;
  return `${table(
    [
      { title: '#', align: 'right' },
      { title: 'day' },
      { title: 'creator', wide: true },
      { title: 'post' },
      { title: 'price', align: 'right' },
      { title: 'views', align: 'right' },
      { title: '' },
    ],
    quote.lines.map((line, index) => [
      index + 1,
      line.scheduled_date,
      line.creator?.name ?? '',
      line.deliverable,
      money(line.price_cents),
      viewsOf(line.expected_views_low, line.expected_views_high),
      quote.blocked_lines.includes(line.id) ? 'blocked' : line.stage_id === 'planned' ? '' : line.stage,
    ]),
    world,
  )}\n${facts([
    ['plan', quote.plan_id],
    ['campaign', quote.campaign_id],
    ['window', `${quote.launch_window_start} to ${quote.launch_window_end}`],
    ['total', `${money(quote.total_cents)} for ${plural(totals.creators, 'creator')}`],
    [
      'budget',
      totals.remaining_cents === null ? '' : `${money(totals.budget_cents)}, ${money(totals.remaining_cents)} left`,
    ],
    ['views', viewsOf(totals.views_low, totals.views_high)],
    ['may sign', refusalOf(quote)],
    ['order', quote.order === null ? '' : `${quote.order.payment_state}, signed ${quote.order.signed_at}`],
    ['fingerprint', quote.terms_fingerprint],
    ...(quote.notes ?? []).map(({ text }): [string, string] => ['note', text]),
  ])}`;
};

export const preflightWords = (found: PlanPreflight, world: World): string => {
  if (found.would_pass) return `Signing would pass, for ${money(found.total_cents)}.\n`;
  const failures = facts(found.failures.map(({ reason, message }): [string, string] => [reason, message]));
  if (found.edits === null || found.edits.length === 0) return failures;
  return `${failures}\n${table(
    [
      { title: 'edit' },
      { title: 'line' },
      { title: 'price', align: 'right' },
      { title: 'instead', wide: true },
      { title: 'unit' },
    ],
    found.edits.map(({ edit, line_id, price_cents, instead }) => [
      edit,
      line_id,
      money(price_cents),
      instead === null ? '' : `${instead.name ?? instead.creator_id}, ${money(instead.price_cents)}`,
      instead?.unit_id,
    ]),
    world,
  )}`;
};

/** What each line adds to the value of the plan, as built. */
export const rationaleWords = (found: PlanRationale, world: World): string =>
  `${found.note}\n\n${table(
    [
      { title: 'line' },
      { title: 'format' },
      { title: 'adds', align: 'right' },
      { title: 'views', align: 'right' },
      { title: 'on the plan' },
    ],
    found.lines.map((line) => [
      line.line_id,
      line.format,
      `${Math.round(100 * line.share)} %`,
      line.expected_views,
      line.on_plan ? 'yes' : 'no',
    ]),
    world,
  )}`;
