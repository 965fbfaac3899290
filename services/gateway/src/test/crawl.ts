/** What one address answered while links were followed. */
type Visited = { status: number; type: string; text: string; location: string | null };

/** What is wrong with the links of a running gateway, one line each, and how many addresses were read. */
export type Crawl = { broken: string[]; outside: string[]; visited: ReadonlySet<string> };

/** What a browser loads by itself, unlike a link that somebody follows. */
const LOADED = /<(?:script|img|iframe|source|video|audio|embed)\b[^>]*\bsrc="([^"]+)"|<object\b[^>]*\bdata="([^"]+)"/g;
const STYLES = /<link\b(?=[^>]*\brel="(?:stylesheet|icon|preload|modulepreload)")[^>]*\bhref="([^"]+)"/g;
const IN_CSS = /@import|url\((?!["']?(?:data:|#))/;
const FOLLOWED = /<a\b[^>]*\bhref="([^"]*)"|<link\b(?=[^>]*\brel="alternate")[^>]*\bhref="([^"]+)"/g;
/** Where a form asks by its fields, as of a search. */
const ASKED = /<form\b(?=[^>]*\bmethod="get")[^>]*\baction="([^"]+)"/g;
/** Where the forms and buttons of a page post to. */
const POSTED = /<(?:form\b(?![^>]*\bmethod="get")[^>]*\baction|button\b[^>]*\bformaction)="([^"]*)"/g;
const IN_MARKDOWN = /\]\(([^)\s]+)\)/g;
const IN_XML = /<loc>([^<]+)<\/loc>|<link [^>]*href="([^"]+)"/g;
const IDS = /\bid="([^"]+)"/g;

const unescaped = (text: string): string => text.replaceAll('&amp;', '&').replaceAll('&quot;', '"');
const groups = (text: string, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].map((found) => unescaped(found.slice(1).find((one) => one !== undefined) ?? ''));

/** Every string of a JSON value that is a URL or, in a document, a link of Markdown. */
const linksInJson = (value: unknown): string[] => {
  if (typeof value === 'string') return /^https?:\/\/\S+$/.test(value) ? [value] : groups(value, IN_MARKDOWN);
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(linksInJson);
};

