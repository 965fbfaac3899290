import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Eta } from 'eta';
import type { Answer } from '../edge/http/answer.js';

const VIEWS = join(import.meta.dirname, '../../views');

/** The only foreign site that our forms may lead to: the payment rail's checkout. */
const RAIL_PAGES = 'https://checkout.stripe.com';

const css = readFileSync(join(VIEWS, 'page.css'), 'utf8');
const styleHash = createHash('sha256').update(css).digest('base64');

/** Allows our own style and forms; no script, no image, and no frame around the page. */
const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${styleHash}'`,
  `form-action 'self' ${RAIL_PAGES}`,
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

const eta = new Eta({ views: VIEWS, cache: true });

/** The headers of every page. A page whose URL holds a token must not be indexed or sent as a referrer. */
export const pageHeaders = (indexed: boolean): Record<string, string> => ({
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': POLICY,
  'Referrer-Policy': 'no-referrer',
  ...(indexed ? {} : { 'X-Robots-Tag': 'noindex, nofollow' }),
});

/** Renders one page; every value is escaped. */
export const page = (
  view: 'pay' | 'sandbox' | 'message' | 'terms' | 'home',
  data: { title: string; indexed?: boolean } & Record<string, unknown>,
  {
    status = 200,
    headers = {},
    code = 'ok',
  }: { status?: number; headers?: Record<string, string>; code?: string } = {},
): Answer => ({
  status,
  headers: { ...pageHeaders(data.indexed === true), ...headers },
  body: eta.render(`./${view}`, { indexed: false, ...data, css }),
  code,
});
