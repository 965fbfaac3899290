import type { WriteHandler } from '@cds/service';
import { mustBeSandbox, type OverrideDeps, overrideChange } from '../changes/override-change.js';
import { NO_OVERRIDE } from '../domain/edits/overrides.js';

/** Raises forbidden in a live workspace, not_found for an unknown unit. Source: docs/domain/sandbox.md#sandbox. */
export const sandboxUnitClear: WriteHandler<'sandbox_unit_clear', OverrideDeps> = async (ctx, input, deps) => {
  mustBeSandbox(ctx);

  return overrideChange(ctx, deps, { unitId: input.unit_id, override: NO_OVERRIDE, ends: true });
};
