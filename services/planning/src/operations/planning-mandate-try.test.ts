import { randomUUID } from 'node:crypto';
import { AppError, type MandateInput, type MandateTryPage, type PrincipalMandate } from '@cds/contracts';
import { asksOf } from '@cds/rules';
import { bindHandlers, type Ctx } from '@cds/service';
import { aMandate, draws } from '@cds/service/testing';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import * as handlers from '../handlers.js';
import { A_LAUNCH, aUnit, NOW } from '../test/builders.js';
import { testWorld } from '../test/suite.js';
import { again } from '../test/world.js';

/** How many histories are played. */
const HISTORIES = draws(15);

const ENDED = '2026-11-21T11:00:00.000Z';
const TO_COME = '2027-03-01T00:00:00.000Z';
const PRICES = [30_000, 45_000, 60_000, 90_000] as const;

const drafts: fc.Arbitrary<MandateInput> = fc.record({
  max_plan_cents: fc.constantFrom(50_000, 90_000, 120_000, 1_000_000),
  monthly_cap_cents: fc.constant(6_000_000),
  channels: fc.constantFrom<MandateInput['channels'][]>(['x_creators'], ['reddit'], ['reddit', 'x_creators']),
  may_approve: fc.boolean(),
  expires_at: fc.constantFrom(TO_COME, TO_COME, TO_COME, ENDED),
});

/** A write under one of the mandates of a history; `unit` and `line` choose among those there are. */
const writes = fc.record({
  mandate: fc.nat(3),
  kind: fc.constantFrom(
    'plan_add_creator',
    'plan_add_creator',
    'plan_swap_creator',
    'plan_swap_creator',
    'plan_remove_creator',
    'plan_move_dates',
    'rename_campaign',
    'set_creator_guidelines',
    'delete_campaign',
    'create_campaign',
  ),
  unit: fc.nat(11),
  line: fc.nat(5),
});
type Write = typeof writes extends fc.Arbitrary<infer W> ? W : never;
type Kind = Write['kind'];

const histories = fc.record({
  // The first has no mandate at all.
  mandates: fc.array(drafts, { minLength: 3, maxLength: 3 }),
  writes: fc.array(writes, { minLength: 1, maxLength: 15 }),
  draft: drafts,
});

/** How a write ended or would end: allowed, refused by the mandate with these details, or anything else. */
type Ending = { reason: string | null; details?: Record<string, unknown> } | 'otherwise';

const endingOf = (error: { code: string; details?: Record<string, unknown> | undefined }): Ending => {
  if (error.code !== 'mandate_refused') return 'otherwise';
  const { reason, ...details } = error.details ?? {};
  return { reason: String(reason), details };
};

type Played = {
  request: string;
  kind: Kind;
  was: Exclude<Ending, 'otherwise'>;
  would: Ending;
  under: MandateInput | null;
};

