import type { WriteHandler } from '@cds/service';
import type { GatedSignings } from '../signing/recovery.js';
import type { Authorities } from '../store/authority.js';

/**
 * Raises a key's gate to its newest mandate version and over rights that ended: no approval that starts later reserves
 * under an older version or on such a right (docs/reliability.md#authority). What held cents before is settled by the
 * answer: signed by then, or never. Idempotent; the gate never goes down. Raises unavailable while planning does not
 * say what was signed; the gate is up then. Source: docs/reliability.md#ended-rights (I74).
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
