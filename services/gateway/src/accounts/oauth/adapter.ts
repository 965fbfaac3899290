import { accountOf } from './account.js';
import { LIVES_S } from './resource.js';
import type { GrantedKey, OAuthRows } from './store/oauth-rows.js';
import { hashOf } from './token-format.js';

type Payload = Record<string, unknown>;

export type Adapter = {
  upsert: (id: string, payload: Payload, livesS?: number) => Promise<void>;
  find: (id: string) => Promise<Payload | undefined>;
  consume: (id: string) => Promise<void>;
  destroy: (id: string) => Promise<void>;
  revokeByGrantId: (grantId: string) => Promise<void>;
  findByUid: (uid: string) => Promise<Payload | undefined>;
  findByUserCode: (code: string) => Promise<Payload | undefined>;
};

/** `endGrant` ends a grant; `used` makes the error of a code or token that somebody else used in between. */
export type Ends = { endGrant: (id: string) => Promise<void>; used: () => Error };

const nothing = async (): Promise<undefined> => undefined;

const NOTHING: Adapter = {
  upsert: nothing,
  find: nothing,
  consume: nothing,
  destroy: nothing,
  revokeByGrantId: nothing,
  findByUid: nothing,
  findByUserCode: nothing,
};

const seconds = (at: Date): number => Math.floor(at.getTime() / 1_000);

/** By the clock of this machine, with which the authorization server compares it. */
const endOf = ({ left_ms: leftMs }: { left_ms: number }) => ({ exp: Math.ceil((Date.now() + leftMs) / 1_000) });

const clientsIn = (rows: OAuthRows): Adapter => ({
  ...NOTHING,
  upsert: (id, payload) => rows.saveClient(id, payload, LIVES_S.newClient),
  find: async (id) => (await rows.client(id))?.metadata,
});

const requestsIn = (rows: OAuthRows): Adapter => ({
  ...NOTHING,
  upsert: (uid, { jti: _text, ...payload }, livesS = LIVES_S.request) => rows.saveRequest(uid, payload, livesS),
  find: async (uid) => {
    const row = await rows.request(uid);
    return row === null ? undefined : { ...row.payload, ...endOf(row), jti: uid };
  },
  destroy: (uid) => rows.dropRequest(uid),
});

const grantsIn = (rows: OAuthRows, endGrant: Ends['endGrant']): Adapter => ({
  ...NOTHING,
  find: async (id) => {
    const row = await rows.grant(id);
    return row === null ? undefined : { ...row.payload, ...endOf(row), jti: id };
  },
  destroy: endGrant,
});

/** Codes and tokens: the row has the hash of the text, and the key that the token acts as. */
const tokensIn = (rows: OAuthRows, kind: string, { used, endGrant }: Ends): Adapter => {
  const endGrantOf = async (text: string): Promise<void> => {
    const row = await rows.token(text, kind);
    if (row !== null) await endGrant(row.grant_id);
  };
  return {
    ...NOTHING,
    upsert: (text, { jti: _text, ...payload }, livesS = 0) => {
      const key: GrantedKey = accountOf(String(payload['accountId']));
      const { aud = null, grantId } = payload;
      return rows.saveToken(
        { _id: hashOf(text), kind, grant_id: String(grantId), ...key, audience: aud as string | null, payload },
        livesS,
        LIVES_S.client,
      );
    },
    find: async (text) => {
      const row = await rows.token(text, kind);
      if (row === null) return undefined;
      const consumed = row.consumed_at === null ? {} : { consumed: seconds(row.consumed_at) };
      return { ...row.payload, ...consumed, ...endOf(row), jti: text };
    },
    consume: async (text) => {
      if (await rows.consume(text)) return;
      // Somebody else used it since it was read: one of the two is a thief, so both lose.
      await endGrantOf(text);
      throw used();
    },
    // All of it goes at once: a client that asks again after a crash must still name what it gives up.
    destroy: endGrantOf,
    revokeByGrantId: endGrant,
  };
};

/** The storage of the authorization server. A person's session is ours and not its own, so it keeps none. */
export const adapterFor =
  (rows: OAuthRows, ends: Ends) =>
  (kind: string): Adapter => {
    switch (kind) {
      case 'Client':
        return clientsIn(rows);
      case 'Interaction':
        return requestsIn(rows);
      case 'Grant':
        return grantsIn(rows, ends.endGrant);
      case 'AuthorizationCode':
      case 'AccessToken':
      case 'RefreshToken':
        return tokensIn(rows, kind, ends);
      default:
        return NOTHING;
    }
  };
