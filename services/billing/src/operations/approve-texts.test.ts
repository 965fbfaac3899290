import { PlanApproved, type Verdict } from '@cds/contracts';
import { HOSTILE_TEXTS } from '@cds/service/testing';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { APP_URL, anApproval } from '../test/builders.js';
import { LINE } from '../test/fake-planning.js';
import { testBilling } from '../test/suite.js';

/** Texts as a brand or a creator may choose them: fragments that our own tools could mistake for theirs. */
const words = fc
  .array(fc.oneof(fc.constantFrom(...HOSTILE_TEXTS), fc.string({ unit: 'grapheme' })), { minLength: 1, maxLength: 4 })
  // BSON holds no lone surrogate.
  .map((fragments) => fragments.join('').toWellFormed());
const texts = fc.record({ company: words, product: words, campaign: words, name: words, deliverable: words });
type Texts = typeof texts extends fc.Arbitrary<infer T> ? T : never;

const dressed =
  (of: Texts) =>
  (verdict: Verdict): Verdict => ({
    ...verdict,
    lines: verdict.lines.map((line) => ({ ...line, slot: of.name, deliverable: of.deliverable })),
    campaign: verdict.campaign && {
      ...verdict.campaign,
      company: of.company,
      product: of.product,
      campaign: of.campaign,
    },
    quote: verdict.quote && {
      ...verdict.quote,
      lines: [
        {
          id: LINE.line_id,
          creator: { id: LINE.creator_id, name: of.name, handle: null, profile_url: null },
          creator_id: LINE.creator_id,
          unit_id: LINE.unit_id,
          stage_id: 'planned',
          stage: 'Planned',
          channel: 'x_creators',
          channel_label: 'X creators',
          format: 'post',
          deliverable: of.deliverable,
          scheduled_date: LINE.scheduled_date,
          price_cents: LINE.price_cents,
          vetting: of.company,
          reason: of.product,
          expected_views_low: null,
          expected_views_high: null,
          on_sale: true,
        },
      ],
    },
  });

describe('an approval of a plan with texts by others', () => {
  const billing = testBilling('approve_texts');

  const approved = async (of: Texts): Promise<void> => {
    billing.planning.dress = dressed(of);
    const plan = billing.planning.plan(100);
    const ctx = await anApproval(billing);
    const ask = () => billing.approve(ctx, plan);
    const [first, replay] = [await ask(), await ask()];
    if (!('json' in first) || !('json' in replay)) throw new Error(`not answered: ${JSON.stringify([first, replay])}`);

    // The texts are unchanged; the link is in its two places and nowhere else; a replay is the same bytes.
    const value = PlanApproved.parse(JSON.parse(first.json.toString()));
    const [line] = value.plan.lines;
    expect([line?.creator?.name, line?.deliverable, line?.vetting, line?.reason]).toEqual([
      of.name,
      of.deliverable,
      of.company,
      of.product,
    ]);
    expect(value.payment.url).toMatch(new RegExp(`^${APP_URL}/pay/[0-9A-Za-z]{43}$`));
    expect(value.plan.order?.payment?.url).toBe(value.payment.url);
    expect(first.json.toString().split(value.payment.url)).toHaveLength(3);
    expect([first.replayed, replay.replayed]).toEqual([false, true]);
    expect(replay.json.toString()).toBe(first.json.toString());

    const order = (await billing.orders(ctx.principal.workspace)).find((one) => one._id === value.order_id);
    expect(order?.campaign).toMatchObject({ company: of.company, product: of.product, campaign: of.campaign });
  };

  it.each(HOSTILE_TEXTS.map((text) => [text]))('returns %j unchanged', async (text) => {
    const stored = text.toWellFormed();
    const of = { company: stored, product: stored, campaign: stored, name: stored, deliverable: stored };
    await approved(of);
  });

  it('returns any text unchanged', async () => {
    await fc.assert(fc.asyncProperty(texts, approved), { numRuns: 40 });
  }, 60_000);
});
