import type { Answer } from './http/answer.js';
import type { Exchange } from './http/exchange.js';

/** What answers at a path and method, and how long it may take. */
export type Endpoint = {
  limitMs: number;
  answer: (exchange: Exchange, params: Record<string, string>) => Promise<Answer>;
};
