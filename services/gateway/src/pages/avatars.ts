import { AppError, AVATAR_NAME, AVATARS_PATH, PICTURE_TYPES, type PictureEnding } from '@cds/contracts';
import type { Client } from '@cds/service';
import { contextOf, LIMIT_MS } from '../edge/context.js';
import type { Edge } from '../edge/edge.js';
import type { Endpoint } from '../edge/endpoint.js';
import { publicEndpoint } from '../edge/public-endpoint.js';
import type { Route } from '../edge/routes.js';
import { PICTURE_WINDOW } from '../edge/steps/caller.js';

/**
 * The picture of a name never changes, so it may be cached for a day; no longer, so that an erased creator's picture is
 * gone everywhere by then. It runs nothing, and other sites may show it.
 */
const HEADERS = {
  'Cache-Control': 'public, max-age=86400, immutable',
  'Content-Security-Policy': "default-src 'none'; sandbox",
  'Content-Disposition': 'inline',
  'Cross-Origin-Resource-Policy': 'cross-origin',
  'Referrer-Policy': 'no-referrer',
  'X-Robots-Tag': 'noindex, nofollow',
} as const;

const isEnding = (text: string): text is PictureEnding => text in PICTURE_TYPES;

/** Creators' avatars, from our own origin and without a credential (docs/domain/network.md#pictures). */
export const avatarRoutes = (edge: Edge, catalog: Client<'avatar_read'>): Route<Endpoint>[] => [
  {
    path: `${AVATARS_PATH}{name}`,
    method: 'GET',
    target: publicEndpoint(
      edge,
      async (exchange, { name = '' }, caller) => {
        const ending = name.slice(name.indexOf('.') + 1);
        if (!AVATAR_NAME.test(name) || !isEnding(ending)) throw avatarNotFound();
        const ctx = contextOf(exchange, caller, null, await edge.switches.current(), LIMIT_MS.read);
        const { data } = await catalog.avatar_read(ctx, { name });
        if (data === null) throw avatarNotFound();
        const headers = { ...HEADERS, 'Content-Type': PICTURE_TYPES[ending] };
        return { status: 200, headers, body: Buffer.from(data, 'base64'), code: 'ok' };
      },
      LIMIT_MS.read,
      PICTURE_WINDOW,
    ),
  },
];

const avatarNotFound = (): AppError => new AppError('not_found', 'There is no avatar of this name.');