describe('trying a draft of a mandate on recorded writes (docs/domain/orders.md#mandate-workbench)', () => {
  const world = testWorld('planning_mandate_try');

  const sold = () => {
    const units = PRICES.flatMap((price_cents) =>
      ['x_creators', 'x_creators', 'reddit'].map((channel) => aUnit({ price_cents, channel })),
    );
    for (const unit of units) world.neighbours.units.set(unit.unit_id, unit);
    return units;
  };

  const under = (ctx: Ctx, mandate: MandateInput | null): Ctx => {
    const limits: PrincipalMandate | null = mandate === null ? null : aMandate(mandate);
    return {
      ...again(ctx, { requestId: randomUUID() }),
      principal: { ...ctx.principal, mandate: limits, mandate_version: limits?.version ?? 0 },
    };
  };

  /** A workspace with a plan and a draft campaign, whose writes are named by numbers. */
  const aWorkspace = async () => {
    const units = sold();
    const of = await world.planned({ units: units.slice(0, 2), campaign: { budget_cents: 300_000 } });
    const inputOf = async ({ kind, unit, line }: Write): Promise<Record<string, unknown>> => {
      const plan = await world.deps.plans.byId(of.plan.ws, of.plan._id);
      const unit_id = units[unit % units.length]?.unit_id;
      const line_id = plan?.lines[line % plan.lines.length]?.id;
      const inputs: Record<Kind, Record<string, unknown>> = {
        plan_add_creator: { id: of.plan._id, unit_id },
        plan_swap_creator: { id: of.plan._id, unit_id, line_id },
        plan_remove_creator: { id: of.plan._id, line_id },
        plan_move_dates: { id: of.plan._id, start: '2026-12-02', end: '2026-12-22' },
        rename_campaign: { id: of.campaign._id, name: `Name ${unit}` },
        set_creator_guidelines: { id: of.campaign._id, pitch: 'Try it.' },
        delete_campaign: { id: of.campaign._id },
        create_campaign: { ...A_LAUNCH, budget_usd: 3_000 },
      };
      return inputs[kind];
    };
    return { ctx: of.ctx, inputOf };
  };

  /** What a write would answer under a mandate, decided by its own handler on the real state and never saved. */
  const wouldAnswer = async (kind: Kind, ctx: Ctx, input: Record<string, unknown>): Promise<Ending> => {
    try {
      await bindHandlers('planning', handlers, world.deps).get(kind)?.run(ctx, input);
      return { reason: null };
    } catch (error) {
      if (error instanceof AppError) return endingOf(error);
      throw error;
    }
  };

  /** Plays the writes, each under its mandate, and asks before each what it would answer under the draft. */
  const play = async (history: { mandates: (MandateInput | null)[]; writes: Write[]; draft: MandateInput }) => {
    const { ctx, inputOf } = await aWorkspace();
    const played: Played[] = [];
    for (const write of history.writes) {
      const mandate = history.mandates[write.mandate % history.mandates.length] ?? null;
      const input = await inputOf(write);
      // The draft leaves the terms as they were; without a mandate none were accepted.
      const tried = under(ctx, history.draft);
      const would = await wouldAnswer(write.kind, tried, input);
      const live = under(ctx, mandate);
      // As above: each kind's own input.
      const answer = await world.call(write.kind, live, input as never);
      const replay = await world.call(write.kind, live, input as never);
      expect(replay.ok).toBe(answer.ok);
      const was = answer.ok ? { reason: null } : endingOf(answer.error);
      if (was !== 'otherwise') played.push({ request: live.requestId, kind: write.kind, was, would, under: mandate });
    }
    return { ctx, played: played.reverse() };
  };

  const tryOn = async (ctx: Ctx, mandate: MandateInput): Promise<MandateTryPage> => {
    const period = { from: '2026-11-01T00:00:00.000Z', to: NOW.toISOString() };
    const page = await world.value('planning_mandate_try', ctx, {
      keys: [ctx.principal.key],
      mandate,
      ...period,
      after: null,
    });
    expect(page.next).toBeNull();
    return page;
  };
  /** All writes of a test come at one instant, so they are compared without their order. */
  const sorted = <T extends { request_id: string }>(rows: readonly T[]): T[] =>
    [...rows].sort((one, other) => one.request_id.localeCompare(other.request_id));

  it('says for any draft what each write would have answered at its time, and changes nothing', async () => {
    const met = new Set<string>();
    await fc.assert(
      fc.asyncProperty(histories, async (history) => {
        const mandates = [null, ...history.mandates];
        const { ctx, played } = await play({ ...history, mandates });
        const before = await world.documents(ctx.principal.workspace);
        const page = await tryOn(ctx, history.draft);
        expect(await world.documents(ctx.principal.workspace)).toEqual(before);
        expect(page.tried).toBe(played.length);

        // Where the draft lets a refused write go on to a conflict, only the conflict is known.
        const known = played.filter(({ would }) => would !== 'otherwise');
        const names = new Set(known.map(({ request }) => request));
        const differing = known.filter(({ was, would }) => would !== 'otherwise' && was.reason !== would.reason);
        expect(sorted(page.changed.filter(({ request_id }) => names.has(request_id)))).toEqual(
          sorted(
            differing.map(({ request, was, would }) => ({
              at: NOW.toISOString(),
              request_id: request,
              was: was.reason,
              would: would === 'otherwise' ? null : would.reason,
            })),
          ),
        );
        expect(
          sorted(page.refused.filter(({ request_id }) => names.has(request_id))).map(({ at: _at, ...rest }) => rest),
        ).toEqual(
          sorted(
            known.flatMap(({ request, kind, would }) =>
              would === 'otherwise' || would.reason === null
                ? []
                : [{ request_id: request, operation: kind, ...would }],
            ),
          ),
        );
        for (const { was, would } of differing) met.add(`${was.reason} ${would === 'otherwise' ? '' : would.reason}`);
      }),
      { numRuns: HISTORIES, seed: 12 },
    );
    expect([...met]).toEqual(
      expect.arrayContaining([
        'null channel_not_allowed',
        'null mandate_expired',
        'no_mandate null',
        'no_mandate channel_not_allowed',
        'mandate_expired channel_not_allowed',
        'channel_not_allowed over_max_plan_total',
        'over_max_plan_total channel_not_allowed',
      ]),
    );
  }, 120_000);

  it('judges a page at a time, newest first, and only the named keys of the workspace', async () => {
    const { ctx } = await aWorkspace();
    const rows = Array.from({ length: 1_003 }, (_one, index) => ({
      _id: randomUUID(),
      ws: ctx.principal.workspace,
      key: index < 1_002 ? ctx.principal.key : randomUUID(),
      at: new Date(NOW.getTime() - (index % 7) * 1_000),
      operation: 'rename_campaign',
      request_id: `request-${index}`,
      command: randomUUID(),
      mandate_version: 1,
      mandate: aMandate(),
      asked: asksOf(NOW),
      reason: null,
    }));
    await world.deps.checks.rows.insertMany([...rows, { ...rows[0], _id: randomUUID(), ws: randomUUID() } as never]);

    const { max_plan_cents, monthly_cap_cents, may_approve } = aMandate();
    const draft: MandateInput = {
      max_plan_cents,
      monthly_cap_cents,
      channels: ['x_creators'],
      may_approve,
      expires_at: ENDED,
    };
    const of = { keys: [ctx.principal.key], mandate: draft, from: '2026-11-01T00:00:00.000Z', to: NOW.toISOString() };
    const first = await world.value('planning_mandate_try', again(ctx), { ...of, after: null });
    expect(first).toMatchObject({ tried: 1_000, next: { at: expect.any(String) } });
    const second = await world.value('planning_mandate_try', again(ctx), { ...of, after: first.next });
    expect(second).toMatchObject({ tried: 2, next: null });

    const refused = [...first.refused, ...second.refused];
    expect(new Set(refused.map(({ request_id }) => request_id)).size).toBe(1_002);
    const times = refused.map(({ at }) => at);
    expect(times).toEqual([...times].sort().reverse());

    const earlier = { ...of, to: new Date(NOW.getTime() - 5_000).toISOString() };
    expect((await world.value('planning_mandate_try', again(ctx), { ...earlier, after: null })).tried).toBe(286);
  });
});
