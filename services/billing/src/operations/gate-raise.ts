import type { WriteHandler } from '@cds/service';
import type { Authorities } from '../store/authority.js';

/**
 * Raises a key's gate to its newest mandate version: no approval that starts later reserves under an older one
 * (docs/reliability.md#authority). Idempotent; the gate never goes down.
 */
export const gateRaise: WriteHandler<'gate_raise', { authorities: Authorities }> = async (
  _ctx,
  { workspace, key_id: key, version },
  { authorities },
) => ({ min_mandate_version: await authorities.raise(workspace, key, version) });
