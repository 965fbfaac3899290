import { type OperationDeclaration, operations, pathOf, type RestOperation } from '@cds/contracts';
import type { Known } from './values.js';

/** What paths and fields name, as pools of the world: the nearest word of the path, and the name of the field. */

const DAY_MS = 86_400_000;
const instant = (days: number): string => new Date(Date.now() + days * DAY_MS).toISOString();
const day = (days: number): string => instant(days).slice(0, 10);

const pool = (name: string): string => `{{${name}}}`;

const FIELDS: Readonly<Record<string, readonly unknown[]>> = {
  campaign_id: [pool('campaigns.id')],
  intent_id: [pool('campaigns.id')],
  creator_id: [pool('creators.id')],
  exclude_creator_ids: [pool('creators.id')],
  into: [pool('creators.id')],
  unit_id: [pool('units.unit_id')],
  line_id: [pool('lines.id')],
  order_id: [pool('orders.id')],
  refund_id: [pool('orders.id')],
  key_id: [pool('keys.id')],
  workspace: [pool('workspaces.id')],
  brand: [pool('brands.id')],
  proposal: [pool('context.proposal')],
  terms_fingerprint: [pool('plans.fingerprint')],
  version: [pool('terms.version')],
  key: [pool('keys.secret')],
  token: [pool('links.token')],
  email: [pool('people.email')],
  url: ['https://x.com/demo_fuzz/status/1730000000000000000', 'https://hooks.invalid/in', pool('posts.url')],
  website: ['https://fuzz.example'],
  site: ['https://fuzz.example'],
  avatar_url: ['https://fuzz.invalid/a.png'],
  launch_post_url: ['https://x.com/fuzz/status/1730000000000000000'],
  operation: ['campaigns_list', 'plan_quote', 'create_campaign', 'approve_plan'],
  status: [429, 503, 409, 403],
  captured_at: [instant(-1), instant(0)],
  as_of: [instant(-1)],
  amount_cents: [1, 100, 5_000],
  ask_cents: [100, 3_000, 45_000],
  base_version: [0, 1, 2],
  seconds: [1, 60, 3_600],
  window_start: [day(1), day(3)],
  window_end: [day(10), day(24)],
  start: [day(2), day(4)],
  end: [day(20), day(25)],
  scheduled_date: [day(5), day(9)],
  date: [day(4), day(8), day(12)],
  expires_at: [instant(30), instant(200)],
  budget_usd: [300, 6_000],
  max_plan_cents: [500_000],
  monthly_cap_cents: [2_000_000],
  disclosure: ['#ad', '#sponsored', 'Paid partnership with Orbit'],
  segments: ['startup-founders', 'ai-builders'],
  rows: [
    { line_id: pool('lines.id'), captured_at: instant(-1), views: 1_200, likes: 3 },
    { url: pool('posts.url'), captured_at: instant(-2), views: 900 },
  ],
  csv: [
    `line_id,captured_at,views\n${pool('lines.id')},${instant(-1)},12\n`,
    `Post id,Date,Impressions,Likes\n1730000000000000000,${instant(-1)},12,1\n`,
  ],
};

/** Fields of the same name that mean something else, by the operation. */
const OF_OPERATION: Readonly<Record<string, Readonly<Record<string, readonly unknown[]>>>> = {
  plan_remove_creator: { line_id: [pool('lines.line_id')] },
  plan_swap_creator: { line_id: [pool('lines.line_id')] },
  ops_campaign_plan: { line_id: [pool('lines.line_id')] },
  events_list: { cursor: [pool('cursors.next')], wait: [0, 0, 1] },
  events_stream: { cursor: [pool('cursors.next')] },
  webhook_replay: { cursor: [pool('cursors.next')] },
  ops_creators_list: { cursor: [pool('cursors.team')] },
  ops_price_set: { as_of: [day(-1)] },
  ops_line_post: { url: [pool('links.url')] },
  creator_ask_price: { id: [pool('unpriced.id')] },
  context_confirm: { version: [1, 2, 3] },
  ops_terms_publish: { version: [day(0), day(3)], number: [2, 3, 4] },
  ops_session_start: { token: [pool('links.team')] },
  creator_post: { url: [pool('links.url')] },
  webhook_make: { url: ['https://hooks.example.com/in', 'https://hooks.invalid/in'] },
  context_read: { url: ['https://fuzz.invalid/', 'https://127.0.0.1/'] },
  dev_network_load: { creators: [1, 3, 25], seed: [1] },
  ops_order_invoice_paid: { amount_cents: [pool('#orders.total')] },
};

/** The pool of a path's parameter: `plans.id` of `/plans/{id}/quote`. */
const ofPath = (operation: RestOperation, field: string): readonly string[] => {
  const word = new RegExp(`/([a-z-]+)/\\{${field}\\}`).exec(pathOf(operation))?.[1];
  return word === undefined ? [] : [pool(`${word}.${field}`)];
};

export const knownOf =
  (operation: OperationDeclaration): Known =>
  (field) => {
    const own = OF_OPERATION[operation.name]?.[field];
    if (own !== undefined) return own;
    if (operation.params !== undefined && field in operation.params.shape && operation.rest !== undefined)
      return ofPath(operation as RestOperation, field);
    return FIELDS[field] ?? [];
  };

const POOL = /\{\{#?([\w.-]+)\}\}/g;
/** A pool of numbers, which loses its quotes in JSON. */
const NUMBERS = /"\{\{#([\w.-]+)\}\}"/g;

export const poolsOf = (drawn: readonly OperationDeclaration[] = operations): string[] => {
  const found = new Set<string>();
  for (const operation of drawn)
    for (const part of [operation.params, operation.query, operation.body])
      for (const field of Object.keys(part?.shape ?? {}))
        for (const [, name = ''] of JSON.stringify(knownOf(operation)(field)).matchAll(POOL)) found.add(name);
  return [...found].sort();
};

export const withValues = (text: string, valueFor: (pool: string) => string): string =>
  text.replace(NUMBERS, (_all, name: string) => valueFor(name)).replace(POOL, (_all, name: string) => valueFor(name));
