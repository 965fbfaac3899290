import type { WriteHandler } from '@cds/service';
import type { GatedSignings } from '../signing/recovery.js';
import type { Authorities } from '../store/authority.js';

/**
 * Raises a key's gate: no later approval reserves under an older mandate version or on an ended right. Approvals that
 * held cents before are settled by the answer: signed, or never. Idempotent; never lowers the gate. Raises unavailable,
 * with the gate up, while planning does not say what was signed. Source: docs/reliability.md#ended-rights (I74).
 */
export const gateRaise: WriteHandler<'gate_raise', { authorities: Authorities; gated: GatedSignings }> = async (
  ctx,
  { workspace, key_id: key, version, ended },
  { authorities, gated },
) => {
  const raised = await authorities.raise(workspace, key, { version, ended });
  await gated.settle(ctx, raised);

  return { min_mandate_version: raised.min_mandate_version };
};
