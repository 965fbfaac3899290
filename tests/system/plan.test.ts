// @night: quotes, refusals and edits have tests in planning; this one reads them through a running system.
import type { CampaignStatus, Creators, PlanRationale, Quote } from '@cds/contracts';
import { proves } from '@cds/contracts/testing';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { startPlan } from '../support/main-job.js';
import { aCampaign } from '../support/matrix-arguments.js';
import {
  type Answer,
  aBrand,
  ask,
  eventually,
  type SeededWorkspace,
  type SharedStack,
  secretOf,
  sharedStack,
} from '../support/stack.js';

/** What a quote reports to its key, and how approval acts on it, across planning, billing and catalog. */
describe('a plan before it is signed', () => {
  let stack: SharedStack;
  let sandbox: SeededWorkspace;
  let planId: string;
  let today: string;

  const key = (name: string): string => secretOf(sandbox, name);
  const quoteOf = async (name: string): Promise<Quote> =>
    (await ask(stack, key(name), 'plan_quote', { id: planId })).body as Quote;
  const approve = async (name: string, over: Record<string, unknown> = {}): Promise<Answer> => {
    const { terms_fingerprint } = await quoteOf(name);
    return ask(stack, key(name), 'approve_plan', { id: planId, terms_fingerprint, ...over });
  };
  const refusal = (answer: Answer) =>
    (answer.body as { error: { code: string; details: Record<string, unknown> } }).error;

  beforeAll(async () => {
    stack = await sharedStack();
    sandbox = (await aBrand(stack)).sandbox;
    const started = await startPlan(stack, key('full'));
    today = started.today;
    planId = started.plan.plan_id;
  }, 120_000);

  it('quotes each key its own mandate, terms and policy', async () => {
    proves('mandate.fields', 'mandate.may-exceed-false', 'mandate.spent', 'mandate.null-when-none');
    proves('quote.brand-terms', 'quote.payment-options', 'quote.valid-while', 'quote.policy-refusal');
    const [full, muted, bare] = [await quoteOf('full'), await quoteOf('muted'), await quoteOf('bare')];
    expect(full).toMatchObject({
      valid_while: 'terms_fingerprint_unchanged',
      agent_payment: 'checkout',
      payment_options: [{ rail: 'checkout' }, { rail: 'invoice' }],
      mandate: { may_approve: true, may_exceed_budget: false, spent_this_month_cents: 0, channels: ['x_creators'] },
      policy: { allowed: true, refusal: null },
    });
    expect(full.brand_terms.accepted_for_this_key).toBe(full.brand_terms.current_version);
    expect(full.mandate?.terms_version).toBe(full.brand_terms.current_version);
    expect(muted).toMatchObject({
      mandate: { may_approve: false, terms_version: null },
      policy: { allowed: false, refusal: { reason: 'approval_not_allowed', escalate: true } },
    });
    expect(bare).toMatchObject({ mandate: null, policy: { allowed: false, refusal: { reason: 'no_mandate' } } });
    expect(new Set([full, muted, bare].map((quote) => quote.terms_fingerprint)).size).toBe(1);
  });

  it('adds up, and splits no price', async () => {
    proves('quote.totals', 'quote.all-in-price', 'status.plan-facts', 'status.line-facts', 'status.lines-by-status');
    proves('status.lines-by-stage', 'status.guidelines-six', 'lines.planned');
    const quote = await quoteOf('full');
    const sum = quote.lines.reduce((cents, line) => cents + line.price_cents, 0);
    expect(quote.total_cents).toBe(sum);
    expect(quote.totals).toMatchObject({
      total_cents: sum,
      budget_cents: 600_000,
      remaining_cents: 600_000 - sum,
      creators: new Set(quote.lines.map((line) => line.creator_id)).size,
    });
    expect(JSON.stringify(quote)).not.toMatch(/"[a-z_]*(fee|cost|payout|margin)[a-z_]*":/);

    const status = (await ask(stack, key('full'), 'campaign_status', { id: quote.campaign_id })).body as {
      plan: Record<string, unknown> & { lines: Record<string, unknown>[]; lines_by_status: Record<string, number> };
      creator_guidelines: object;
    };
    expect(status.plan).toMatchObject({
      id: planId,
      version: quote.version,
      status: 'awaiting_approval',
      currency: 'USD',
      total_cents: sum,
      launch_window_start: quote.launch_window_start,
      launch_window_end: quote.launch_window_end,
      approved_at: null,
      lines_by_stage: { planned: quote.lines.length, offered: 0, live: 0, cancelled: 0 },
    });
    expect(Object.values(status.plan.lines_by_status).reduce((one, other) => one + other, 0)).toBe(quote.lines.length);
    for (const line of status.plan.lines)
      expect(line).toMatchObject({
        channel: 'x_creators',
        channel_label: 'X creators',
        slot: expect.any(String),
        scheduled_date: expect.stringMatching(/^\d{4}-\d{2}-\d{2}$/),
        stage_id: 'planned',
        stage: 'Planned',
        proposal: null,
      });
    expect(Object.keys(status.creator_guidelines)).toHaveLength(6);
  });

  it('gets the same refusal from its quote and from approval', async () => {
    proves('approve.mandate-refused', 'errors.mandate-refused-escalates', 'errors.mandate-reasons');
    for (const name of ['muted', 'bare']) {
      const { policy } = await quoteOf(name);
      const answer = await approve(name);
      expect(answer.status).toBe(403);
      expect(answer.headers.get('www-authenticate')).toBeNull();
      expect({ code: refusal(answer).code, ...refusal(answer).details }).toEqual(policy.refusal);
    }
  });

  it('is signed only on its own terms', async () => {
    proves('approve.fingerprint');
    const answer = await approve('full', { terms_fingerprint: 'YyxOYh96WOu_Nb-7MBcXwHpKIYtkDu1ZSsMDc6zJXg0' });
    expect(refusal(answer)).toMatchObject({ code: 'conflict', details: { reason: 'terms_changed' } });
    expect(JSON.stringify(answer.body)).not.toContain((await quoteOf('full')).terms_fingerprint);
    const dearer = await approve('full', { expected_total_cents: 1 });
    expect(refusal(dearer)).toMatchObject({ code: 'conflict', details: { reason: 'terms_changed' } });
  });

  it('keeps its prices when it is over budget at current ones, and is refused with figures until it fits', async () => {
    proves('quote.over-budget-figures', 'quote.over-budget-null', 'quote.policy-over-budget');
    proves('approve.over-budget', 'approve.over-budget-ends', 'approve.confirm-ignored');
    const before = await quoteOf('full');
    expect(before.over_budget).toBeNull();
    const [line] = before.lines;
    const risen = { unit_id: line?.unit_id ?? '', price_cents: 600_000 };
    await ask(stack, key('full'), 'sandbox_unit_set', risen);

    const quote = await quoteOf('full');
    const current = before.total_cents - (line?.price_cents ?? 0) + risen.price_cents;
    const figures = { budget_cents: 600_000, total_cents: current, over_by_cents: current - 600_000 };
    expect(quote).toMatchObject({
      total_cents: before.total_cents,
      terms_fingerprint: before.terms_fingerprint,
      over_budget: figures,
      policy: { allowed: false, refusal: { reason: 'over_budget', ...figures } },
    });
    for (const over of [{}, { confirm_over_budget_cents: current - 600_000 }])
      expect(refusal(await approve('full', over))).toMatchObject({
        code: 'conflict',
        details: { reason: 'over_budget', ...figures },
      });

    await ask(stack, key('full'), 'plan_remove_creator', { id: planId, line_id: line?.id ?? '' });
    const after = await quoteOf('full');
    expect(after).toMatchObject({ over_budget: null, policy: { allowed: true } });
    expect((await approve('full', { confirm_over_budget_cents: 'anything' })).status).toBe(200);
  });

  it('once signed, shows its order and refuses every edit', async () => {
    proves('edits.only-awaiting', 'dates.plan-signed', 'status.order', 'stages.approved', 'quote.over-budget-null');
    const quote = await quoteOf('full');
    expect(quote).toMatchObject({ status: 'approved', over_budget: null, order: { payment_state: 'unpaid' } });
    expect(quote.mandate?.spent_this_month_cents).toBe(quote.total_cents);
    const status = (await ask(stack, key('full'), 'campaign_status', { id: quote.campaign_id })).body;
    expect(status).toMatchObject({
      stage_id: 'approved',
      order: { payment_state: 'unpaid', total_cents: quote.total_cents, currency: 'USD', paid_at: null },
    });

    const page = (await ask(stack, key('full'), 'creators_search', { limit: 1, price_min: 1 })).body as Creators;
    const unit_id = page.creators[0]?.offerings[0]?.unit_id ?? '';
    const line_id = quote.lines[0]?.id ?? '';
    const edits = [
      await ask(stack, key('full'), 'plan_add_creator', { id: planId, unit_id }),
      await ask(stack, key('full'), 'plan_swap_creator', { id: planId, line_id, unit_id }),
      await ask(stack, key('full'), 'plan_remove_creator', { id: planId, line_id }),
      await ask(stack, key('full'), 'plan_move_dates', { id: planId, start: '2027-01-10', end: '2027-01-20' }),
    ];
    for (const answer of edits)
      expect(refusal(answer)).toMatchObject({ code: 'conflict', details: { reason: 'plan_signed' } });
    expect(await quoteOf('full')).toEqual(quote);
  });

  it('is made for a campaign under review once a lead allows it, and says why it was chosen', async () => {
    const started = await ask(stack, key('full'), 'create_campaign', { ...aCampaign(today), category: 'crypto' });
    expect(started.body).toMatchObject({ plan: null, no_plan: { reason: 'category_review' } });
    const { id } = started.body as { id: string };
    const decision = { id, decision: 'allowed', reason: 'Licensed in the EU.' } as const;
    const byBrand = await ask(stack, key('full'), 'ops_campaign_screening', decision);
    expect(byBrand).toMatchObject({ status: 401, body: { error: { code: 'unauthorized' } } });
    const allowed = await ask(stack, stack.opsToken, 'ops_campaign_screening', decision);
    expect(allowed).toMatchObject({ status: 200, body: { id, category: 'crypto', no_plan: 'building' } });
    const again = await ask(stack, stack.opsToken, 'ops_campaign_screening', decision);
    expect(again).toMatchObject({ status: 409, body: { error: { details: { reason: 'bad_state' } } } });

    const status = await eventually(
      () => ask(stack, key('full'), 'campaign_status', { id }),
      (body: CampaignStatus) => body.plan !== null,
      25_000,
    );
    const { plan } = status.body as CampaignStatus;
    const explained = await ask(stack, key('full'), 'plan_rationale', { id: plan?.id ?? '' });
    expect(explained).toMatchObject({ status: 200, body: { plan_id: plan?.id, plan_version: 1, reasons_version: 1 } });
    const { lines, left_out } = explained.body as PlanRationale;
    expect(lines.length).toBeGreaterThan(0);
    expect(left_out).toHaveLength(3);
  }, 40_000);
});
