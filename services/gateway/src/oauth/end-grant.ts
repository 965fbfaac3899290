import { Deadline, inTx, type WriteShell } from '@cds/service';
import { grantEnd, rightOf } from '../domain/rights.js';
import type { OAuthRows } from '../store/oauth-rows.js';
import type { RightEnds } from '../store/right-ends.js';

const LIMIT_MS = 10_000;

/** Why a grant ends without a person: its client gave it up, or a code or refresh token was used twice. */
export type GrantEnd = 'revoked' | 'used twice';

/** Ends the grant of an id, for this cause. */
export type EndGrant = (id: string, because: GrantEnd) => Promise<void>;

/**
 * Ends a grant with its tokens, and enters that in the audit: both, and once, whoever else ends it. Nothing that its
 * client has under way is signed afterwards (I74). Raises unavailable while it is not known what was signed. Source:
 * docs/domain/access.md#sign-in-for-mcp-clients.
 */
export const grantEnder =
  (rows: OAuthRows, rightEnds: RightEnds, { store, audit }: Pick<WriteShell, 'store' | 'audit'>): EndGrant =>
  async (id, because) => {
    const now = await store.now();
    await inTx(store, Deadline.in(LIMIT_MS), async (tx) => {
      const grant = await rows.endGrant(tx, id);
      if (grant === null) return;
      await rightEnds.add(tx, [grantEnd(grant)], now);
      const { ws, key_id: object, client_name: client } = grant;
      const actor = because === 'revoked' ? `client:${id}` : 'system';
      await audit.add(
        tx,
        [{ ws, actor, action: 'client.ended', object, payload: { grant: id, client, because } }],
        now,
      );
    });
    await rightEnds.settle([rightOf.grant(id)]);
  };
