import { generateKeyPairSync } from 'node:crypto';
import { unavailable } from '@cds/contracts';
import { CONNECT } from '@cds/pages';
import type { Client, Context, Provider } from 'oidc-provider';
import type { Keys } from '../keys/store/keys.js';
import { accountOf } from './account.js';
import { adapterFor } from './adapter.js';
import { clientDocument, type DocumentFetch } from './client-document.js';
import { mayRedirectTo } from './domain/mcp-client.js';
import type { EndGrant } from './end-grant.js';
import { ALL_SCOPES, LIVES_S, resourceOf, type Transport, transportOf } from './resource.js';
import type { OAuthRows } from './store/oauth-rows.js';
import { ACCESS_KIND, newToken } from './token-format.js';

export type ProviderParts = {
  appUrl: string;
  rows: OAuthRows;
  endGrant: EndGrant;
  keys: Pick<Keys, 'isActive'>;
  fetchDocument: DocumentFetch;
};

export const PATHS = {
  authorize: CONNECT.authorize,
  ask: CONNECT.ask,
  token: '/connect/token',
  revoke: '/connect/revoke',
  register: '/connect/register',
} as const;

/** Cookies of a sign-in under way. `ask` is for its pages, `resume` for the step after the person's decision. */
export const COOKIES = { ask: 'cds_connect', resume: 'cds_connect_resume', session: 'cds_connect_session' } as const;

/** What a request carries through the authorization server and back: what it could not answer by itself. */
export type Outcome = { failure?: unknown; refused?: { error: string; error_description?: string } };
export const OUTCOME = Symbol('outcome');

const outcomeOf = ({ req }: Context): Outcome => (req as unknown as Record<symbol, Outcome>)[OUTCOME] ?? {};

/** It would sign id tokens, of which there are none, so no other process has to know it. */
const unusedKey = () => ({
  ...generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' }),
  alg: 'ES256',
  use: 'sig',
});

const OFF = { enabled: false } as const;

type MadeTokens = Provider['AccessToken']['prototype'];

/** Gives tokens our own form, which scanners and the edge recognise. The rest of its own function stays. */
const withForm = (tokens: MadeTokens, kindOf: (token: MadeTokens) => Parameters<typeof newToken>[0]): void => {
  const made = tokens.generateTokenId;
  tokens.generateTokenId = function (this: MadeTokens) {
    made.call(this);
    return newToken(kindOf(this));
  };
};

