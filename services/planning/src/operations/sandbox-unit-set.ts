import type { WriteHandler } from '@cds/service';
import { mustBeSandbox, type OverrideDeps, overrideChange } from '../changes/override-change.js';
import { NO_OVERRIDE } from '../domain/edits/overrides.js';

/** Raises forbidden in a live workspace, not_found for an unknown unit. Source: docs/domain/sandbox.md#sandbox. */
export const sandboxUnitSet: WriteHandler<'sandbox_unit_set', OverrideDeps> = async (ctx, input, deps) => {
  mustBeSandbox(ctx);
  const held = await deps.overrides.byUnit(ctx.principal.workspace, input.unit_id);

  const override = {
    price_cents: input.price_cents ?? held.price_cents,
    age_days: input.age_days ?? held.age_days,
    off_sale: input.off_sale ?? held.off_sale,
  };

  return overrideChange(ctx, deps, { unitId: input.unit_id, override, ends: false });
};

/** Raises forbidden in a live workspace, not_found for an unknown unit. Source: docs/domain/sandbox.md#sandbox. */
export const sandboxUnitClear: WriteHandler<'sandbox_unit_clear', OverrideDeps> = async (ctx, input, deps) => {
  mustBeSandbox(ctx);

  return overrideChange(ctx, deps, { unitId: input.unit_id, override: NO_OVERRIDE, ends: true });
};
