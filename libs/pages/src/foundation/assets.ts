import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Answer, PageRequest, Route } from '../port.js';

const VIEWS = join(import.meta.dirname, '../../views');

/** The style, a file per family of components; later ones build on earlier ones. */
const STYLES = [
  'tokens',
  'base',
  'layout',
  'buttons',
  'forms',
  'states',
  'keys',
  'tables',
  'content',
  'navigation',
  'charts',
  'home',
  'docs',
] as const;

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** A file of our own that pages name. Its URL holds its hash, so it never changes there. */
type Asset = { url: string; type: string; plain: Buffer; zipped: Buffer };

const HASH_LENGTH = 16;

const assetOf = (file: string, plain: Buffer): Asset => {
  const ending = extname(file);
  const hash = createHash('sha256').update(plain).digest('hex').slice(0, HASH_LENGTH);
  return {
    url: `/assets/${file.slice(0, -ending.length)}-${hash}${ending}`,
    type: TYPES[ending] ?? 'application/octet-stream',
    plain,
    zipped: gzipSync(plain, { level: 9 }),
  };
};

const read = (file: string): Asset => assetOf(file, readFileSync(join(VIEWS, 'assets', file)));

const style = assetOf(
  'page.css',
  Buffer.concat(STYLES.map((name) => readFileSync(join(VIEWS, 'styles', `${name}.css`)))),
);
const icon = read('icon.svg');
const scripts = ['copy.js', 'dialog.js', 'live.js'].map(read);

/** The URLs that the layout names. */
export const ASSET_URLS = { style: style.url, icon: icon.url, scripts: scripts.map(({ url }) => url) } as const;

const answer = (asset: Asset, request: PageRequest): Answer => {
  const zips = request.header('accept-encoding').some((accepted) => /\bgzip\b/.test(accepted));
  return {
    status: 200,
    headers: {
      'Content-Type': asset.type,
      'Cache-Control': 'public, max-age=31536000, immutable',
      'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
      'Cross-Origin-Resource-Policy': 'same-origin',
      Vary: 'Accept-Encoding',
      ...(zips ? { 'Content-Encoding': 'gzip' } : {}),
    },
    body: zips ? asset.zipped : asset.plain,
    code: 'ok',
  };
};

/** The styles, scripts and icon of the pages. They come from memory, so no window counts them. */
export const assetRoutes: readonly Route[] = [style, icon, ...scripts].flatMap((asset) =>
  ['GET', 'HEAD'].map(
    (method): Route => ({
      path: asset.url,
      method,
      target: { limit: 'read', answer: async (request) => answer(asset, request) },
    }),
  ),
);
