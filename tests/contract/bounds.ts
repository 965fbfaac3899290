import { LIMITS } from '@cds/contracts';

// How much disk one key can fill (docs/adr/0028-one-key-cannot-fill-the-disk.md): of every collection that a key makes
// grow, the bytes of a row, how many come a day at most, and how long they stay.

/** The most bytes on disk for one key at full speed, and the most that it adds in a year to what is kept for good. */
export const MOST_BYTES = 200_000_000;

/** A mandate ends after 366 days at most; from then on nothing continues without a person. */
const YEAR_DAYS = 366;
/** Writes of a key in a day, and of its feedback and campaigns (docs/guides/limits.md). */
const WRITES = LIMITS.daily_writes.limit;
const FEEDBACK = LIMITS.daily_feedback.limit;
const CAMPAIGNS = LIMITS.daily_campaign_limit.limit;
const PRICE_ASKS = LIMITS.daily_limit.limit;
/** Lines of the largest plan that the builder makes, from which the rows below are measured. */
const LINES = 40;
/** Campaigns that a sandbox takes between two resets. */
export const SANDBOX_CAMPAIGNS = 40;
const ENDPOINTS = 10;

/** What a write does, if writes differ: a key spends its day on the one that fills most. */
const ACTS = ['edit', 'refused approve', 'payment', 'reset', 'post change'] as const;
type Act = (typeof ACTS)[number];

/** The days that a key may have: a key belongs to a live workspace or to a sandbox, which alone plays and is reset. */
export const DAYS = [
  { act: 'edit', sandbox: false },
  { act: 'refused approve', sandbox: false },
  ...ACTS.map((act) => ({ act, sandbox: true }) as const),
] as const satisfies readonly { act: Act; sandbox: boolean }[];
export type Day = (typeof DAYS)[number];

/** Rows that a key makes. `bytes` is of the largest row that a plan of 40 lines makes, measured by the test. */
export type Growth = {
  bytes: number;
  what: string;
  /** Only this kind of write makes them; absent where every write does, or where another limit counts them. */
  act?: Act;
  sandbox?: true;
} & (
  | { aDay: number; days: number; by?: 'sweep' }
  /** The most rows at any time. */
  | { most: number }
  /** The most bytes at any time, however many rows. */
  | { mostBytes: number }
  /** Kept for good: what must be provable. */
  | { aDay: number; days: 'kept' }
  /**
   * The number for each campaign, kept for good: campaigns that a live workspace starts in a year, or those that a
   * sandbox holds. With `once: 'paid'` in a live workspace only for a payer's money.
   */
  | { ofCampaign: number; once?: 'paid' }
);

const ofWrites = (bytes: number, days: number, what: string, act?: Act): Growth => ({
  bytes,
  what,
  aDay: WRITES,
  days,
  ...(act === undefined ? {} : { act }),
});
const ofCampaign = (bytes: number, rows: number, what: string): Growth => ({ bytes, what, ofCampaign: rows });
const oncePaid = (bytes: number, rows: number, what: string): Growth => ({
  ...ofCampaign(bytes, rows, what),
  once: 'paid',
});

