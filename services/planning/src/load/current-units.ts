import type { AudienceWeights, Candidate, Output } from '@cds/contracts';
import type { Client, Ctx } from '@cds/service';
import { NO_OVERRIDE, overridden, overriddenCandidates, type UnitOverride } from '../domain/overrides.js';
import { type PlanWithCampaign, type UnitMap, unitsOf } from '../domain/plan.js';
import type { UnitOverrides } from '../store/unit-overrides.js';

/** No unit's facts, where a plan's lines need none. */
export const NO_UNITS: UnitMap = new Map();

/** What the workspace's plans see of the network now: catalog's facts, and in a sandbox its own overrides on top. */
export class CurrentUnits {
  constructor(
    private readonly catalog: Client<'unit_facts' | 'plan_candidates'>,
    private readonly overrides: UnitOverrides,
  ) {}

  /** Facts of units by id; unknown ids are absent. `instead` replaces the sandbox's override of one unit. */
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

  /** Facts of every unit that a plan stands on, and of those that an edit is about to add. */
  ofPlan(ctx: Ctx, { plan, campaign }: PlanWithCampaign, more: readonly string[] = []): Promise<UnitMap> {
    return this.of(ctx, [...new Set([...unitsOf(plan.lines), ...more])], campaign.segments);
  }

  /** The candidates of a plan for an audience text and a geography, with the segments it resolves to. */
  async candidates(
    ctx: Ctx,
    audience: string | null,
    geography: string,
  ): Promise<Output<'plan_candidates'> & { candidates: Candidate[] }> {
    const [answer, overrides] = await Promise.all([
      this.catalog.plan_candidates(ctx, { audience, geography }),
      this.overridesOf(ctx),
    ]);
    return overrides.size === 0
      ? answer
      : { ...answer, candidates: overriddenCandidates(answer.candidates, overrides) };
  }

  private async overridesOf(ctx: Ctx): Promise<ReadonlyMap<string, UnitOverride>> {
    return ctx.principal.sandbox ? this.overrides.byWorkspace(ctx.principal.workspace) : new Map();
  }
}