/** The links of an answer by its type. Code of Markdown shows addresses that are no links. */
const linksOf = ({ type, text }: Visited): string[] => {
  if (type.startsWith('text/html')) return [...groups(text, FOLLOWED), ...groups(text, ASKED)];
  if (type.startsWith('application/json')) return linksInJson(JSON.parse(text));
  if (/\bxml\b/.test(type)) return groups(text, IN_XML);
  return groups(text.replaceAll(/^```[\s\S]*?^```/gm, '').replaceAll(/`[^`\n]*`/g, '`'), IN_MARKDOWN);
};

/** What leads nowhere. An endpoint may want a credential, or another method than GET. */
const isBroken = (status: number): boolean => status >= 400 && status !== 401 && status !== 405;

/** The root of the API: a base of addresses, which answers nothing itself. */
const BASES: ReadonlySet<string> = new Set(['/api/v1']);

export type Following = {
  /** The links that are opened, by their paths; all, if it is left out. An address may ask 120 times a minute. */
  opens?: (path: string) => boolean;
  /** The pages whose own links are opened too, besides the first ones; all if left out. */
  reads?: (path: string) => boolean;
  /** The Cookie header of a signed-in person, whom no link may lead to sign-in. */
  cookie?: string;
};

const SIGN_IN = '/sign-in';

/**
 * Opens every link of a gateway from some paths on, as far as it stays below `appUrl`, which the gateway answers at
 * `url`, and asks whether what forms post can be posted. An anchor must name an element of its page, and a redirect
 * must lead on. A link outside is not opened; loading from there is reported.
 */
export const crawl = async (
  url: string,
  appUrl: string,
  from: readonly string[],
  { opens = () => true, reads = () => true, cookie }: Following = {},
): Promise<Crawl> => {
  const visited = new Map<string, Visited>();
  const broken: string[] = [];
  const outside: string[] = [];
  const own = (link: string, base: string): URL | null => {
    const target = new URL(link, `${appUrl}${base}`);
    return target.origin === appUrl ? target : null;
  };

  const visit = async (path: string): Promise<Visited> => {
    const known = visited.get(path);
    if (known !== undefined) return known;
    const open = () => fetch(`${url}${path}`, { redirect: 'manual', headers: cookie === undefined ? {} : { cookie } });
    // A 503 asks to come again, as on a machine that is busy with other suites; a page that never answers stays broken.
    const first = await open();
    const response = first.status === 503 ? await open() : first;
    const answer = {
      status: response.status,
      type: response.headers.get('content-type') ?? '',
      text: await response.text(),
      location: response.headers.get('location'),
    };
    visited.set(path, answer);
    return answer;
  };

  const posts = new Map<string, boolean>();
  /** Whether something can be posted to a path. No path takes PUT from a form, so the answer names what it takes. */
  const takesPost = async (path: string): Promise<boolean> => {
    const known = posts.get(path);
    if (known !== undefined) return known;
    const { status, headers, body } = await fetch(`${url}${path}`, { method: 'PUT', redirect: 'manual' });
    await body?.cancel();
    const takes = status === 405 && (headers.get('allow') ?? '').includes('POST');
    posts.set(path, takes);
    return takes;
  };

  const queue = [...from];
  const queued = new Set(queue);
  const enqueue = (path: string): void => {
    if (queued.has(path)) return;
    queued.add(path);
    queue.push(path);
  };

  for (let path = queue.shift(); path !== undefined; path = queue.shift()) {
    const answer = await visit(path);
    if (isBroken(answer.status) && from.includes(path)) broken.push(`${path}: ${answer.status}`);
    const onward = answer.location === null ? null : own(answer.location, path);
    if (onward !== null) {
      const to = `${onward.pathname}${onward.search}`;
      const { status } = await visit(to);
      if (isBroken(status)) broken.push(`${path} leads on to ${to}: ${status}`);
      if (cookie !== undefined && to === SIGN_IN) broken.push(`${path} leads on to ${to}`);
      enqueue(to);
    }
    if (answer.status !== 200 || !(from.includes(path) || reads(path.split('?')[0] ?? path))) continue;
    for (const loaded of [...groups(answer.text, LOADED), ...groups(answer.text, STYLES)]) {
      if (!answer.type.startsWith('text/html')) break;
      const target = own(loaded, path);
      if (target === null) {
        outside.push(`${path} loads ${loaded}`);
        continue;
      }
      enqueue(target.pathname);
      const { status } = await visit(target.pathname);
      if (status !== 200) broken.push(`${path} loads ${loaded}: ${status}`);
    }
    if (answer.type.startsWith('text/css') && IN_CSS.test(answer.text)) outside.push(`${path} loads from its style`);
    for (const action of answer.type.startsWith('text/html') ? groups(answer.text, POSTED) : []) {
      const target = own(action, path);
      if (target === null) outside.push(`${path} posts to ${action}`);
      else if (!(await takesPost(target.pathname))) broken.push(`${path} posts to ${action}, which takes no POST`);
    }
    for (const link of linksOf(answer)) {
      const target = link.startsWith('mailto:') ? null : own(link, path);
      if (target === null || BASES.has(target.pathname) || !opens(target.pathname)) continue;
      const to = `${target.pathname}${target.search}`;
      enqueue(to);
      const found = await visit(to);
      if (isBroken(found.status)) broken.push(`${path} links to ${link}: ${found.status}`);
      if (target.hash === '' || !found.type.startsWith('text/html')) continue;
      const anchor = decodeURIComponent(target.hash.slice(1));
      if (!groups(found.text, IDS).includes(anchor)) broken.push(`${path} links to ${link}, which has no such anchor`);
    }
  }
  return { broken: [...new Set(broken)], outside: [...new Set(outside)], visited: new Set(visited.keys()) };
};