/** Loads the authorization server, which most gateways do not need in their first minutes. */
export const loadProvider = async ({
  appUrl,
  rows,
  endGrant,
  keys,
  fetchDocument,
}: ProviderParts): Promise<Provider> => {
  const { Provider, errors, interactionPolicy } = await import('oidc-provider');
  const { Prompt, Check } = interactionPolicy;
  const transportAsked = (resource: unknown): Transport => {
    const transport = transportOf(appUrl, resource);
    if (transport === null)
      throw new errors.InvalidTarget(
        `name one resource: ${resourceOf(appUrl, 'mcp')} or ${resourceOf(appUrl, 'rest')}`,
      );
    return transport;
  };

  const provider = new Provider(appUrl, {
    adapter: adapterFor(rows, {
      // At this path a client gives up its grant; at any other, a code or token was used twice.
      endGrant: (id) => endGrant(id, Provider.ctx?.path === PATHS.revoke ? 'revoked' : 'used twice'),
      used: () => new errors.InvalidGrant('already used'),
    }),
    jwks: { keys: [unusedKey()] },
    routes: {
      authorization: PATHS.authorize,
      token: PATHS.token,
      revocation: PATHS.revoke,
      registration: PATHS.register,
    },
    scopes: [],
    responseTypes: ['code'],
    clientAuthMethods: ['none'],
    clientDefaults: {
      application_type: 'native',
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      id_token_signed_response_alg: 'ES256',
    },
    cookies: {
      names: { interaction: COOKIES.ask, resume: COOKIES.resume, session: COOKIES.session },
      short: { httpOnly: true, overwrite: true, sameSite: 'lax', signed: false },
      long: { httpOnly: true, overwrite: true, sameSite: 'lax', signed: false },
    },
    pkce: { required: () => true },
    ttl: {
      AccessToken: LIVES_S.accessToken,
      AuthorizationCode: LIVES_S.code,
      RefreshToken: LIVES_S.refreshToken,
      Grant: LIVES_S.refreshToken,
      Interaction: LIVES_S.request,
      Session: LIVES_S.request,
      IdToken: LIVES_S.code,
    },
    // Asked before the token is used up: a renewal for another resource is refused, and costs no sign-in.
    rotateRefreshToken: ({ oidc }: Context) => {
      const asked = oidc.params?.resource;
      const granted = oidc.entities.RefreshToken?.resource;
      if (asked && asked !== granted) throw new errors.InvalidTarget(`this sign-in is for ${granted}`);
      return true;
    },
    issueRefreshToken: () => true,
    expiresWithSession: () => false,
    revokeGrantPolicy: () => true,
    interactions: {
      url: (_ctx: Context, { uid }: { uid: string }) => `${PATHS.ask}/${uid}`,
      // Nobody is signed in here before the person has decided, in this very request.
      policy: [
        new Prompt(
          { name: 'login', requestable: true },
          ({ oidc }) => ({ client_name: oidc.client.clientName ?? oidc.client.clientId }),
          new Check('undecided', 'nobody has decided yet', ({ oidc }) => oidc.result?.login === undefined),
        ),
      ],
    },
    loadExistingGrant: async ({ oidc }: Context) => {
      const id = oidc.result?.consent?.grantId;
      return id === undefined ? undefined : provider.Grant.find(id);
    },
    findAccount: async (_ctx: Context, accountId: string) => {
      const { ws, key_id } = accountOf(accountId);
      if (!(await keys.isActive(ws, key_id))) return undefined;
      return { accountId, claims: async () => ({ sub: accountId }) };
    },
    features: {
      devInteractions: OFF,
      userinfo: OFF,
      rpInitiatedLogout: OFF,
      claimsParameter: OFF,
      pushedAuthorizationRequests: OFF,
      dPoP: OFF,
      revocation: {
        enabled: true,
        allowedPolicy: (_ctx: Context, client: Client, token: { clientId: string }) =>
          token.clientId === client.clientId,
      },
      registration: { enabled: true, issueRegistrationAccessToken: false },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => resourceOf(appUrl, 'mcp'),
        useGrantedResource: () => true,
        getResourceServerInfo: ({ oidc }: Context, asked: string) => {
          // A client that named two would get tokens for one of them, and could not know which.
          transportAsked(oidc.params?.resource ?? asked);
          return {
            scope: ALL_SCOPES,
            audience: resourceOf(appUrl, transportAsked(asked)),
            accessTokenFormat: 'opaque',
            accessTokenTTL: LIVES_S.accessToken,
          };
        },
      },
      clientIdMetadataDocument: {
        enabled: true,
        ack: 'draft-02',
        allowClient: (_ctx: Context, client: Client) => client.redirectUris?.every(mayRedirectTo) === true,
      },
    },
    fetch: (url: string | URL) => clientDocument(String(url), fetchDocument),
    renderError: (ctx: Context, refused: { error: string; error_description?: string }) => {
      outcomeOf(ctx).refused = refused;
      ctx.body = '';
    },
  });

  withForm(provider.AccessToken.prototype, ({ aud }) => ACCESS_KIND[transportAsked(aud)]);
  withForm(provider.RefreshToken.prototype, () => 'mcr');
  // The bridge says which scheme and host we are reached by, whatever is in front.
  provider.proxy = true;
  provider.on('server_error', (ctx, error) => {
    outcomeOf(ctx).failure = error ?? unavailable('Sign-in is not available at the moment. Try again.', 1);
  });
  return provider;
};
