import { join } from 'node:path';
import { API_VERSION } from '@cds/contracts';
import { Eta } from 'eta';
import type { Answer } from '../port.js';
import { ASSET_URLS } from './assets.js';
import type { Shell } from './shell.js';

const VIEWS = join(import.meta.dirname, '../../views');

/** The only foreign site that our forms may lead to: the payment rail's checkout. */
const RAIL_PAGES = 'https://checkout.stripe.com';

/** Allows our own style, icon and forms, and no frame around the page. */
const POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  "img-src 'self'",
  `form-action 'self' ${RAIL_PAGES}`,
  "base-uri 'none'",
  "frame-ancestors 'none'",
];

/** Pages of the application may also run our own modules, and read themselves again for live state. */
const POLICY_WITH_SCRIPTS = [...POLICY, "script-src 'self'", "connect-src 'self'"];

const eta = new Eta({ views: VIEWS, cache: true });

/** Renders a part of a page. It sees what it was given and nothing of the page around it. */
const part = (name: string, data: Record<string, unknown> = {}): string =>
  eta.render(`/parts/${name}`, { ...data, part });

/**
 * A page whose URL holds a token sends no referrer; other pages send one to ourselves, so that forms carry an Origin.
 */
export type PageKind = { indexed?: boolean; scripts?: boolean; secretUrl?: boolean };

export const pageHeaders = ({
  indexed = false,
  scripts = false,
  secretUrl = false,
}: PageKind): Record<string, string> => ({
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': (scripts ? POLICY_WITH_SCRIPTS : POLICY).join('; '),
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Referrer-Policy': secretUrl ? 'no-referrer' : 'same-origin',
  ...(indexed ? {} : { 'X-Robots-Tag': 'noindex, nofollow' }),
});

export type Frame = PageKind & {
  title: string;
  width?: 'wide' | 'narrow';
  /** A path of ours to which the browser continues by itself, once the page is shown. */
  onward?: string | null;
  shell?: Shell | null;
  /** Buttons of the header for everybody else; a roomy one is left out on a phone. */
  links?: readonly { href: string; label: string; quiet?: boolean; roomy?: boolean }[];
};

type Sent = { status?: number; headers?: Record<string, string>; code?: string };

/** Renders one page; every value is escaped. */
export const page = (
  view: string,
  frame: Frame & Record<string, unknown>,
  { status = 200, headers = {}, code = 'ok' }: Sent = {},
): Answer => ({
  status,
  headers: { ...pageHeaders(frame), ...headers },
  body: eta.render(`/${view}`, {
    indexed: false,
    width: 'narrow',
    shell: null,
    links: [],
    onward: null,
    ...frame,
    part,
    apiVersion: API_VERSION,
    assets: ASSET_URLS,
    scripts: frame.scripts === true ? ASSET_URLS.scripts : [],
  }),
  code,
});

/** The answer to a form that did its work: the browser reads the next page by GET. `path` is one of our own. */
export const seeOther = (path: `/${string}`, kind: PageKind = {}, headers: Record<string, string> = {}): Answer => ({
  status: 303,
  headers: { ...pageHeaders(kind), ...headers, Location: path },
  body: '',
  code: 'ok',
});
