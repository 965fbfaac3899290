import type { Caller } from './callers.js';
import { LIMIT_MS } from './context.js';
import type { Edge } from './edge.js';
import type { Endpoint } from './endpoint.js';
import type { Answer } from './http/answer.js';
import type { Exchange } from './http/exchange.js';
import { admit } from './lifecycle.js';
import type { Route } from './routes.js';
import { type AddressWindow, admitAddress, PAGE_WINDOW } from './steps/caller.js';

export type PageAnswer = (exchange: Exchange, params: Record<string, string>, caller: Caller) => Promise<Answer>;

export const publicEndpoint = (
  edge: Edge,
  answer: PageAnswer,
  limitMs: number = LIMIT_MS.read,
  window: AddressWindow = PAGE_WINDOW,
): Endpoint => ({
  limitMs,
  answer: async (exchange, params) => {
    const caller = await admit(exchange, admitAddress(edge, exchange, window));
    return answer(exchange, params, caller);
  },
});

/** The methods of public documents and pages, the only paths that take HEAD (docs/domain/requests.md#every-request). */
const READ_METHODS = ['GET', 'HEAD'] as const;

export const publicRoutes = (edge: Edge, path: string, answer: PageAnswer): Route<Endpoint>[] =>
  READ_METHODS.map((method) => ({ path, method, target: publicEndpoint(edge, answer) }));
