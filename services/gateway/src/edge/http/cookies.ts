import type { Ctx } from '@cds/service';

/** The cookie of a brand's session, and of an operator's (docs/domain/sign-in.md#sign-in). */
export const SESSION_COOKIE = 'cds_session';
export const OPS_SESSION_COOKIE = 'cds_ops_session';

/** The value of a cookie in the Cookie headers of a request. Two of one name count as none: one of them is foreign. */
export const cookieIn = (headers: readonly string[], name: string): string | null => {
  const values = headers
    .flatMap((header) => header.split(';'))
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1));
  const [value] = values;
  return values.length === 1 && value !== undefined && value !== '' ? value : null;
};

export const hasSessionCookie = (headers: readonly string[]): boolean =>
  headers.some((header) => /(^|;)\s*cds_(ops_)?session=/.test(header));

/** A Set-Cookie that no script reads and no other site's request has; without a lifetime it ends with the browser. */
export const sessionCookie = (appUrl: string, name: string, value: string, maxAgeSeconds?: number): string => {
  const { hostname } = new URL(appUrl);
  const local = ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
  const lives = maxAgeSeconds === undefined ? '' : ` Max-Age=${maxAgeSeconds};`;
  return `${name}=${value}; Path=/;${lives} HttpOnly; SameSite=Strict${local ? '' : '; Secure'}`;
};

/** The cookies that an operation of this process sets with its answer, by the context that it ran in. */
const cookies = new WeakMap<Ctx, string[]>();

export const setCookie = (ctx: Ctx, cookie: string): void => {
  cookies.set(ctx, [...(cookies.get(ctx) ?? []), cookie]);
};

export const cookiesOf = (ctx: Ctx): readonly string[] => cookies.get(ctx) ?? [];
