import {
  CAMPAIGN_STAGE_IDS,
  type CampaignStage,
  LINE_STAGE_IDS,
  LINE_STATUSES,
  type LineStage,
  type LineStatus,
  PAYMENT_STATES,
  type PaymentState,
} from '@cds/contracts';
import { proves } from '@cds/contracts/testing';
import { describe, expect, it } from '@jest/globals';
import {
  campaignStage,
  countedPost,
  type LineProgress,
  lineStage,
  lineStatus,
  NO_PROGRESS,
  waitsOnYou,
} from './stage.js';

/** docs/domain/orders.md#line-stage, docs/domain/orders.md#remedies. */
describe('the post of a line', () => {
  const live = (attempt?: number) => ({ status: 'live' as const, blocked_reason: null, attempt });

  it.each<[string, boolean, number | undefined, number | undefined, boolean]>([
    ['counts while its own attempt is booked', true, 1, 1, true],
    ['counts no more once its remedy asks another creator', false, 1, 1, false],
    ['does not count for the booking of the next creator', true, 2, 1, false],
    ['counts in facts that name no attempt', true, 2, undefined, true],
    ['counts for a line whose facts name no attempt', true, undefined, 1, true],
  ])('%s', (_name, booked, attempt, ofPost, counts) => {
    expect(countedPost({ booked, attempt }, live(ofPost)) !== null).toBe(counts);
  });

  it('is none before the first event about it', () => {
    expect(countedPost({ booked: true, attempt: 1 }, null)).toBeNull();
  });
});

/**
 * Every state in which events can leave a paid line; only a booked one has a post, and a blocked post always has a
 * reason, and only a blocked one.
 */
const POSTS: LineProgress['post'][] = [
  null,
  ...(['booked', 'live', 'completed'] as const).map((status) => ({ status, blocked_reason: null })),
  ...['post_missing', 'post_gone', 'no_disclosure'].map((blocked_reason) => ({
    status: 'blocked' as const,
    blocked_reason,
  })),
];
const PROPOSALS = [null, 'sending', 'sent', 'accepted', 'declined', 'no_reply', 'unfilled'] as const;
const YES_NO = [true, false] as const;
const PROGRESSES: LineProgress[] = PROPOSALS.flatMap((proposal_state) =>
  POSTS.flatMap((one) =>
    YES_NO.flatMap((booked) => YES_NO.map((cancelled) => ({ proposal_state, post: one, booked, cancelled }))),
  ),
).filter(({ booked, post: one }) => booked || one === null);
const OVER: readonly (PaymentState | null)[] = ['cancelled', 'refunded'];

/** A row of the table: its result, and its condition without regard to the rows above. */
type Row<Id, Facts> = [Id, (facts: Facts) => boolean];

/** The first row that fits; a table with a gap or a misplaced catch-all fails here. */
const firstOf = <Id, Facts>(rows: readonly Row<Id, Facts>[], facts: Facts): Id => {
  const found = rows.find(([, fits]) => fits(facts));
  if (found === undefined) throw new Error(`no row fits ${JSON.stringify(facts)}`);
  return found[0];
};

type LineFacts = LineProgress & { order: PaymentState | null };

describe('every state of a line has exactly one stage and one status (I33; docs/domain/plans.md#properties, property 8)', () => {
  /** docs/domain/orders.md#line-stage, row by row. */
  const stages: readonly Row<LineStage, LineFacts>[] = [
    ['cancelled', (line) => line.cancelled || line.order === 'cancelled' || line.order === 'refunded'],
    ['proof_attached', (line) => line.post?.status === 'completed'],
    ['live', ({ post: it }) => it?.status === 'live' || it?.blocked_reason === 'no_disclosure'],
    ['scheduled', (line) => line.booked],
    ['creator_confirmed', (line) => line.proposal_state === 'accepted'],
    ['offered', (line) => line.proposal_state === 'sent'],
    ['planned', () => true],
  ];
  /** docs/domain/orders.md#line-status: the status of a line once its plan is signed. */
  const statuses: readonly Row<LineStatus, LineFacts>[] = [
    ['cancelled', (line) => line.cancelled || line.order === 'cancelled' || line.order === 'refunded'],
    ['completed', (line) => line.post?.status === 'completed'],
    ['live', (line) => line.post?.status === 'live'],
    ['blocked', (line) => line.post?.status === 'blocked'],
    ['booked', (line) => line.booked],
    ['planned', (line) => !line.booked],
  ];
  const everyLine = PROGRESSES.flatMap((progress) =>
    [null, ...PAYMENT_STATES].map((order) => ({ ...progress, order })),
  );

  it(`stage: ${everyLine.length} states against the seven rows, each of which is met`, () => {
    proves('lines.planned', 'lines.offered', 'lines.creator-confirmed', 'lines.scheduled', 'lines.live');
    proves('lines.proof-attached', 'lines.cancelled');
    const met = new Set<LineStage>();
    for (const line of everyLine) {
      const stage = lineStage(line, line.order);
      met.add(stage);
      expect({ line, stage }).toEqual({ line, stage: firstOf(stages, line) });
    }
    expect([...met].sort()).toEqual([...LINE_STAGE_IDS].sort());
  });

  it('status: signed lines against the six statuses, each of which is met; a sale that ended changes none', () => {
    const met = new Set<LineStatus>();
    for (const line of everyLine) {
      const status = lineStatus(line, line.order, { signed: true, onSale: true });
      met.add(status);
      expect({ line, status }).toEqual({ line, status: firstOf(statuses, line) });
      expect(lineStatus(line, line.order, { signed: true, onSale: false })).toBe(status);
    }
    expect([...met].sort()).toEqual([...LINE_STATUSES].sort());
  });

  it('status before signing is planned or blocked, by sale alone', () => {
    for (const onSale of YES_NO)
      expect(lineStatus(NO_PROGRESS, null, { signed: false, onSale })).toBe(onSale ? 'planned' : 'blocked');
  });
});

