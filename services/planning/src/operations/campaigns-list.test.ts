import { describe, expect, it } from '@jest/globals';
import type { LineFacts } from '../store/line-facts.js';
import { aCampaign, aPlanOrder, aUnit, NOW } from '../test/builders.js';
import { testWorld } from '../test/suite.js';
import { again, brand } from '../test/world.js';

describe('campaigns_list', () => {
  const world = testWorld('campaigns_list');

  it('is empty for a workspace without campaigns, and says why', async () => {
    const ctx = brand();
    expect((await world.value('campaigns_list', again(ctx), {})).campaigns).toEqual([]);
    const noteOf = async (include_archived?: boolean) => {
      const asked = include_archived === undefined ? {} : { include_archived };
      return (await world.value('campaigns_list', again(ctx), asked)).note;
    };
    expect(await noteOf(true)).toBe('No campaigns yet. Create one.');
    await world.deps.campaigns.rows.insertOne(aCampaign({ ws: ctx.principal.workspace, archived_at: NOW }));
    expect(await noteOf()).toBe('Every campaign is archived. Pass include_archived, or create one.');
    expect(await noteOf(true)).toBeUndefined();
  });

  it('lists campaigns of the workspace, newest first, archived ones only when asked', async () => {
    const ctx = brand();
    const ws = ctx.principal.workspace;
    const draft = aCampaign({ ws, created_at: new Date('2026-11-01T00:00:00Z'), product: null, company: null });
    const archived = aCampaign({
      ws,
      created_at: new Date('2026-11-03T00:00:00Z'),
      archived_at: NOW,
      renamed_to: 'Old one',
    });
    await world.deps.campaigns.rows.insertMany([draft, archived, aCampaign()]);
    const planned = await world.planned({
      ctx,
      units: [aUnit()],
      campaign: { created_at: new Date('2026-11-02T00:00:00Z') },
    });

    const { campaigns } = await world.value('campaigns_list', ctx, {});
    expect(campaigns.map((campaign) => campaign.id)).toEqual([planned.campaign._id, draft._id]);
    expect(campaigns).toMatchObject([
      {
        display_name: 'Acme Rocket',
        objective: 'Views and sign-ups on launch day',
        plan_status: 'awaiting_approval',
        stage_id: 'plan_ready',
        stage: 'Plan ready',
        waits_on_you: true,
      },
      { display_name: 'Untitled campaign', plan_status: null, stage_id: 'draft', waits_on_you: false },
    ]);
    const all = await world.value('campaigns_list', ctx, { include_archived: true });
    expect(all.campaigns[0]).toMatchObject({
      display_name: 'Old one',
      stage: 'Archived',
      stage_id: 'draft',
      archived_at: NOW.toISOString(),
    });
    expect((await world.value('campaigns_list', ctx, { include_archived: false })).campaigns).toHaveLength(2);
  });

  /** A line's facts as events left them; those of earlier versions lack fields. */
  const someFacts = (): Partial<LineFacts>[] => {
    const proposals = [null, 'sent', 'accepted', 'declined'] as const;
    const posts = [
      null,
      ...(['booked', 'live', 'completed'] as const).map((status) => ({ status, blocked_reason: null })),
      ...['no_disclosure', 'post_gone'].map((blocked_reason) => ({ status: 'blocked' as const, blocked_reason })),
    ];
    const attempts = [{}, { attempt: 1 }, { attempt: 2 }];
    const shapes = [
      ...attempts.flatMap((of) => posts.flatMap((post) => (post === null ? [] : [{ booked: true, ...of, post }]))),
      ...attempts.flatMap((of) =>
        posts.map((post) => ({ booked: true, ...of, post: post && { ...post, attempt: 1 } })),
      ),
      ...proposals.map((state) => ({ booked: false, state, post: posts[2] ?? null })),
      ...proposals.map((state) => ({ booked: false, state, cancelled: true, post: null })),
    ];
    return shapes.map(({ post, ...of }) => {
      const { state = null, ...facts } = { state: null, ...of };
      const times = { published_at: NOW.toISOString(), still_up_at: null };
      const proposal = state && { state, replaced_creator_id: null, updated_at: NOW.toISOString(), creator_id: 'c' };
      return {
        cancelled: false,
        scheduled_date: '2026-12-01',
        ...facts,
        proposal,
        post: post && { ...times, ...post },
      };
    });
  };

  it.each(['unpaid', 'processing', 'paid', 'partially_refunded', 'refunded', 'cancelled'] as const)(
    'says of each campaign of an order that is %s what its own status says, whatever is known of its lines',
    async (payment_state) => {
      const ctx = brand();
      const refunded_at = payment_state === 'refunded' ? NOW : null;
      const order = aPlanOrder({ version: 1, total_cents: 90_000, payment_state, refunded_at });
      const facts = someFacts();
      // The first line has some facts; the second none, the same or those of a line that is completed.
      const completed = { booked: true, cancelled: false, proposal: null, post: facts.find(isCompleted)?.post ?? null };
      for (const [index, of] of facts.entries()) {
        for (const other of [null, of, completed]) {
          const { plan } = await world.planned({
            ctx,
            units: [aUnit(), aUnit()],
            campaign: { number: index, archived_at: index % 7 === 0 ? NOW : null },
            plan: { status: 'approved', approved_at: NOW, order },
          });
          const rows = [of, other].flatMap((one, at) =>
            one === null ? [] : [{ ...one, _id: plan.lines[at]?.id ?? '', ws: plan.ws, plan_id: plan._id }],
          );
          await world.deps.lineFacts.rows.insertMany(rows as LineFacts[]);
        }
      }

      const { campaigns } = await world.value('campaigns_list', again(ctx), { include_archived: true });
      expect(campaigns).toHaveLength(3 * facts.length);
      const listed = campaigns.map(({ id, stage_id, stage, plan_status, refunded_at, archived_at }) => {
        return { id, stage_id, stage, plan_status, refunded_at, archived_at };
      });
      const own: typeof listed = [];
      for (const { id } of listed) {
        const status = await world.value('campaign_status', again(ctx), { id });
        const { stage_id, stage, plan_status, refunded_at, archived_at } = status;
        own.push({ id, stage_id, stage, plan_status, refunded_at, archived_at });
      }
      expect(listed).toEqual(own);
      const isPaid = payment_state === 'paid' || payment_state === 'partially_refunded';
      expect(new Set(own.map(({ stage_id }) => stage_id)).size).toBe(isPaid ? 3 : 1);
    },
  );
});

const isCompleted = ({ post }: Partial<LineFacts>): boolean => post?.status === 'completed';
