import type { Key } from '@cds/contracts';
import { actorOf, type Ctx, inTx, mustBeOpen, type WriteShell } from '@cds/service';
import { namedUuid } from '@cds/service/named-uuid';
import { accountIdOf } from './account.js';
import { type Asked, signInEnded } from './asked.js';
import { LIVES_S, resourceOf } from './resource.js';
import type { OAuthServer } from './server.js';

/** How long a client has to fetch its first tokens, in milliseconds; later its tokens keep the grant. */
const FIRST_MS = LIVES_S.request * 1_000;

/** Lets a client act as a key (docs/domain/sign-in.md#mcp-sign-in). Sent twice it is one grant. Raises not_found. */
export const allow = async (
  { oauth, shell }: { oauth: OAuthServer; shell: WriteShell },
  ctx: Ctx,
  asked: Asked,
  key: Pick<Key, 'id' | 'public_id' | 'scopes'>,
): Promise<void> => {
  mustBeOpen(ctx);
  const granted = { ws: ctx.principal.workspace, key_id: key.id, public_id: key.public_id ?? '' };
  const accountId = accountIdOf(granted);
  const _id = namedUuid('oauth-grant', asked.uid, key.id);
  const payload = {
    kind: 'Grant',
    iat: Math.floor(ctx.networkNow.getTime() / 1_000),
    accountId,
    clientId: asked.clientId,
    resources: { [resourceOf(oauth.appUrl, asked.transport)]: key.scopes.join(' ') },
  };
  const [actor, member] = [actorOf(ctx), ctx.principal.person?.member ?? ''];
  const decision = { login: { accountId, remember: false }, consent: { grantId: _id } };
  await inTx(shell.store, ctx.deadline, async (tx) => {
    if (!(await oauth.rows.decide(asked.uid, decision, tx))) throw signInEnded();
    const isNew = await oauth.rows.addGrant(tx, {
      _id,
      ...granted,
      client_id: asked.clientId,
      client_name: asked.name,
      redirect_host: asked.to,
      granted_by: actor,
      member_id: member,
      session_id: ctx.principal.person?.session ?? '',
      payload,
      created_at: ctx.networkNow,
      renewed_at: null,
      expires_at: new Date(ctx.networkNow.getTime() + FIRST_MS),
    });
    if (!isNew) return;
    const entry = { ws: granted.ws, actor, action: 'client.connected', object: key.id };
    await shell.audit.add(
      tx,
      [{ ...entry, payload: { grant: _id, client: asked.name, to: asked.to } }],
      ctx.networkNow,
    );
  });
};

export const refuse = async (oauth: OAuthServer, { uid }: Asked): Promise<void> => {
  const decision = { error: 'access_denied', error_description: 'the person did not connect this client' };
  if (!(await oauth.rows.decide(uid, decision))) throw signInEnded();
};
