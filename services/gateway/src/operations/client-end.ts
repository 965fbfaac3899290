import { notFound } from '@cds/contracts';
import { actorOf, change, LostRace, RecordedOutcome, runWrite, type WriteHandler, type WriteShell } from '@cds/service';
import { grantEnd, rightOf } from '../domain/rights.js';
import type { OAuthRows } from '../store/oauth-rows.js';
import type { RightEnds } from '../store/right-ends.js';

type Deps = { shell: WriteShell; oauthRows: Pick<OAuthRows, 'grantIn' | 'endGrant'>; rightEnds: RightEnds };

/**
 * Ends the sign-in of an MCP client: its tokens are gone, its key stays, and nothing that it has under way is signed
 * after the answer (I74). Raises not_found, unavailable while it is not known what was signed. Source:
 * docs/domain/access.md#sign-in-for-mcp-clients.
 */
export const clientEnd: WriteHandler<'client_end', Deps> = async (ctx, input, { shell, oauthRows, rightEnds }) => {
  const ws = ctx.principal.workspace;
  const outcome = await runWrite(shell, ctx, 'client_end', 204, async () => {
    const grant = await oauthRows.grantIn(ws, input.id);
    if (grant === null) throw notFound('client');
    return change(null, {
      save: async (tx) => {
        if ((await oauthRows.endGrant(tx, grant._id)) === null) throw new LostRace('grant');
        await rightEnds.add(tx, [grantEnd(grant)], ctx.networkNow);
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
  });
  if (outcome.ok) await rightEnds.settle([rightOf.grant(input.id.toLowerCase())]);

  return new RecordedOutcome(outcome);
};