/** The collections that a key makes grow. A name without its database means every service that has the collection. */
export const GROWTH: Readonly<Record<string, readonly Growth[]>> = {
  commands: [
    ofWrites(7_500, 7, 'the packed answer of an edit', 'edit'),
    ofWrites(700, 30, 'a refusal of approve', 'refused approve'),
    ofWrites(700, 30, 'the answer of a payment', 'payment'),
    ofWrites(400, 7, 'the answer of a reset', 'reset'),
    ofWrites(4_000, 7, 'the packed entries of a post', 'post change'),
    { bytes: 7_500, what: 'the packed answer of approve', aDay: CAMPAIGNS, days: 30 },
  ],
  inbox: [
    { bytes: 90, what: 'an event of a write, at two consumers', aDay: 2 * WRITES, days: 45 },
    { bytes: 90, what: 'the events of a played campaign', aDay: 1_100 * CAMPAIGNS, days: 45 },
  ],
  outbox: [
    ofWrites(15_500, 1, 'the plan after an edit', 'edit'),
    ofWrites(29_000, 1, 'the order after a payment', 'payment'),
    { bytes: 1_300, what: 'the events of a played campaign', aDay: 650 * CAMPAIGNS, days: 1 },
  ],
  frames: [{ bytes: 90, what: 'the requests between services of an hour', most: 60 * 60 * 6 }],
  audit: [{ bytes: 520, what: 'the entry of a write', aDay: WRITES, days: 'kept' }],
  mandate_checks: [ofWrites(800, 90, 'what was asked of a mandate')],
  'cds_gateway.command_claims': [ofWrites(220, 30, 'the service of an Idempotency-Key')],
  'cds_gateway.request_log': [
    { bytes: 420, what: 'the first requests of a day', aDay: 300, days: 90 },
    { bytes: 430, what: 'the others', aDay: 10_000, days: 2 },
  ],
  'cds_gateway.usage_days': [{ bytes: 220, what: 'the counts of a day', aDay: 1, days: 'kept' }],
  'cds_gateway.feed': [{ bytes: 13_500, what: 'events', mostBytes: 15_000_000 }],
  'cds_gateway.feed_heads': [oncePaid(200, 4 * LINES, 'the newest version of an aggregate')],
  'cds_gateway.webhook_deliveries': [
    { bytes: 14_000, what: 'deliveries that ended', mostBytes: ENDPOINTS * 500_000 },
    { bytes: 14_000, what: 'deliveries that wait', mostBytes: ENDPOINTS * 600_000 },
  ],
  'cds_gateway.webhook_lanes': [{ bytes: 400, what: 'aggregates whose deliveries wait', most: ENDPOINTS * 1_000 }],
  'cds_gateway.feedback': [{ bytes: 16_500, what: 'a message', aDay: FEEDBACK, days: 30 }],
  'cds_gateway.clock_moves': [{ ...ofWrites(160, 8, 'a move of a sandbox clock'), sandbox: true }],
  'cds_gateway.faults': [{ bytes: 500, what: 'armed faults, and spent ones for an hour', most: 3_700, sandbox: true }],
  'cds_gateway.resets': [{ bytes: 230, what: 'a reset', aDay: WRITES, days: 'kept', act: 'reset' }],
  'cds_gateway.feed_streams': [{ bytes: 400, what: 'open streams', most: LIMITS.stream_limit.limit }],
  'cds_gateway.quotas': [{ bytes: 200, what: 'a quota', most: 3 }],
  'cds_catalog.price_asks': [{ bytes: 500, what: 'a price request', aDay: PRICE_ASKS, days: 'kept' }],
  'cds_catalog.plan_creators': [ofCampaign(2_000, 1, 'a plan')],
  'cds_catalog.paid_orders': [oncePaid(2_400, 1, 'a paid order')],
  'cds_planning.campaigns': [ofCampaign(18_000, 1, 'a campaign with its longest texts in ASCII')],
  'cds_planning.plans': [ofCampaign(42_000, 1, 'a plan')],
  'cds_planning.plan_versions': [
    ofCampaign(3_900, 1, 'the first version'),
    // A plan keeps the newest 30.
    { bytes: 1_800, what: 'a later version', aDay: 30 * CAMPAIGNS, days: 90, act: 'edit' },
  ],
  'cds_planning.sign_verdicts': [{ bytes: 60_000, what: 'a verdict', aDay: CAMPAIGNS, days: 31, by: 'sweep' }],
  'cds_planning.unit_overrides': [{ bytes: 200, what: 'a unit of the network', most: 15_000, sandbox: true }],
  'cds_planning.line_facts': [oncePaid(1_000, LINES, 'a paid line')],
  'cds_planning.offer_answers': [oncePaid(220, 2 * LINES, 'an offer')],
  'cds_billing.orders': [ofCampaign(24_000, 1, 'an order')],
  'cds_billing.receipts': [
    ofCampaign(5_000, 1, 'the receipt of a signing'),
    { bytes: 5_000, what: 'the first refusals of a day', aDay: 10, days: 397, act: 'refused approve' },
    ofWrites(5_000, 8, 'the others', 'refused approve'),
  ],
  'cds_billing.ledger': [oncePaid(400, 4, 'a payment or repayment')],
  'cds_billing.credits': [oncePaid(320, LINES, 'a credit')],
  'cds_billing.refunds': [oncePaid(600, LINES, 'a repayment')],
  'cds_billing.sandbox_sessions': [oncePaid(300, 2, 'a session of the sandbox rail')],
  'cds_proposals.offer_lines': [oncePaid(1_300, LINES, 'a paid line')],
  'cds_proposals.proposals': [oncePaid(800, 2 * LINES, 'an offer')],
  'cds_metrics.lines': [oncePaid(1_100, LINES, 'a paid line')],
  'cds_metrics.campaigns': [oncePaid(200, 1, 'a campaign')],
  'cds_metrics.posts': [oncePaid(2_500, LINES, 'a post')],
  'cds_metrics.readings': [oncePaid(330, 10 * LINES, 'a reading')],
  'cds_metrics.integrity': [
    oncePaid(600, 2 * LINES, 'what was seen of a post'),
    { ...oncePaid(600, 28 * LINES, 'what a sandbox plays'), act: 'post change' },
  ],
};

export const named = (table: Readonly<Record<string, unknown>>, name: string): string | undefined =>
  [name, name.split('.')[1] ?? ''].find((one) => one in table);

/** Bytes on disk: what is there at any time, and what is kept for good after a year. */
export type Sizes = { steady: number; kept: number };

