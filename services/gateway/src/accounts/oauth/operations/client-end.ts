import { notFound } from '@cds/contracts';
import { actorOf, change, RecordedOutcome, runWrite, type WriteHandler, type WriteShell } from '@cds/service';
import { applied, type EndingDeps, ending } from '../../rights/ending.js';

/**
 * Ends the sign-in of an MCP client with its tokens and child keys (docs/domain/sign-in.md#mcp-sign-in); nothing that
 * these have in progress is signed after the answer (I74). Raises not_found, unavailable.
 */
export const clientEnd: WriteHandler<'client_end', EndingDeps & { shell: WriteShell }> = async (ctx, input, deps) => {
  const ws = ctx.principal.workspace;
  const outcome = await runWrite(deps.shell, ctx, 'client_end', 204, async () => {
    const grant = await deps.oauthRows.grantIn(ws, input.id);
    if (grant === null) throw notFound('client');

    const end = await ending(deps, { grants: [grant] }, { actor: actorOf(ctx), at: ctx.networkNow });

    return change(null, end);
  });

  // After a crash between the commit and this, a replay does it.
  await applied(deps, [ws]);
  return new RecordedOutcome(outcome);
};
