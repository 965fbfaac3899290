import { randomUUID } from 'node:crypto';
import type { EventPayload } from '@cds/contracts';
import { sweepTime } from '@cds/service';
import { describe, expect, it } from '@jest/globals';
import { lineChanged } from '../events/line-changed.js';
import { buildPlans } from '../sweeps/build-plans.js';
import { aCampaign, aCandidate, NOW } from '../test/builders.js';
import { testWorld } from '../test/suite.js';

const DAY = 86_400_000;

describe('how creators answer offers (docs/domain/plans.md#candidates, docs/domain/plans.md#plan-value)', () => {
  const world = testWorld('offer_answers');

  /** Delivers a line's change with the fields that planning reads of one. */
  const answered = (of: {
    ws: string;
    creator: string;
    state: string;
    line?: string;
    attempt?: number;
    version?: number;
    sandbox?: boolean;
    at?: Date;
  }) =>
    world.deliver(lineChanged(world.deps), {
      // What these answers are read from; the rest of a line is left out.
      line_id: of.line ?? randomUUID(),
      attempt: of.attempt ?? 1,
      version: of.version ?? 1,
      workspace: of.ws,
      plan_id: randomUUID(),
      creator_id: of.creator,
      sandbox: of.sandbox ?? false,
      scheduled_date: '2027-03-12',
      booked: false,
      cancelled: false,
      proposal: { state: of.state, replaced_creator_id: null, updated_at: (of.at ?? NOW).toISOString() },
    } as unknown as EventPayload<'line.changed'>);
  const known = (ws: string, creators: string[], now = NOW) => world.deps.offerAnswers.of(ws, creators, now);

  it('counts each offer once as it ended, over all live workspaces', async () => {
    const [creator, line] = [randomUUID(), randomUUID()];
    await answered({ ws: 'a', creator, line, state: 'sent', version: 1 });
    await answered({ ws: 'a', creator, line, state: 'accepted', version: 2 });
    await answered({ ws: 'a', creator, line, state: 'accepted', version: 2 });
    await answered({ ws: 'b', creator, state: 'no_reply' });
    await answered({ ws: 'c', creator, state: 'declined', sandbox: true });
    const { offersOf } = await known('a', [creator]);
    expect(offersOf(creator)).toEqual({ accepted: 1, answered: 2 });
    expect(offersOf(randomUUID())).toEqual({ accepted: 0, answered: 0 });
  });

  it('keeps the answer to an earlier attempt when the line is offered to another creator', async () => {
    const [first, second, line] = [randomUUID(), randomUUID(), randomUUID()];
    await answered({ ws: 'a', creator: first, line, state: 'declined', version: 2 });
    await answered({ ws: 'a', creator: second, line, attempt: 2, state: 'accepted', version: 4 });
    const { offersOf } = await known('a', [first, second]);
    expect([offersOf(first), offersOf(second)]).toEqual([
      { accepted: 0, answered: 1 },
      { accepted: 1, answered: 1 },
    ]);
  });

  it('counts a decline for thirty days, only in the workspace that was declined', async () => {
    const [ws, creator] = [randomUUID(), randomUUID()];
    await answered({ ws, creator, state: 'declined', at: new Date(NOW.getTime() - 30 * DAY + 1_000) });
    expect((await known(ws, [creator])).declinedLately(creator)).toBe(true);
    expect((await known(ws, [creator], new Date(NOW.getTime() + DAY))).declinedLately(creator)).toBe(false);
    expect((await known(randomUUID(), [creator])).declinedLately(creator)).toBe(false);
  });

  it('leaves creators who declined lately out of the next plan', async () => {
    const [declined, other] = [aCandidate({ price_cents: 10_000 }), aCandidate({ price_cents: 10_000 })];
    const campaign = aCampaign({
      no_plan: 'building',
      build: { max_plan_cents: 45_000, sandbox: false, retry_at: null },
      segments: [],
    });
    await world.deps.campaigns.rows.insertOne(campaign);
    await answered({ ws: campaign.ws, creator: declined.creator_id, state: 'declined' });
    world.neighbours.candidates = [declined, other];
    await buildPlans(world.deps).run(sweepTime(NOW, new Map()), campaign.ws);
    const plan = await world.deps.plans.byCampaign(campaign.ws, campaign._id);
    expect(plan?.lines.map((line) => line.creator_id)).toEqual([other.creator_id]);
  });
});
