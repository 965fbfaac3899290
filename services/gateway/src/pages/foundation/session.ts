import { AppError, type Me } from '@cds/contracts';
import type { Caller } from '../../edge/callers.js';
import { LIMIT_MS } from '../../edge/context.js';
import type { Edge } from '../../edge/edge.js';
import type { Endpoint } from '../../edge/endpoint.js';
import type { Answer } from '../../edge/http/answer.js';
import { cookieIn, SESSION_COOKIE } from '../../edge/http/cookies.js';
import { type Exchange, headerValues } from '../../edge/http/exchange.js';
import { admit } from '../../edge/lifecycle.js';
import { ROLE_WORDS } from '../developers/words.js';
import { call, need, type Visit } from './call.js';
import { type Form, readForm } from './form.js';
import { FormTokens } from './form-token.js';
import { type Frame, seeOther } from './page.js';
import { returnHere } from './return-cookie.js';
import { navOf, type Section } from './shell.js';
import { staleForm } from './visitor.js';
import { withErrorPage } from './with-error-page.js';

/** A page, or a form, of somebody who is signed in. */
export type SessionVisit = Visit & {
  params: Record<string, string>;
  me: Me;
  now: Date;
  /** Makes the token of a form by the path that it is sent to. */
  token: (path: string) => string;
  /** The frame of a page: title, header and navigation. */
  frame: (title: string, section?: Section) => Frame;
};

export const SIGN_OUT_PATH = '/sign-out';
export const SIGN_OUT_EVERYWHERE_PATH = '/sign-out/everywhere';
export const SWITCH_PATH = '/developers/workspace';

const frameOf = (me: Me, token: (path: string) => string, title: string, section: Section | null): Frame => ({
  title: `${title} · ${me.workspace.name}`,
  scripts: true,
  width: 'wide',
  shell: {
    workspace: me.workspace.name,
    workspaces: me.workspaces.map(({ id, name, kind }) => ({ id, name, kind, current: id === me.workspace.id })),
    person: {
      email: me.person.email,
      short: me.person.email.split('@')[0] ?? '',
      role: ROLE_WORDS[me.role]?.label ?? me.role,
    },
    nav: navOf(section),
    switchToken: token(SWITCH_PATH),
    signOutToken: token(SIGN_OUT_PATH),
  },
});

/** Admits a session; null without a living one. */
const admitted = async (edge: Edge, exchange: Exchange, effect: 'read' | 'write'): Promise<Caller | null> => {
  try {
    return await admit(exchange, edge.callers.session(exchange, 'person', effect));
  } catch (error) {
    if (error instanceof AppError && error.code === 'unauthorized') return null;
    throw error;
  }
};

/** Whom the forms of a session are bound to. */
const visitorOf = (exchange: Exchange): string => cookieIn(headerValues(exchange.raw, 'cookie'), SESSION_COOKIE) ?? '';

const visitOf = async (
  edge: Edge,
  exchange: Exchange,
  params: Record<string, string>,
  caller: Caller,
): Promise<SessionVisit> => {
  const tokens = new FormTokens(edge.opsToken);
  const visitor = visitorOf(exchange);
  const token = (path: string): string => tokens.make(visitor, path, caller.networkNow);
  const visit = { edge, exchange, caller };
  const me = need(await call(visit, 'me_get'));
  return {
    ...visit,
    params,
    me,
    now: caller.now,
    token,
    frame: (title, section) => frameOf(me, token, title, section ?? null),
  };
};

/** The page of somebody who is signed in, at a path where everybody else gets another page. */
export const sessionPageOr = (
  edge: Edge,
  answer: (visit: SessionVisit) => Promise<Answer>,
  otherwise: Pick<Endpoint, 'answer'>,
): Endpoint => ({
  limitMs: LIMIT_MS.read,
  answer: (exchange, params) =>
    withErrorPage(edge, exchange, { back: '/developers' }, async () => {
      const caller = await admitted(edge, exchange, 'read');
      if (caller === null) return otherwise.answer(exchange, params);
      return answer(await visitOf(edge, exchange, params, caller));
    }),
});

/** The page of somebody who is signed in; everybody else is led to sign-in, and back here after it. */
export const sessionPage = (edge: Edge, answer: (visit: SessionVisit) => Promise<Answer>): Endpoint =>
  sessionPageOr(edge, answer, {
    answer: async (exchange) => {
      returnHere(exchange, edge.appUrl);
      return seeOther('/sign-in');
    },
  });

/** What a form of somebody who is signed in does; `key` is the Idempotency-Key of its token. */
export const sessionForm = (
  edge: Edge,
  handle: (visit: SessionVisit, form: Form, key: string) => Promise<Answer>,
): Endpoint => ({
  limitMs: LIMIT_MS.write,
  answer: (exchange, params) =>
    withErrorPage(edge, exchange, { back: '/developers' }, async () => {
      const caller = await admitted(edge, exchange, 'write');
      if (caller === null) return seeOther('/sign-in');
      const form = await readForm(exchange);
      const key = new FormTokens(edge.opsToken).keyOf(
        form.one('form_token'),
        visitorOf(exchange),
        exchange.path,
        caller.networkNow,
      );
      if (key === null) throw staleForm();
      return handle(await visitOf(edge, exchange, params, caller), form, key);
    }),
});
