import { AppError, AVATAR_NAME, AVATARS_PATH, PICTURE_TYPES, type PictureEnding } from '@cds/contracts';
import type { Client } from '@cds/service';
import type { Door } from '../edge/lifecycle.js';
import { PICTURES } from '../edge/steps/caller.js';
import { contextOf, LIMIT_MS } from '../edge/context.js';
import type { Edge } from '../edge/edge.js';
import type { Route } from '../edge/routes.js';
import { counted } from './public-endpoint.js';

/**
 * A name never changes its picture, so whoever holds one need not ask again for a day: by then one of an erased creator is
 * gone everywhere. Nothing in it runs, and other pages may show it.
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

/** The pictures of creators, from our own origin and without a credential (domain 1-network 15). */
export const avatarRoutes = (edge: Edge, catalog: Client<'avatar_read'>): Route<Door>[] => [
  {
    path: `${AVATARS_PATH}{name}`,
    method: 'GET',
    target: counted(
      edge,
      async (exchange, { name = '' }, caller) => {
        const ending = name.slice(name.indexOf('.') + 1);
        if (!AVATAR_NAME.test(name) || !isEnding(ending)) throw noSuchPicture();
        const ctx = contextOf(exchange, caller, null, await edge.switches.current(), LIMIT_MS.read);
        const { data } = await catalog.avatar_read(ctx, { name });
        if (data === null) throw noSuchPicture();
        const headers = { ...HEADERS, 'Content-Type': PICTURE_TYPES[ending] };
        return { status: 200, headers, body: Buffer.from(data, 'base64'), code: 'ok' };
      },
      LIMIT_MS.read,
      PICTURES,
    ),
  },
];

const noSuchPicture = (): AppError => new AppError('not_found', 'There is no picture of this name.');
