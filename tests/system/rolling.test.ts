// @night: two replicas of each service under an advanced clock.
import type { CampaignStatus, Quote } from '@cds/contracts';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { aBrand, advanceClock, ask, keptStack, type Stack, secretOf } from '../support/stack.js';

/**
 * Two processes of each service that handles due facts. Whichever is asked, an advanced clock answers once everything
 * due is handled (ADR 0009). `CDS_SETTLE_ROUNDS` sets the rounds.
 */
const ROUNDS = Number(process.env['CDS_SETTLE_ROUNDS'] ?? 2);
const HOUR = 3_600;
const DAY = 24 * HOUR;
const AGENTS = 2;

describe('services with two replicas each', () => {
  let stack: Stack;

  beforeAll(async () => {
    stack = await keptStack('pairs');
  }, 180_000);

  const anAgent = async () => {
    const key = secretOf((await aBrand(stack)).sandbox, 'full');
    const call = async <T>(name: Parameters<typeof ask>[2], input: Record<string, unknown>): Promise<T> => {
      const answer = await ask(stack, key, name, input as never);
      if (answer.status >= 300) throw new Error(`${name} answered ${answer.status} ${JSON.stringify(answer.body)}`);
      return answer.body as T;
    };
    const advance = async (seconds: number): Promise<void> => {
      expect(await advanceClock(stack, key, seconds)).toMatchObject({ status: 200 });
    };
    return { key, call, advance };
  };
  type Agent = Awaited<ReturnType<typeof anAgent>>;

  const aPaidCampaign = async ({ call }: Agent): Promise<{ id: string; orderId: string }> => {
    const { now } = await call<{ now: string }>('sandbox_clock', {});
    const dayIn = (days: number) => new Date(Date.parse(now) + days * DAY * 1_000).toISOString().slice(0, 10);
    const { id, plan } = await call<{ id: string; plan: Quote }>('create_campaign', {
      goal: 'launch',
      product: 'Orbit, an AI pair for founders',
      moment: 'Orbit goes live on the first day of the window',
      window_start: dayIn(3),
      window_end: dayIn(24),
      budget_usd: 6_000,
    });
    const { order_id: orderId } = await call<{ order_id: string }>('approve_plan', {
      id: plan.plan_id,
      terms_fingerprint: plan.terms_fingerprint,
    });
    await call('sandbox_order_payment', { id: orderId, outcome: 'paid' });
    return { id, orderId };
  };

  /** What the reads show of a campaign that due facts change. */
  const shownOf = async ({ call }: Agent, id: string) => {
    const [status, evidence, results] = await Promise.all([
      call<CampaignStatus>('campaign_status', { id }),
      call<{ items: unknown[] }>('evidence_list', { campaign_id: id }),
      call<{ items: unknown[] }>('results_list', { campaign_id: id }),
    ]);
    return {
      stage: status.stage_id,
      stages: status.plan?.lines_by_stage,
      proposals: status.plan?.lines.map((line) => line.proposal),
      evidence: evidence.items,
      results: results.items,
    };
  };

  it('show right after each advance what they show later', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const agents = await Promise.all(Array.from({ length: AGENTS }, anAgent));
      await Promise.all(
        agents.map(async (agent) => {
          const { id } = await aPaidCampaign(agent);
          for (const seconds of [49 * HOUR, 4 * DAY, 9 * DAY, 13 * DAY, 12 * DAY]) {
            await agent.advance(seconds);
            const atOnce = await shownOf(agent, id);
            // Two later reads; nothing may change after the answer.
            await agent.call('sandbox_clock', {});
            await agent.call('sandbox_clock', {});
            expect(await shownOf(agent, id)).toEqual(atOnce);
          }
          expect((await shownOf(agent, id)).results).not.toEqual([]);
        }),
      );
    }
  }, 480_000);
});