const bytesOf = (one: Growth, { sandbox }: Day): Sizes => {
  if ('mostBytes' in one) return { steady: one.mostBytes, kept: 0 };
  if ('most' in one) return { steady: one.bytes * one.most, kept: 0 };
  if ('ofCampaign' in one) {
    const each = one.bytes * one.ofCampaign;
    if (sandbox) return { steady: each * SANDBOX_CAMPAIGNS, kept: 0 };
    return { steady: 0, kept: one.once === 'paid' ? 0 : each * CAMPAIGNS * YEAR_DAYS };
  }
  if (one.days === 'kept') return { steady: 0, kept: one.bytes * one.aDay * YEAR_DAYS };
  return { steady: one.bytes * one.aDay * one.days, kept: 0 };
};

export const sizesOf = (day: Day): ReadonlyMap<string, Sizes> => {
  const counts = ({ act, sandbox }: Growth): boolean =>
    (act === undefined || act === day.act) && (sandbox === undefined || day.sandbox);
  return new Map(
    Object.entries(GROWTH).map(([name, all]) => {
      const each = all.filter(counts).map((one) => bytesOf(one, day));
      const sum = (of: keyof Sizes): number => each.reduce((total, one) => total + one[of], 0);
      return [name, { steady: sum('steady'), kept: sum('kept') }];
    }),
  );
};

/** Why no key can fill a collection with rows. */
const REASONS = {
  fixed: 'a fixed number of rows: one for each job, duty, service, event, switch or replica',
  tenant: 'one row, or as many as a limit allows, for each workspace, brand, person or key',
  people: 'what people of a brand do with a session, who have a window of their own',
  address: 'what client addresses send without a credential, within quotas of their own',
  network: 'as many rows as the network has, or had, of creators, pictures, prices, offers, launches and imports',
  passing: 'a row ends by itself once what it is about is done or nobody asks for it any more',
  money: 'what was paid, invoiced or delivered by a payment rail: no key makes it without a payer',
  team: "what the operator's team is asked or does: one row for each cause",
} as const;

const because = (reason: keyof typeof REASONS, names: readonly string[]): Record<string, string> =>
  Object.fromEntries(names.map((name) => [name, REASONS[reason]]));

/**
 * The collections that no key makes grow, each with its reason. A new collection gets a line here or its figures above.
 */
export const BOUNDS: Readonly<Record<string, string>> = {
  ...because('fixed', [
    'leases',
    'jobs',
    'republish',
    'audit_duties',
    'cds_catalog.network_state',
    'cds_catalog.network_beats',
    'cds_catalog.channel_refresh',
    'cds_gateway.switches',
    'cds_gateway.first_lead',
  ]),
  ...because('tenant', [
    'clocks',
    'sandbox_resets',
    'audit_heads',
    'audit_checkpoints',
    'cds_billing.authority',
    'cds_catalog.contexts',
    'cds_catalog.read_meters',
    'cds_gateway.brands',
    'cds_gateway.workspaces',
    'cds_gateway.keys',
    'cds_gateway.people',
    'cds_gateway.members',
    'cds_gateway.webhooks',
    'cds_gateway.feed_counters',
    'cds_planning.contexts',
    'cds_planning.campaign_starts',
  ]),
  ...because('people', [
    'cds_gateway.mandates',
    'cds_gateway.key_versions',
    'cds_gateway.terms_acceptances',
    'cds_gateway.shown_secrets',
    'cds_gateway.sessions',
    'cds_gateway.oauth_grants',
    'cds_gateway.oauth_tokens',
  ]),
  ...because('address', [
    'cds_gateway.sign_in_links',
    'cds_gateway.messages',
    'cds_gateway.oauth_clients',
    'cds_gateway.oauth_requests',
    'cds_catalog.guest_quotes',
  ]),
  ...because('network', [
    'cds_catalog.creators',
    'cds_catalog.prices',
    'cds_catalog.avatars',
    'cds_catalog.launches',
    'cds_catalog.imports',
    'cds_catalog.silences',
    'cds_catalog.operator_messages',
    'cds_identity.identities',
    'cds_identity.departed',
    'cds_identity.post_evidence',
    'cds_identity.uploads',
  ]),
  ...because('passing', [
    'put_off',
    'dead_letters',
    'event_attempts',
    'cds_gateway.key_changes',
    'cds_gateway.right_ends',
    'cds_planning.price_moves',
    'cds_planning.repricings',
  ]),
  ...because('money', ['cds_billing.invoices', 'cds_billing.payment_events']),
  ...because('team', [
    'cds_billing.terms',
    'cds_gateway.tasks',
    'cds_gateway.operator_people',
    'cds_gateway.operator_sessions',
    'cds_gateway.operator_sign_in_links',
    'cds_gateway.operator_tokens',
  ]),
};
