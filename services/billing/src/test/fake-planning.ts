import { randomUUID } from 'node:crypto';
import type {
  ApprovalEvidence,
  Input,
  Output,
  PlanTerms,
  QuotePart,
  RefusalFact,
  Verdict,
  WriteRefusal,
} from '@cds/contracts';
import { notFound, unavailable } from '@cds/contracts';
import type { Ctx } from '@cds/service';

type Refusal = ReturnType<typeof RefusalFact.parse>;

/** A plan as the faked planning service knows it. */
export type FakePlan = {
  id: string;
  version: number;
  terms_fingerprint: string;
  total_cents: number;
  /** The prices of its lines, in US cents. */
  prices: readonly number[];
  order_id: string | null;
};

/** How the faked planning service misbehaves; each is checked once per call. */
export type Misbehaviour = {
  /** Waits before a sign request is handled. */
  before?: () => Promise<void>;
  /** The verdict is written, but the reply is lost. */
  loseReply?: boolean;
  /** The request never arrives. */
  loseRequest?: boolean;
  /** Nothing answers at all. */
  unavailable?: boolean;
};

/** Planning as docs/reliability.md#signing describes it: plans, and verdicts written once. */
export class FakePlanning {
  readonly plans = new Map<string, FakePlan>();
  readonly verdicts = new Map<string, Verdict>();
  /** The first checks refuse with this; the signing with `signRefusal`. */
  refusal: Refusal | null = null;
  signRefusal: Refusal | null = null;
  misbehaviour: Misbehaviour = {};
  /** Gives a signed verdict a campaign's texts and lines. */
  dress: (verdict: Verdict) => Verdict = (verdict) => verdict;
  termsAsked: Input<'plan_terms'>[] = [];
  signsAsked = 0;

  behave(): void {
    this.refusal = null;
    this.signRefusal = null;
    this.misbehaviour = {};
  }

  /** A plan of one line, or of a line for each price; its total is their sum. */
  plan(totalCents: number, prices: readonly number[] = [totalCents]): FakePlan {
    const plan = {
      id: randomUUID(),
      version: 3,
      terms_fingerprint: `tf_${randomUUID()}`,
      total_cents: totalCents,
      prices,
      order_id: null,
    };
    this.plans.set(plan.id, plan);
    return plan;
  }

  /** Refused writes by the ids of their receipts. */
  readonly refusedWrites = new Map<string, WriteRefusal>();
  readonly write_refusal_get = async (_ctx: Ctx, { id }: { id: string }) => ({
    refusal: this.refusedWrites.get(id) ?? null,
  });

  readonly line_refusal_get = async () => ({ refusal: null });

  /** What lines owe if their order is cancelled, by order; none of them is on offer elsewhere. */
  readonly cancelCredits = new Map<string, { line_id: string; amount_cents: number }[]>();
  readonly line_cancel_credits = async (_ctx: unknown, { order_id }: { order_id: string }) => ({
    lines: this.cancelCredits.get(order_id) ?? [],
  });

  readonly plan_terms = async (_ctx: Ctx, input: Input<'plan_terms'>): Promise<Output<'plan_terms'>> => {
    this.termsAsked.push(input);
    const plan = this.known(input.id);
    const refusal = this.refusal ?? this.refusalOf(plan, input);
    const terms: PlanTerms = {
      plan_id: plan.id,
      campaign_id: CAMPAIGN.campaign_id,
      version: plan.version,
      terms_fingerprint: plan.terms_fingerprint,
      total_cents: plan.total_cents,
      channels: [LINE.channel],
      refusal,
      evidence: evidenceOf(plan),
    };
    return terms;
  };

  readonly plan_sign = async (_ctx: Ctx, input: Input<'plan_sign'>): Promise<Verdict> => {
    this.signsAsked += 1;
    const { before, loseReply, loseRequest, unavailable: down } = this.misbehaviour;
    if (down || loseRequest) throw unavailable('no reply', 2);
    await before?.();
    const verdict = this.sign(input);
    if (loseReply) throw unavailable('no reply', 2);
    return verdict;
  };

  /** A request that arrives late does the same: it gets the existing verdict, which never changes. */
  sign(input: Input<'plan_sign'>): Verdict {
    const existing = this.verdicts.get(input.signing_id);
    if (existing !== undefined) return existing;
    const plan = this.known(input.id);
    const refusal = this.signRefusal ?? this.refusalOf(plan, input);
    const verdict: Verdict =
      refusal === null
        ? this.dress({
            signing_id: input.signing_id,
            kind: 'signed',
            plan_id: plan.id,
            order_id: input.order_id,
            total_cents: input.total_cents,
            approved_at: input.approved_at,
            lines: linesOf(plan),
            campaign: CAMPAIGN,
            quote: quoteOf(plan),
            refusal: null,
            evidence: evidenceOf(plan),
          })
        : { ...CLOSED, signing_id: input.signing_id, kind: 'refused', refusal, evidence: evidenceOf(plan) };
    if (refusal === null) plan.order_id = input.order_id;
    this.verdicts.set(input.signing_id, verdict);
    return verdict;
  }

