import { ask, type HttpAnswer } from './http.js';

/** A browser as far as forms are concerned: it keeps cookies, and sends the fields that a page holds. */
export type FormBrowser = {
  get: (path: string) => Promise<HttpAnswer>;
  /** Sends the form of a page to `action`, with its token and these fields. */
  submit: (page: string, action: string, fields?: Record<string, string | string[]>) => Promise<HttpAnswer>;
  post: (
    action: string,
    fields: Record<string, string | string[]>,
    headers?: Record<string, string>,
  ) => Promise<HttpAnswer>;
  cookies: Map<string, string>;
};

/** The token of the form that a page sends to `action`. */
export const formTokenIn = (text: string, action: string): string => {
  const at = text.indexOf(`action="${action}"`);
  const token = /name="form_token" value="([^"]+)"/.exec(text.slice(at))?.[1];
  if (at < 0 || token === undefined) throw new Error(`the page has no form to ${action}`);
  return token;
};

const keep = (cookies: Map<string, string>, { headers }: HttpAnswer): void => {
  for (const line of headers.getSetCookie()) {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
    if (value === '' || /max-age=0/i.test(line)) cookies.delete(name);
    else cookies.set(name, value);
  }
};

export const formBrowser = (url: string, session?: string): FormBrowser => {
  const [name = '', value = ''] = session?.split(/=(.*)/s) ?? [];
  const cookies = new Map(session === undefined ? [] : [[name, value]]);
  const header = () => ({ cookie: [...cookies].map((pair) => pair.join('=')).join('; ') });
  const sent = async (answer: Promise<HttpAnswer>): Promise<HttpAnswer> => {
    const got = await answer;
    keep(cookies, got);
    return got;
  };
  const get = (path: string) => sent(ask(url, path, { headers: header() }));
  const post: FormBrowser['post'] = (action, fields, headers = {}) => {
    const raw = new URLSearchParams();
    for (const [field, values] of Object.entries(fields)) for (const one of [values].flat()) raw.append(field, one);
    const type = { 'content-type': 'application/x-www-form-urlencoded', origin: url };
    return sent(
      ask(url, action, { method: 'POST', raw: raw.toString(), headers: { ...type, ...header(), ...headers } }),
    );
  };
  return {
    get,
    post,
    cookies,
    submit: async (page, action, fields = {}) => {
      const { text } = await get(page);
      return post(action, { form_token: formTokenIn(text, action), ...fields });
    },
  };
};
