import { isDeepStrictEqual } from 'node:util';
import type { AudienceWeights, Candidate } from '@cds/contracts';
import { type Client, type Ctx, INTERNAL_CALL_MS } from '@cds/service';
import { CANDIDATES_REUSED_MS } from '../domain/constants.js';
import { NO_OVERRIDE, overridden, overriddenCandidates, type UnitOverride } from '../domain/edits/overrides.js';
import { type PlanWithCampaign, type UnitMap, unitsOf } from '../domain/plan.js';
import type { UnitOverrides } from '../store/unit-overrides.js';

export const NO_UNITS: UnitMap = new Map();

export type Candidates = {
  segments: AudienceWeights;
  unresolved: boolean;
  regions?: string[] | undefined;
  candidates: Candidate[];
};

/** Catalog's, and in a sandbox with its overrides. */
export class CurrentUnits {
  private readonly shared = new Map<string, { until: number; candidates: Promise<Candidates> }>();

  constructor(
    private readonly catalog: Client<'unit_facts' | 'plan_candidates'>,
    private readonly overrides: UnitOverrides,
  ) {}

  /** Unknown ids are absent. `instead` replaces the sandbox's override of one unit. */
  async of(
    ctx: Ctx,
    unitIds: readonly string[],
    audience: AudienceWeights,
    instead?: { unitId: string; override: UnitOverride },
  ): Promise<UnitMap> {
    if (unitIds.length === 0) return NO_UNITS;
    const [answer, overrides] = await Promise.all([
      this.catalog.unit_facts(ctx, { unit_ids: [...unitIds], audience }),
      this.overridesOf(ctx),
    ]);
    return new Map(
      answer.units.map((unit) => {
        const override = unit.unit_id === instead?.unitId ? instead.override : overrides.get(unit.unit_id);
        return [unit.unit_id, overridden(unit, override ?? NO_OVERRIDE)];
      }),
    );
  }

  ofPlan(ctx: Ctx, { plan, campaign }: PlanWithCampaign, more: readonly string[] = []): Promise<UnitMap> {
    return this.of(ctx, [...new Set([...unitsOf(plan.lines), ...more])], campaign.segments);
  }

  async candidates(ctx: Ctx, audience: string | null, geography: string): Promise<Candidates> {
    const [answer, overrides] = await Promise.all([
      this.everyCandidate({ ...ctx, deadline: ctx.deadline.atMost(INTERNAL_CALL_MS) }, { audience, geography }),
      this.overridesOf(ctx),
    ]);
    return overrides.size === 0
      ? answer
      : { ...answer, candidates: overriddenCandidates(answer.candidates, overrides) };
  }

  async sharedCandidates(ctx: Ctx, audience: string | null, geography: string): Promise<Candidates> {
    if ((await this.overridesOf(ctx)).size > 0) return this.candidates(ctx, audience, geography);
    const key = JSON.stringify([audience, geography]);
    const held = this.shared.get(key);
    if (held !== undefined && held.until > ctx.networkNow.getTime()) return held.candidates;
    const candidates = this.candidates(ctx, audience, geography);
    this.shared.set(key, { until: ctx.networkNow.getTime() + CANDIDATES_REUSED_MS, candidates });
    try {
      return await candidates;
    } catch (error) {
      this.shared.delete(key);
      throw error;
    } finally {
      for (const [old, { until }] of this.shared) if (until <= ctx.networkNow.getTime()) this.shared.delete(old);
    }
  }

  /**
   * All pages. Each may come from another replica with another snapshot, so creators already seen are dropped, and the
   * list starts again when a replica (of another release) resolves the text differently. Raises unavailable when the
   * pages take longer than one call may.
   */
  private async everyCandidate(
    ctx: Ctx,
    of: { audience: string | null; geography: string },
    held: (Candidates & { page: string }) | null = null,
  ): Promise<Candidates> {
    const { next, ...answer } = await this.catalog.plan_candidates(ctx, { ...of, page: held?.page ?? null });
    const same = held === null || isDeepStrictEqual(held.segments, answer.segments);
    if (!same) {
      ctx.deadline.check();
      return this.everyCandidate(ctx, of);
    }
    const all = { ...answer, candidates: following(held?.candidates ?? [], answer.candidates) };
    if (next === null) return all;
    ctx.deadline.check();
    return this.everyCandidate(ctx, of, { ...all, page: next });
  }

  private async overridesOf(ctx: Ctx): Promise<ReadonlyMap<string, UnitOverride>> {
    return ctx.principal.sandbox ? this.overrides.byWorkspace(ctx.principal.workspace) : new Map();
  }
}

/** A page after those before it, without creators that they have already: pages are in the order of ids. */
const following = (before: readonly Candidate[], page: readonly Candidate[]): Candidate[] => {
  const last = before.at(-1)?.creator_id ?? '';
  return [...before, ...page.filter(({ creator_id: id }) => id > last)];
};
