import { Deadline, inTx, retryLostRaces, type WriteShell } from '@cds/service';
import { rightOf } from '../rights/domain/rights.js';
import { applied, type EndingDeps, ending } from '../rights/ending.js';

const LIMIT_MS = 10_000;

/** Why a grant ends without an admin. */
export type GrantEnd = 'revoked' | 'used twice' | 'signed out' | 'its person may not';

/** Ends the grant of an id, for this cause; by the system if no actor is given. */
export type EndGrant = (id: string, because: GrantEnd, actor?: string) => Promise<void>;

/**
 * Ends a grant, its tokens and the child keys made through it, once (docs/domain/sign-in.md#mcp-sign-in). Nothing that
 * its client has in progress is signed afterwards (I74). Raises unavailable.
 */
export const grantEnder =
  (deps: EndingDeps, { store, audit }: Pick<WriteShell, 'store' | 'audit'>): EndGrant =>
  async (id, because, actor = because === 'revoked' ? `client:${id}` : 'system') => {
    const deadline = Deadline.in(LIMIT_MS);
    const ws = await retryLostRaces(deadline, async () => {
      const grant = await deps.oauthRows.byId(id);
      if (grant === null) return null;
      const at = await store.now();
      const end = await ending(deps, { grants: [grant] }, { actor, at, because });
      await inTx(store, deadline, async (tx) => {
        await end.save(tx);
        await audit.add(tx, end.audit, at);
      });
      return grant.ws;
    });
    // Whoever ends it again waits for what it had in progress, as the first did.
    await (ws === null ? deps.rightEnds.settle([rightOf.grant(id)]) : applied(deps, [ws]));
  };
