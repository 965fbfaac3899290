import { randomBytes } from 'node:crypto';
import { AppError } from '@cds/contracts';
import { LIMIT_MS } from '../../edge/context.js';
import type { Edge } from '../../edge/edge.js';
import type { Endpoint } from '../../edge/endpoint.js';
import type { Answer } from '../../edge/http/answer.js';
import { cookieIn } from '../../edge/http/cookies.js';
import { type Exchange, headerValues } from '../../edge/http/exchange.js';
import { admit } from '../../edge/lifecycle.js';
import { admitAddress, PAGE_WINDOW, VISITOR_WINDOW } from '../../edge/steps/caller.js';
import type { Visit } from './call.js';
import { type Form, readForm } from './form.js';
import { FormTokens } from './form-token.js';
import { withErrorPage } from './with-error-page.js';

/** Binds the forms of somebody who is not signed in to this browser. */
const VISITOR_COOKIE = 'cds_form';
const VISITOR = /^[A-Za-z0-9_-]{22}$/;

const LOCAL: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

/** The visitor of a page for everybody: a cookie of its own, made on the first visit. */
const visitorOf = (exchange: Exchange, appUrl: string): string => {
  const known = cookieIn(headerValues(exchange.raw, 'cookie'), VISITOR_COOKIE);
  if (known !== null && VISITOR.test(known)) return known;
  const id = randomBytes(16).toString('base64url');
  const secure = LOCAL.has(new URL(appUrl).hostname) ? '' : '; Secure';
  exchange.cookies.push(`${VISITOR_COOKIE}=${id}; Path=/; HttpOnly; SameSite=Strict${secure}`);
  return id;
};

/** A page, or a form, of somebody who is not signed in. */
export type PublicVisit = Visit & {
  params: Record<string, string>;
  /** Makes the token of a form by the path that it is sent to. */
  token: (path: string) => string;
};

const visitTo = async (
  edge: Edge,
  exchange: Exchange,
  params: Record<string, string>,
  method: 'GET' | 'POST',
): Promise<PublicVisit & { visitor: string; tokens: FormTokens }> => {
  const window = method === 'GET' ? PAGE_WINDOW : VISITOR_WINDOW;
  const caller = await admit(exchange, admitAddress(edge, exchange, window));
  const visitor = visitorOf(exchange, edge.appUrl);
  const tokens = new FormTokens(edge.opsToken);
  const token = (path: string): string => tokens.make(visitor, path, caller.networkNow);
  return { edge, exchange, caller, params, token, visitor, tokens };
};

/** The refusal of a form whose token is not its own. */
export const staleForm = (): AppError =>
  new AppError(
    'forbidden',
    'This form is too old, or it was opened elsewhere. Open the page again and send it from there.',
  );

/** The page of somebody who is not signed in. */
export const publicPage = (edge: Edge, answer: (visit: PublicVisit) => Promise<Answer>): Endpoint => ({
  limitMs: LIMIT_MS.read,
  answer: (exchange, params) =>
    withErrorPage(edge, exchange, {}, async () => answer(await visitTo(edge, exchange, params, 'GET'))),
});

/** What a form of somebody who is not signed in does. Its page, at the same path, is the way back. */
export const publicForm = (
  edge: Edge,
  handle: (visit: PublicVisit, form: Form, key: string) => Promise<Answer>,
): Endpoint => ({
  limitMs: LIMIT_MS.write,
  answer: (exchange, params) =>
    withErrorPage(edge, exchange, { back: exchange.path }, async () => {
      const visit = await visitTo(edge, exchange, params, 'POST');
      const form = await readForm(exchange);
      const sent = form.one('form_token');
      const key = visit.tokens.keyOf(sent, visit.visitor, exchange.path, visit.caller.networkNow);
      if (key === null) throw staleForm();
      return handle(visit, form, key);
    }),
});
