import { PAYMENT_STATES, type PaymentState } from '@cds/contracts';
import { proves } from '@cds/contracts/testing';
import { describe, expect, it } from '@jest/globals';
import { campaignStage, type LineProgress, lineStage, lineStatus, NO_PROGRESS, waitsOnYou } from './stage.js';

const line = (over: Partial<LineProgress>): LineProgress => ({ ...NO_PROGRESS, ...over });
const post = (status: 'booked' | 'live' | 'blocked' | 'completed', blocked_reason: string | null = null) => ({
  post: { status, blocked_reason },
});

describe('the stage of a line (domain 3-orders 10.2)', () => {
  it.each<[string, LineProgress, PaymentState | null, string]>([
    ['is planned before anything was told', NO_PROGRESS, null, 'planned'],
    ['is planned while the proposal goes out', line({ proposal_state: 'sending' }), 'paid', 'planned'],
    ['is planned after an answer that was no', line({ proposal_state: 'declined' }), 'paid', 'planned'],
    ['is planned while nobody is found', line({ proposal_state: 'unfilled' }), 'paid', 'planned'],
    ['is offered once the creator has the proposal', line({ proposal_state: 'sent' }), 'paid', 'offered'],
    ['is creator_confirmed when accepted', line({ proposal_state: 'accepted' }), 'paid', 'creator_confirmed'],
    ['is scheduled once booked', line({ proposal_state: 'accepted', booked: true }), 'paid', 'scheduled'],
    [
      'stays scheduled while a booked post is missing',
      line({ booked: true, ...post('blocked', 'post_missing') }),
      'paid',
      'scheduled',
    ],
    ['is live once the post was accepted', line({ booked: true, ...post('live') }), 'paid', 'live'],
    [
      'stays live while only the disclosure is missing',
      line({ booked: true, ...post('blocked', 'no_disclosure') }),
      'paid',
      'live',
    ],
    [
      'is no longer live once the post is gone',
      line({ booked: true, ...post('blocked', 'post_gone') }),
      'paid',
      'scheduled',
    ],
    [
      'is proof_attached with its proof',
      line({ booked: true, ...post('completed') }),
      'partially_refunded',
      'proof_attached',
    ],
    ['is cancelled when the line is', line({ cancelled: true, booked: true }), 'paid', 'cancelled'],
    ['is cancelled when the order is', line({ booked: true, ...post('completed') }), 'cancelled', 'cancelled'],
    ['is cancelled when the order was refunded', line({ ...post('live') }), 'refunded', 'cancelled'],
  ])('%s', (_name, progress, order, stage) => {
    proves(
      'lines.planned',
      'lines.offered',
      'lines.creator-confirmed',
      'lines.scheduled',
      'lines.live',
      'lines.proof-attached',
      'lines.cancelled',
    );
    expect(lineStage(progress, order)).toBe(stage);
  });
});

describe('the status of a line (domain 3-orders 10.1)', () => {
  const signed = { signed: true, onSale: true };
  it.each<[string, LineProgress, PaymentState | null, { signed: boolean; onSale: boolean }, string]>([
    ['is planned on sale before signing', NO_PROGRESS, null, { signed: false, onSale: true }, 'planned'],
    ['is blocked off sale before signing', NO_PROGRESS, null, { signed: false, onSale: false }, 'blocked'],
    [
      'is never blocked by a sale that ended after signing',
      NO_PROGRESS,
      'unpaid',
      { signed: true, onSale: false },
      'planned',
    ],
    ['is booked', line({ booked: true }), 'paid', signed, 'booked'],
    ['is booked again after a rejected look', line({ booked: true, ...post('booked') }), 'paid', signed, 'booked'],
    ['is live', line({ booked: true, ...post('live') }), 'paid', signed, 'live'],
    [
      'is blocked by a missing post',
      line({ booked: true, ...post('blocked', 'post_missing') }),
      'paid',
      signed,
      'blocked',
    ],
    [
      'is planned once a replacement is on its way',
      line({ ...post('blocked', 'post_gone') }),
      'paid',
      signed,
      'planned',
    ],
    ['is completed', line({ booked: true, ...post('completed') }), 'paid', signed, 'completed'],
    ['is cancelled with its order', line({ booked: true }), 'refunded', signed, 'cancelled'],
  ])('%s', (_name, progress, order, view, status) => {
    expect(lineStatus(progress, order, view)).toBe(status);
  });
});

