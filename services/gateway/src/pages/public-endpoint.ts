import type { Door } from '../edge/lifecycle.js';
import type { Answer } from '../edge/http/answer.js';
import { type AddressWindow, admitAddress, type Caller, PAGES } from '../edge/steps/caller.js';
import { LIMIT_MS } from '../edge/context.js';
import type { Edge } from '../edge/edge.js';
import type { Exchange } from '../edge/http/exchange.js';
import { windowStage } from '../edge/steps/rate.js';

/** What answers a page or a public document. */
export type PageAnswer = (exchange: Exchange, params: Record<string, string>, caller: Caller) => Promise<Answer>;

/** The door of a page or public document: it takes no credential and counts in a window of the client's address. */
export const counted = (
  edge: Edge,
  answer: PageAnswer,
  limitMs: number = LIMIT_MS.read,
  window: AddressWindow = PAGES,
): Door => ({
  limitMs,
  answer: async (exchange, params) => {
    const caller = await admitAddress(edge, exchange, window);
    windowStage(exchange.rate);
    return answer(exchange, params, caller);
  },
});
