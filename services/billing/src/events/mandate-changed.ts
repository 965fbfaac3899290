import { consumerOf } from '@cds/service';
import type { Authorities } from '../store/authority.js';

/** Raises the gate even if the gateway's own call was lost (docs/reliability.md#authority). */
export const mandateChanged = (authorities: Authorities) =>
  consumerOf({
    event: 'mandate.changed',
    project: async (payload) => {
      await authorities.raise(payload.workspace, payload.key_id, { version: payload.version });
    },
  });