describe('the stage of a campaign (domain 2-plans 7)', () => {
  const of = (over: Partial<Parameters<typeof campaignStage>[0]>) =>
    campaignStage({ plan: null, order: null, lines: [], sentToTeam: false, ...over });

  it.each<[string, Parameters<typeof of>[0], string]>([
    ['without a plan is draft', {}, 'draft'],
    ['sent to the team is sent', { sentToTeam: true }, 'sent'],
    ['with a plan awaiting approval is plan_ready', { plan: 'awaiting_approval', sentToTeam: true }, 'plan_ready'],
    ['signed is approved', { plan: 'approved', order: 'unpaid', lines: ['planned'] }, 'approved'],
    ['with money on its way is approved', { plan: 'approved', order: 'processing', lines: ['planned'] }, 'approved'],
    ['paid is paid', { plan: 'approved', order: 'paid', lines: ['offered', 'planned'] }, 'paid'],
    [
      'partially refunded still counts as paid',
      { plan: 'approved', order: 'partially_refunded', lines: ['planned'] },
      'paid',
    ],
    ['with a booked post runs', { plan: 'approved', order: 'paid', lines: ['planned', 'scheduled'] }, 'running'],
    ['with some proof runs', { plan: 'approved', order: 'paid', lines: ['planned', 'proof_attached'] }, 'running'],
    [
      'with every post proved is complete',
      { plan: 'approved', order: 'paid', lines: ['proof_attached', 'cancelled'] },
      'complete',
    ],
    [
      'whose lines are all cancelled waits for its order',
      { plan: 'approved', order: 'paid', lines: ['cancelled'] },
      'paid',
    ],
    ['refunded is cancelled', { plan: 'approved', order: 'refunded', lines: ['cancelled'] }, 'cancelled'],
    ['cancelled is cancelled', { plan: 'approved', order: 'cancelled', lines: ['cancelled'] }, 'cancelled'],
  ])('%s', (_name, facts, stage) => {
    proves('stages.sent', 'stages.running', 'stages.complete', 'stages.cancelled');
    expect(of(facts)).toBe(stage);
  });
});

describe('waits_on_you (domain 2-plans 7; I33)', () => {
  const of = (over: Partial<Parameters<typeof waitsOnYou>[0]>) =>
    waitsOnYou({ stage: 'plan_ready', archived: false, openChange: false, order: null, ...over });

  it('is true for a plan to approve and for an unpaid order', () => {
    proves('campaigns.waits-on-you');
    expect(of({})).toBe(true);
    expect(of({ stage: 'approved', order: 'unpaid' })).toBe(true);
  });

  it('is false for drafts, archived campaigns, open changes and money on its way', () => {
    proves('campaigns.waits-on-you');
    expect(of({ stage: 'draft' })).toBe(false);
    expect(of({ archived: true })).toBe(false);
    expect(of({ openChange: true })).toBe(false);
    expect(of({ stage: 'approved', order: 'processing' })).toBe(false);
    for (const order of PAYMENT_STATES) expect(of({ stage: 'paid', order })).toBe(false);
  });
});

describe('stage and status are total (I33)', () => {
  it('answer for every combination of facts', () => {
    const posts: LineProgress['post'][] = [null];
    for (const status of ['booked', 'live', 'blocked', 'completed'] as const)
      for (const reason of [null, 'post_missing', 'post_gone', 'no_disclosure'])
        posts.push({ status, blocked_reason: reason });
    for (const proposal_state of [null, 'sending', 'sent', 'accepted', 'declined', 'no_reply', 'unfilled'] as const)
      for (const one of posts)
        for (const booked of [true, false])
          for (const cancelled of [true, false])
            for (const order of [null, ...PAYMENT_STATES]) {
              const progress = { proposal_state, post: one, booked, cancelled };
              expect(typeof lineStage(progress, order)).toBe('string');
              expect(typeof lineStatus(progress, order, { signed: true, onSale: true })).toBe('string');
            }
  });
});
