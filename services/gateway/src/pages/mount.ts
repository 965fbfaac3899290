import { AppError, type OperationDeclaration, type OperationName, type Output, operationMap } from '@cds/contracts';
import {
  type Forms,
  type LinkOperation,
  type Outcome,
  type Answer as PageAnswer,
  type PageRequest,
  type Route as PageRoute,
  type Person,
  pageRoutes,
  type Sent,
  type Visitor,
  type Window,
} from '@cds/pages';
import type { Client, Ctx } from '@cds/service';
import { allow, askedIn, type Keys, type OAuthServer, refuse } from '../accounts/port.js';
import {
  type AddressWindow,
  type Answer,
  admit,
  admitAddress,
  asCreator,
  type Caller,
  contextOf,
  cookieIn,
  type Edge,
  type Endpoint,
  type Exchange,
  headerValues,
  LIMIT_MS,
  openLink,
  outcomeOf,
  PAGE_WINDOW,
  PICTURE_WINDOW,
  perform,
  type Route,
  readFields,
  readQuery,
  SESSION_COOKIE,
  sessionCookie,
  VISITOR_WINDOW,
  validated,
} from '../edge/port.js';
import { FormTokens } from './form-token.js';
import { refusalOf } from './refused-page.js';

const WINDOWS: Readonly<Record<Window, AddressWindow>> = {
  pages: PAGE_WINDOW,
  visitors: VISITOR_WINDOW,
  pictures: PICTURE_WINDOW,
};

type Parts = { edge: Edge & { oauth: OAuthServer }; calls: Client<LinkOperation>; keys: Pick<Keys, 'byKeyId'> };

/** An answer of a page as the edge writes it, with the refusal that it shows in the access line. */
const written = (exchange: Exchange, { error, etag, ...page }: PageAnswer): Answer => {
  const answer = error === undefined ? page : { ...page, ...outcomeOf(error) };
  return etag === undefined ? answer : validated(exchange, answer, etag);
};

/** On operations that keys call too, a person acts as the workspace's own agent key (docs/domain/access.md#roles). */
const callerFor = (caller: Caller, { audience }: OperationDeclaration): Caller =>
  audience === 'brand' && caller.principal.audience === 'person'
    ? { ...caller, principal: { ...caller.principal, audience } }
    : caller;

const call = async <N extends OperationName>(
  edge: Edge,
  exchange: Exchange,
  caller: Caller,
  name: N,
  { params = {}, query = {}, body = {}, key }: Sent,
): Promise<Outcome<Output<N>>> => {
  const operation: OperationDeclaration = operationMap[name];
  try {
    const done = await perform(edge, exchange, callerFor(caller, operation), {
      operation,
      idempotencyKeys: key === undefined ? [] : [key],
      keyField: 'Idempotency-Key',
      parts: async () => ({ params, query, body, problems: [] }),
    });
    if (!done.ok) return { ok: false, status: done.status, error: done.error };
    const text = typeof done.body === 'string' ? done.body : Buffer.from(done.body).toString('utf8');
    // The bus and our own handlers answer what the declaration says.
    return { ok: true, value: (text === '' ? null : JSON.parse(text)) as Output<N> };
  } catch (error) {
    const { error: shown, status } = refusalOf(error, edge, name);
    return { ok: false, status, error: shown };
  }
};

const contextFor = async (edge: Edge, exchange: Exchange, caller: Caller): Promise<Ctx> =>
  contextOf(exchange, caller, null, await edge.switches.current(), LIMIT_MS.write);

const formsOf = (edge: Edge, visitor: string, now: Date): Forms => {
  const tokens = new FormTokens(edge.opsToken);
  return {
    token: (path) => tokens.make(visitor, path, now),
    keyOf: (token, path) => tokens.keyOf(token, visitor, path, now),
  };
};

const visitorOf = (parts: Parts, exchange: Exchange, caller: Caller): Visitor => {
  const { edge, calls } = parts;
  return {
    now: caller.now,
    networkNow: caller.networkNow,
    call: (name, sent = {}) => call(edge, exchange, caller, name, sent),
    ask: async (name, input) => calls[name](await contextFor(edge, exchange, caller), input),
    formsOf: (id) => formsOf(edge, id, caller.networkNow),
    creator: async (token) => {
      const opened = await openLink(edge, exchange, token);
      return opened === null ? null : visitorOf(parts, exchange, asCreator(caller, opened));
    },
  };
};

const personOf = (parts: Parts, exchange: Exchange, caller: Caller, session: string): Person => {
  const { edge } = parts;
  return {
    ...visitorOf(parts, exchange, caller),
    forms: formsOf(edge, session, caller.networkNow),
    mandate: caller.principal.mandate,
    allow: async (asked, key) => allow(edge, await contextFor(edge, exchange, caller), asked, key),
  };
};

const requestOf = (parts: Parts, exchange: Exchange): PageRequest => {
  const { edge, keys } = parts;
  const { path, requestId, raw } = exchange;
  const cookie = (name: string): string | null => cookieIn(headerValues(raw, 'cookie'), name);
  return {
    appUrl: edge.appUrl,
    path,
    requestId,
    query: (name) => readQuery(exchange.query).values[name] ?? '',
    header: (name) => headerValues(raw, name),
    fields: () => readFields(exchange),
    cookie,
    setCookie: (name, value, maxAgeSeconds) => {
      exchange.cookies.push(sessionCookie(edge.appUrl, name, value, maxAgeSeconds));
    },
    readOn: () => exchange.deadline.extend(LIMIT_MS.read),
    refusal: (error) => refusalOf(error, edge, exchange.route),
    session: async (effect) => {
      try {
        const caller = await admit(exchange, edge.callers.session(exchange, 'person', effect));
        return personOf(parts, exchange, caller, cookie(SESSION_COOKIE) ?? '');
      } catch (error) {
        if (error instanceof AppError && error.code === 'unauthorized') return null;
        throw error;
      }
    },
    visitor: async (window) =>
      visitorOf(parts, exchange, await admit(exchange, admitAddress(edge, exchange, WINDOWS[window]))),
    signerOf: async (workspace, keyId) => {
      const key = await keys.byKeyId(workspace, keyId);
      return key && { name: key.name, own: key.own };
    },
    asked: (uid) => askedIn(edge.oauth, exchange, uid),
    refuse: (asked) => refuse(edge.oauth, asked),
  };
};

/** The pages, pictures and documents of `@cds/pages`, mounted by their port. */
export const mountedPages = (parts: Parts, development: boolean): Route<Endpoint>[] =>
  pageRoutes(parts.edge.library, development).map(({ path, method, target }: PageRoute) => ({
    path,
    method,
    target: {
      limitMs: LIMIT_MS[target.limit],
      answer: async (exchange, params) => written(exchange, await target.answer(requestOf(parts, exchange), params)),
    },
  }));
