import { AppError } from '@cds/contracts';
import { publicError } from '@cds/service';
import { LIMIT_MS } from '../context.js';
import type { Edge } from '../edge.js';
import type { Endpoint } from '../endpoint.js';
import { type Answer, headersOf } from '../http/answer.js';
import type { Exchange } from '../http/exchange.js';
import { admit } from '../lifecycle.js';
import { admitGuest } from '../steps/caller.js';
import { guestOffer } from './guest-offer.js';
import { readMessage } from './message.js';
import { rpcRefusal } from './rpc.js';
import { serving } from './serving.js';

/** The MCP endpoint of guests (docs/domain/mcp.md#guests): no credential, and six tools of their own. */
export const guestEndpoint = (edge: Edge): { endpoint: Endpoint; close: () => Promise<void> } => {
  const { serve, close } = serving(edge, guestOffer(edge));

  const answer = async (exchange: Exchange): Promise<Answer> => {
    const read = await readMessage(exchange);
    try {
      const caller = await admit(exchange, admitGuest(edge, exchange));
      return await serve({ exchange, caller, id: read.id }, read);
    } catch (error) {
      const { body, status } = publicError(error, edge.log, 'mcp guest');
      return rpcRefusal(body, status, error instanceof AppError ? headersOf(error) : {}, read.id);
    }
  };

  return { endpoint: { limitMs: LIMIT_MS.read, answer }, close };
};
