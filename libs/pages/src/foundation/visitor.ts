import { randomBytes } from 'node:crypto';
import { AppError } from '@cds/contracts';
import type { Answer, Endpoint, Forms, Limit, PageRequest, Route, Visitor, Window } from '../port.js';
import { withErrorPage } from './error-page.js';
import { type Form, readForm } from './form.js';

/** Binds the forms of somebody who is not signed in to this browser. */
const VISITOR_COOKIE = 'cds_form';
const VISITOR = /^[A-Za-z0-9_-]{22}$/;

/** The visitor of a page for everybody: a cookie of its own, made on the first visit. */
const visitorIdOf = (request: PageRequest): string => {
  const known = request.cookie(VISITOR_COOKIE);
  if (known !== null && VISITOR.test(known)) return known;
  const id = randomBytes(16).toString('base64url');
  request.setCookie(VISITOR_COOKIE, id);
  return id;
};

export type PublicVisit = Visitor & {
  request: PageRequest;
  params: Record<string, string>;
  forms: Forms;
  token: (path: string) => string;
};

const visitTo = async (request: PageRequest, params: Record<string, string>, window: Window): Promise<PublicVisit> => {
  const visitor = await request.visitor(window);
  const forms = visitor.formsOf(visitorIdOf(request));
  return { ...visitor, request, params, forms, token: forms.token };
};

export const staleForm = (): AppError =>
  new AppError(
    'forbidden',
    'This form is too old, or it was opened elsewhere. Open the page again and send it from there.',
  );

export const publicPage = (answer: (visit: PublicVisit) => Promise<Answer>): Endpoint => ({
  limit: 'read',
  answer: (request, params) => withErrorPage(request, {}, async () => answer(await visitTo(request, params, 'pages'))),
});

/** What a form of somebody who is not signed in does. Its page, at the same path, is the way back. */
export const publicForm = (handle: (visit: PublicVisit, form: Form, key: string) => Promise<Answer>): Endpoint => ({
  limit: 'write',
  answer: (request, params) =>
    withErrorPage(request, { back: request.path }, async () => {
      const visit = await visitTo(request, params, 'visitors');
      const form = await readForm(request);
      const key = visit.forms.keyOf(form.one('form_token'), request.path);
      if (key === null) throw staleForm();
      return handle(visit, form, key);
    }),
});

type PublicAnswer = (visitor: Visitor, request: PageRequest, params: Record<string, string>) => Promise<Answer>;

/** A page or a document for everybody, counted by client address. */
export const publicEndpoint = (answer: PublicAnswer, limit: Limit = 'read', window: Window = 'pages'): Endpoint => ({
  limit,
  answer: async (request, params) => answer(await request.visitor(window), request, params),
});

/** The same by GET and HEAD, which only public pages and documents take (docs/domain/requests.md#every-request). */
export const publicRoutes = (path: string, answer: PublicAnswer): Route[] =>
  ['GET', 'HEAD'].map((method) => ({ path, method, target: publicEndpoint(answer) }));
