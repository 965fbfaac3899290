import { AppError, AVATAR_NAME, AVATARS_PATH, PICTURE_TYPES, type PictureEnding } from '@cds/contracts';
import { publicEndpoint } from './foundation/visitor.js';
import type { Route } from './port.js';

/** Cached for a day and no longer, so that an erased creator's picture is gone everywhere by then. */
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
export const avatarRoutes: readonly Route[] = [
  {
    path: `${AVATARS_PATH}{name}`,
    method: 'GET',
    target: publicEndpoint(
      async (visitor, _request, { name = '' }) => {
        const ending = name.slice(name.indexOf('.') + 1);
        if (!AVATAR_NAME.test(name) || !isEnding(ending)) throw avatarNotFound();
        const { data } = await visitor.ask('avatar_read', { name });
        if (data === null) throw avatarNotFound();
        const headers = { ...HEADERS, 'Content-Type': PICTURE_TYPES[ending] };
        return { status: 200, headers, body: Buffer.from(data, 'base64'), code: 'ok' };
      },
      'read',
      'pictures',
    ),
  },
];

const avatarNotFound = (): AppError => new AppError('not_found', 'There is no avatar of this name.');