/** Up to three lines, in every mixture of the stages given. */
const mixtures = (stages: readonly LineStage[]): LineStage[][] => {
  const lines = stages.map((stage) => [stage]);
  const more = (of: LineStage[][]): LineStage[][] => of.flatMap((some) => stages.map((stage) => [...some, stage]));
  return [...lines, ...more(lines), ...more(more(lines))];
};

/** A possible campaign: plan, order and lines as signing, payment and cancelling leave them. */
type Situation = Parameters<typeof campaignStage>[0];
const REACHABLE: Situation[] = YES_NO.flatMap((sentToTeam): Situation[] => [
  { plan: null, order: null, lines: [], sentToTeam },
  ...mixtures(['planned']).map((lines) => ({ plan: 'awaiting_approval' as const, order: null, lines, sentToTeam })),
  ...PAYMENT_STATES.flatMap((order) =>
    mixtures(
      OVER.includes(order)
        ? ['cancelled']
        : ['paid', 'partially_refunded'].includes(order)
          ? LINE_STAGE_IDS
          : ['planned'],
    )
      // When every line is cancelled the order is cancelled too (docs/domain/orders.md#payment-states).
      .filter((lines) => OVER.includes(order) || lines.some((stage) => stage !== 'cancelled'))
      .map((lines) => ({ plan: 'approved' as const, order, lines, sentToTeam })),
  ),
]);

describe('every combination of plan, order and lines has exactly one stage (docs/domain/orders.md#campaign-stage; property 8)', () => {
  const isPaid = ({ order }: Situation): boolean => order === 'paid' || order === 'partially_refunded';
  const started: readonly LineStage[] = ['scheduled', 'live', 'proof_attached'];
  const rows: readonly Row<CampaignStage, Situation>[] = [
    ['cancelled', ({ order }) => order === 'cancelled' || order === 'refunded'],
    ['complete', (of) => isPaid(of) && of.lines.every((one) => one === 'cancelled' || one === 'proof_attached')],
    ['running', (of) => isPaid(of) && of.lines.some((one) => started.includes(one))],
    ['paid', isPaid],
    ['approved', ({ plan }) => plan === 'approved'],
    ['plan_ready', ({ plan }) => plan === 'awaiting_approval'],
    ['sent', ({ plan, sentToTeam }) => plan === null && sentToTeam],
    ['draft', ({ plan, sentToTeam }) => plan === null && !sentToTeam],
  ];

  it(`stage: ${REACHABLE.length} campaigns against the eight rows, each of which is met`, () => {
    proves('stages.sent', 'stages.running', 'stages.complete', 'stages.cancelled', 'stages.paid', 'stages.approved');
    const met = new Set<CampaignStage>();
    for (const of of REACHABLE) {
      const stage = campaignStage(of);
      met.add(stage);
      expect({ of, stage }).toEqual({ of, stage: firstOf(rows, of) });
    }
    expect([...met].sort()).toEqual([...CAMPAIGN_STAGE_IDS].sort());
  });

  it('a paid campaign whose lines are all cancelled waits for its order', () => {
    expect(campaignStage({ plan: 'approved', order: 'paid', lines: ['cancelled'], sentToTeam: false })).toBe('paid');
  });

  it('the order of the lines does not matter', () => {
    for (const of of REACHABLE) expect(campaignStage({ ...of, lines: of.lines.toReversed() })).toBe(campaignStage(of));
  });

  it('waits_on_you: a plan to approve without an open change, or a signed one to pay, out of the archive', () => {
    proves('campaigns.waits-on-you');
    for (const of of REACHABLE)
      for (const archived of YES_NO)
        for (const openChange of YES_NO) {
          const asks =
            (of.plan === 'awaiting_approval' && !openChange) || (of.plan === 'approved' && of.order === 'unpaid');
          const waits = waitsOnYou({ stage: campaignStage(of), archived, openChange, order: of.order });
          expect({ of, archived, openChange, waits }).toEqual({ of, archived, openChange, waits: asks && !archived });
        }
  });
});
