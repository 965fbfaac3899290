import { SCOPES } from '@cds/contracts';
import { CONNECT } from '@cds/pages';
import { TOOLS_PATH } from '../../edge/port.js';

/** What a token is for: one is unknown at the other (docs/domain/sign-in.md#mcp-sign-in). */
export type Transport = 'mcp' | 'rest';

const PATH_OF = { mcp: TOOLS_PATH, rest: '/api/v1' } as const satisfies Record<Transport, `/${string}`>;

/** The resource that clients name to get tokens for it (RFC 8707); without one they get those for MCP. */
export const resourceOf = (appUrl: string, transport: Transport): string => `${appUrl}${PATH_OF[transport]}`;

/** What a resource is, or null for one that is not ours. */
export const transportOf = (appUrl: string, resource: unknown): Transport | null =>
  (['mcp', 'rest'] as const).find((transport) => resourceOf(appUrl, transport) === resource) ?? null;

export const ALL_SCOPES = SCOPES.join(' ');

const HOUR_S = 3_600;
const DAY_S = 24 * HOUR_S;

export const LIVES_S = {
  code: 60,
  accessToken: HOUR_S,
  refreshToken: 30 * DAY_S,
  /** From the client's first request to the person's decision. */
  request: CONNECT.waitsS,
  /** A registered client that nobody has signed in with, since anybody may register one. */
  newClient: DAY_S,
  /** A client that nobody uses any more. */
  client: 90 * DAY_S,
} as const;
