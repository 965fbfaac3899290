import { CAMPAIGN_STAGES, LINE_STAGES, PAYMENT_STATES, type PaymentState } from '@cds/contracts';
import { proves } from '@cds/contracts/testing';
import { describe, expect, it } from '@jest/globals';
import type { PlanOrder } from '../domain/plan.js';
import { NOTHING_AHEAD } from '../domain/quote/line-next.js';
import { type LineProgress, NO_PROGRESS } from '../domain/quote/stage.js';
import { aCampaign, aLine, aPlan, aPlanOrder, aUnit, NOW, TODAY } from '../test/builders.js';
import { campaignSummary, type LineView } from './campaign.js';
import { campaignStatus } from './campaign-status.js';
import { Revealed } from './revealed.js';

/** A line as events leave it, by its stage in a paid order. */
const PROGRESS: Record<keyof typeof LINE_STAGES, LineProgress> = {
  planned: NO_PROGRESS,
  offered: { ...NO_PROGRESS, proposal_state: 'sent' },
  creator_confirmed: { ...NO_PROGRESS, proposal_state: 'accepted' },
  scheduled: { ...NO_PROGRESS, proposal_state: 'accepted', booked: true },
  live: { ...NO_PROGRESS, booked: true, post: { status: 'live', blocked_reason: null } },
  proof_attached: { ...NO_PROGRESS, booked: true, post: { status: 'completed', blocked_reason: null } },
  cancelled: { ...NO_PROGRESS, cancelled: true },
};
const STAGES = Object.keys(PROGRESS) as (keyof typeof PROGRESS)[];
const STATUSES = ['blocked', 'booked', 'cancelled', 'completed', 'live', 'planned'];

const orderOf = (payment_state: PaymentState): PlanOrder =>
  aPlanOrder({ version: 1, payment_state, refunded_at: payment_state === 'refunded' ? NOW : null });

const aView = (of: { order: PaymentState | null; lines: readonly LineProgress[]; archived?: boolean }) => {
  const unit = aUnit();
  const campaign = aCampaign({ archived_at: of.archived === true ? NOW : null });
  const lines = of.lines.map(() => aLine(unit));
  const signed = of.order === null ? {} : { status: 'approved' as const, approved_at: NOW, order: orderOf(of.order) };
  const views = of.lines.map(
    (progress): LineView => ({ progress, proposal: null, scheduled_date: null, ahead: NOTHING_AHEAD }),
  );
  return {
    campaign,
    plan: aPlan(campaign, lines, signed),
    lines: new Map(lines.flatMap((line, index) => (views[index] === undefined ? [] : [[line.id, views[index]]]))),
    units: new Map([[unit.unit_id, unit]]),
    revealed: Revealed.nothing,
    today: TODAY,
    now: NOW,
    shared: [],
  };
};

const sum = (counts: Record<string, number> | undefined): number =>
  Object.values(counts ?? {}).reduce((total, one) => total + one, 0);

describe('what a campaign shows about its lines (I33; docs/domain/plans.md#states, docs/domain/plans.md#where-fields-come-from)', () => {
  it('counts every line once by stage, under all seven keys, and once by status, under all six', () => {
    proves('status.lines-by-stage', 'status.lines-by-status');
    for (const order of [null, ...PAYMENT_STATES])
      for (const one of STAGES)
        for (const other of STAGES) {
          const progress = order === null ? [NO_PROGRESS, NO_PROGRESS] : [PROGRESS[one], PROGRESS[other]];
          const { plan } = campaignStatus(aView({ order, lines: progress }));
          expect(new Set(Object.keys(plan?.lines_by_stage ?? {}))).toEqual(new Set(STAGES));
          expect(new Set(Object.keys(plan?.lines_by_status ?? {}))).toEqual(new Set(STATUSES));
          expect([sum(plan?.lines_by_stage), sum(plan?.lines_by_status)]).toEqual([2, 2]);
          for (const stage of STAGES)
            expect(plan?.lines_by_stage[stage]).toBe(plan?.lines.filter((line) => line.stage_id === stage).length);
          for (const line of plan?.lines ?? []) expect(line.stage).toBe(LINE_STAGES[line.stage_id]);
        }
  });

  it.each(STAGES)('shows a line of a paid order that is %s under that stage', (stage) => {
    const { plan } = campaignStatus(aView({ order: 'paid', lines: [PROGRESS[stage]] }));
    expect(plan?.lines_by_stage[stage]).toBe(1);
  });

  it('is labelled Archived in the archive, in every stage, and keeps its stage_id', () => {
    for (const order of [null, ...PAYMENT_STATES]) {
      const of = { order, lines: [PROGRESS.planned] };
      const open = campaignStatus(aView(of));
      const archived = campaignStatus(aView({ ...of, archived: true }));
      expect(open.stage).toBe(CAMPAIGN_STAGES[open.stage_id]);
      expect([archived.stage, archived.stage_id]).toEqual(['Archived', open.stage_id]);
      expect(campaignSummary(aView({ ...of, archived: true })).waits_on_you).toBe(false);
    }
  });

  it('counts the slot from the day that a creator booked', () => {
    const view = aView({ order: 'paid', lines: [PROGRESS.scheduled] });
    const [line] = view.plan.lines;
    const booked = new Map([...view.lines].map(([id, one]) => [id, { ...one, scheduled_date: '2026-12-04' }]));
    expect(campaignStatus(view).plan?.lines[0]).toMatchObject({ slot: line?.slot, scheduled_date: '2026-12-01' });
    expect(campaignStatus({ ...view, lines: booked }).plan?.lines[0]).toMatchObject({
      slot: 'Day 4, post',
      scheduled_date: '2026-12-04',
    });
  });
});
