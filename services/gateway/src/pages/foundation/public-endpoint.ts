import { LIMIT_MS } from '../../edge/context.js';
import type { Edge } from '../../edge/edge.js';
import type { Endpoint } from '../../edge/endpoint.js';
import type { Answer } from '../../edge/http/answer.js';
import type { Exchange } from '../../edge/http/exchange.js';
import { admit } from '../../edge/lifecycle.js';
import { type AddressWindow, admitAddress, type Caller, PAGE_WINDOW } from '../../edge/steps/caller.js';

/** Answers a page or a public document. */
export type PageAnswer = (exchange: Exchange, params: Record<string, string>, caller: Caller) => Promise<Answer>;

/** The endpoint of a page or public document: no credential, and a minute window per client address. */
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
