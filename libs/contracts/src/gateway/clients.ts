import { z } from 'zod';
import { publicText, Timestamp, Uuid } from '../fields.js';
import { closed, uuidInput } from '../input.js';
import { defineOperations } from '../operation.js';
import { brandPath } from '../planning/inputs.js';
import { keyOperation } from './keys.js';

/** A client signed in as a key; its name was never verified (docs/domain/sign-in.md#mcp-sign-in). */
export const ConnectedClient = z
  .object({
    id: Uuid,
    key_id: Uuid,
    name: publicText(),
    answers_go_to: publicText().meta({ description: 'Where its sign-in led, in words.' }),
    connected_at: Timestamp,
    connected_by: publicText(),
    renewed_at: Timestamp.meta({ description: 'When it last got tokens; it needs new ones every hour.' }),
    expires_at: Timestamp.meta({ description: 'When it ends unless it gets new tokens.' }),
  })
  .meta({ id: 'ConnectedClient' });
export type ConnectedClient = z.infer<typeof ConnectedClient>;

export const clientOperations = defineOperations('gateway', {
  clients_list: {
    ...keyOperation,
    rest: { method: 'GET', path: brandPath('/clients'), root: 'app' },
    effect: 'read',
    summary: 'Lists the MCP clients that are signed in as keys of the workspace, oldest first.',
    output: z.object({ clients: z.array(ConnectedClient) }),
  },
  client_end: {
    ...keyOperation,
    rest: { method: 'DELETE', path: brandPath('/clients/{id}'), root: 'app' },
    effect: 'write',
    idempotency: 'required',
    // The keys that it made change after the commit, also when a crash left that to a replay.
    ownRecord: true,
    summary:
      'Ends the sign-in of a client and revokes the child keys that it made. Its next request is refused; its key stays.',
    params: closed({ id: uuidInput().describe('The id of the sign-in, a UUID.') }),
    output: z.null(),
    success: 204,
  },
});
