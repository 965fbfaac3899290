import { notFound } from '@cds/contracts';
import { actorOf, change, LostRace, type WriteHandler } from '@cds/service';
import type { OAuthRows } from '../store/oauth-rows.js';

/**
 * Ends the sign-in of an MCP client: its tokens are gone, its key stays. Raises not_found. Source:
 * docs/domain/access.md#sign-in-for-mcp-clients.
 */
export const clientEnd: WriteHandler<'client_end', { oauthRows: Pick<OAuthRows, 'grantIn' | 'endGrant'> }> = async (
  ctx,
  input,
  { oauthRows },
) => {
  const ws = ctx.principal.workspace;
  const grant = await oauthRows.grantIn(ws, input.id);
  if (grant === null) throw notFound('client');
  return change(null, {
    save: async (tx) => {
      if ((await oauthRows.endGrant(tx, grant._id)) === null) throw new LostRace('grant');
    },
    audit: [
      {
        ws,
        actor: actorOf(ctx),
        action: 'client.ended',
        object: grant.key_id,
        payload: { grant: grant._id, client: grant.client_name },
      },
    ],
  });
};
