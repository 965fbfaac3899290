import type { Edge } from '../edge.js';
import type { Answer } from '../http/answer.js';
import { headerValues } from '../http/exchange.js';
import type { MessageRead } from './message.js';
import type { Offer, ToolRequest } from './offer.js';
import { plainAnswers } from './plain-answers.js';
import { type PlainRequest, plainRequestOf } from './plain-request.js';
import { protocolFault, VERSION_HEADER } from './protocol.js';
import { rpcError } from './rpc.js';
import { type StandIn, sdkPath } from './sdk.js';

export type Serving = {
  serve: (request: ToolRequest, read: MessageRead) => Promise<Answer>;
  close: () => Promise<void>;
};

/**
 * The protocol around an offer; plain requests are answered without the SDK (docs/domain/mcp.md#mcp). With a stand-in,
 * which tests pass, these are only ping and discovery.
 */
export const serving = (edge: Pick<Edge, 'appUrl'>, offer: Offer, standIn?: StandIn): Serving => {
  const sdk = sdkPath(edge, offer, standIn);
  const capabilities = standIn?.capabilities ?? offer.capabilities;
  const own = plainAnswers({ ...offer, capabilities });
  const isOurs = ({ method }: PlainRequest) =>
    standIn === undefined || method === 'ping' || method === 'server/discover';
  return {
    serve: async (request, read) => {
      if ('wrong' in read) return rpcError(400, read.wrong, read.id, {}, { code: 'bad_request' });
      const { message, id } = read;
      const headers = (name: string) => headerValues(request.exchange.raw, name);
      const plain = plainRequestOf(message, headers);
      if (plain !== null && isOurs(plain)) return await own(request, plain);
      const fault = protocolFault(message, headers(VERSION_HEADER), capabilities);
      if (fault !== null) return rpcError(fault.status, fault.error, id, {}, { code: 'bad_request' });
      return await sdk.serve(request, message);
    },
    close: sdk.close,
  };
};