  readonly plan_sign_close = async (_ctx: Ctx, input: Input<'plan_sign_close'>): Promise<Verdict> => {
    if (this.misbehaviour.unavailable) throw unavailable('planning is unavailable', 2);
    const existing = this.verdicts.get(input.signing_id);
    if (existing !== undefined) return existing;
    const verdict: Verdict = { ...CLOSED, signing_id: input.signing_id };
    this.verdicts.set(input.signing_id, verdict);
    return verdict;
  };

  private known(id: string): FakePlan {
    const plan = this.plans.get(id);
    if (plan === undefined) throw notFound('plan');
    return plan;
  }

  private refusalOf(plan: FakePlan, input: { terms_fingerprint: string }): Refusal | null {
    if (plan.order_id !== null) return aRefusal('conflict', 'plan_signed');
    return plan.terms_fingerprint === input.terms_fingerprint ? null : aRefusal('conflict', 'terms_changed');
  }
}

export const aRefusal = (code: Refusal['code'], reason: string, details: Record<string, unknown> = {}): Refusal => ({
  code,
  reason,
  message: `refused: ${reason}`,
  details,
});

const CLOSED: Verdict = {
  signing_id: '',
  kind: 'closed',
  plan_id: null,
  order_id: null,
  total_cents: null,
  approved_at: null,
  lines: [],
  campaign: null,
  quote: null,
  refusal: null,
};

export const CAMPAIGN = {
  campaign_id: '7b0c7c1e-0000-4000-8000-000000000001',
  campaign_number: 1,
  campaign: 'Launch',
  company: 'Acme',
  product: 'Rocket',
  launch_window_start: '2026-12-01',
  launch_window_end: '2026-12-14',
};

export const LINE = {
  line_id: '7b0c7c1e-0000-4000-8000-000000000002',
  number: 1,
  channel: 'x_creators',
  slot: '@creator post',
  creator_id: '7b0c7c1e-0000-4000-8000-000000000003',
  unit_id: '7b0c7c1e-0000-4000-8000-000000000004',
  format: 'post',
  deliverable: 'One post',
  scheduled_date: '2026-12-03',
  price_cents: 100,
  expected_views: 1_000,
  views_low: 500,
  views_high: 2_000,
  engagement_rate: 1.2,
};

/** The lines of a plan, each with ids of its own; the first has those of `LINE`. */
const linesOf = ({ prices }: FakePlan) =>
  prices.map((price_cents, index) => ({
    ...LINE,
    line_id: nth(LINE.line_id, index),
    unit_id: nth(LINE.unit_id, index),
    creator_id: nth(LINE.creator_id, index),
    number: index + 1,
    price_cents,
  }));

/** An id of a line after the first. */
const nth = (id: string, index: number): string =>
  index === 0 ? id : `${id.slice(0, 9)}${index.toString(16).padStart(4, '0')}${id.slice(13)}`;

const evidenceOf = (plan: FakePlan): ApprovalEvidence => ({
  at: '2026-11-21T12:00:00.000Z',
  budget_cents: 5_000_000,
  lines: linesOf(plan).map(({ line_id, unit_id, scheduled_date, price_cents }) => ({
    line_id,
    unit_id,
    scheduled_date,
    price_cents,
    current_price_cents: price_cents,
    on_sale: true,
  })),
});

const quoteOf = (plan: FakePlan): QuotePart => ({
  plan_id: plan.id,
  campaign_id: CAMPAIGN.campaign_id,
  version: plan.version,
  status: 'approved',
  currency: 'USD',
  launch_window_start: CAMPAIGN.launch_window_start,
  launch_window_end: CAMPAIGN.launch_window_end,
  terms_fingerprint: plan.terms_fingerprint,
  total_cents: plan.total_cents,
  totals: {
    creators: 1,
    total_cents: plan.total_cents,
    views_low: 500,
    views_high: 2_000,
    unmeasured: 0,
    cpm_low_cents: null,
    cpm_high_cents: null,
    tiers: { nano: 1, micro: 0, mid: 0, macro: 0, mega: 0 },
    budget_cents: null,
    remaining_cents: null,
  },
  lines: [],
  policy: { allowed: false, refusal: { code: 'conflict', reason: 'plan_signed' } },
  blocked_lines: [],
  over_budget: null,
  valid_while: 'terms_fingerprint_unchanged',
});
