import { randomBytes, randomUUID } from 'node:crypto';
import type { Store } from '@cds/service';
import { mongodbAdapter } from 'better-auth/adapters/mongodb';
import { betterAuth } from 'better-auth/minimal';
import { magicLink } from 'better-auth/plugins/magic-link';
import { type AuthCollections, authDatabase, tokenHash } from './auth-database.js';
import type { From } from './domain/sign-in-from.js';
import { LINK_MS } from './store/sign-in-links.js';

/** A session that has just begun: it opens only what its person could enter when the link was asked for. */
export type Begun = { session: string; person: string; token: string; linkMadeAt: Date; askedFrom: From | null };

/** Sign-in by links. Who may have one is decided elsewhere (docs/domain/sign-in.md#sign-in). */
export type Auth = {
  /** Makes a link's token for an address, known or not; `from` is where it was requested. */
  linkFor: (email: string, from: From) => Promise<string>;
  /** Takes a link and begins a session; null for one that is unknown, used, expired or of an unknown address. */
  redeem: (token: string) => Promise<Begun | null>;
};

/** better-auth, called in this process only: its own HTTP endpoints, cookies, cache and clean-up are not used. */
export const makeAuth = (store: Store, appUrl: string, collections: AuthCollections): Auth => {
  const auth = betterAuth({
    baseURL: appUrl,
    // It signs cookies that are never sent, so no other process has to know it.
    secret: randomBytes(32).toString('base64'),
    database: mongodbAdapter(authDatabase(store, collections)),
    telemetry: { enabled: false },
    rateLimit: { enabled: false },
    logger: { disabled: true },
    advanced: { database: { generateId: () => randomUUID() } },
    user: {
      modelName: collections.people.name,
      fields: { emailVerified: 'email_verified', createdAt: 'created_at', updatedAt: 'updated_at' },
    },
    session: { modelName: collections.sessions.name, fields: SESSION_FIELDS },
    verification: { modelName: collections.links.name, fields: LINK_FIELDS, disableCleanup: true },
    plugins: [
      magicLink({
        storeToken: 'hashed',
        expiresIn: LINK_MS / 1_000,
        disableSignUp: true,
        sendMagicLink: async ({ token, metadata }) => (metadata as { give: (token: string) => void }).give(token),
      }),
    ],
  });

  return {
    linkFor: async (email, from) => {
      let made = '';
      const metadata = {
        give: (token: string) => {
          made = token;
        },
      };
      await auth.api.signInMagicLink({ body: { email, metadata }, headers: new Headers() });
      await collections.links.askedFrom(tokenHash(made), from);
      return made;
    },
    redeem: async (token) => {
      // Taking the link deletes its row.
      const asked = await collections.links.asked(tokenHash(token));
      try {
        // Its type has every optional field of the plugins; without a callback address these are there.
        const { session, token: made } = (await auth.api.magicLinkVerify({
          query: { token },
          headers: new Headers(),
        })) as unknown as { token: string; session: { id: string; userId: string } };
        const { at: linkMadeAt, from: askedFrom } = asked ?? { at: new Date(0), from: null };
        return { session: session.id, person: session.userId, token: made, linkMadeAt, askedFrom };
      } catch (error) {
        if (isRefusal(error)) return null;
        throw error;
      }
    },
  };
};

const SESSION_FIELDS = {
  userId: 'person_id',
  expiresAt: 'expires_at',
  createdAt: 'created_at',
  updatedAt: 'updated_at',
  ipAddress: 'address',
  userAgent: 'user_agent',
} as const;

const LINK_FIELDS = { expiresAt: 'expires_at', createdAt: 'created_at', updatedAt: 'updated_at' } as const;

/** better-auth refuses a link by a redirect to its error page. */
const isRefusal = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && 'status' in error && error.status === 'FOUND';
