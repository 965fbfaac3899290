import type { ConnectedClient, Member } from '@cds/contracts';
import { ago, day } from '../foundation/format.js';
import { makerOf } from './key-model.js';

export const clientsModel = (
  clients: readonly ConnectedClient[],
  keyId: string,
  members: readonly Member[],
  now: Date,
  token: (path: string) => string,
) =>
  clients
    .filter((client) => client.key_id === keyId)
    .map((client) => {
      const action = `/developers/keys/${keyId}/clients/${client.id}/end`;
      return {
        name: client.name,
        to: client.answers_go_to,
        connected: `${day(client.connected_at)}, by ${makerOf(client.connected_by, members)}`,
        renewed: ago(client.renewed_at, now),
        action,
        token: token(action),
      };
    });
