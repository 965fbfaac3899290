import type { Answer, Outcome } from '../http/answer.js';
import { okAnswer } from '../http/answer.js';
import type { Offer, ToolRequest } from './offer.js';
import type { PlainRequest } from './plain-request.js';
import { VERSIONS } from './protocol.js';
import { resultJson } from './result.js';
import { RPC, rpcError } from './rpc.js';
import { SERVER_INFO } from './server.js';
import type { ToolSet } from './tools.js';

const COMPLETE = { resultType: 'complete' } as const;
const SERVER_META = { 'io.modelcontextprotocol/serverInfo': SERVER_INFO } as const;

const rpcResult = (id: string | number, result: string, outcome: Outcome): Answer => ({
  ...okAnswer(200, `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${result}}`),
  ...outcome,
});

/** The results of tools/list in JSON: written once for each set of tools and revision. */
const lists = { former: new WeakMap<ToolSet, string>(), stateless: new WeakMap<ToolSet, string>() };

const listJson = (tools: ToolSet, stateless: boolean, cache: Offer['listCache']): string => {
  const written = stateless ? lists.stateless : lists.former;
  const known = written.get(tools);
  if (known !== undefined) return known;
  const more = stateless ? { ...COMPLETE, ...cache, _meta: SERVER_META } : {};
  const json = JSON.stringify({ tools: tools.list, ...more });
  written.set(tools, json);
  return json;
};

/** What server/discover answers: as the SDK does, but with the revisions that clients reach by initialize. */
const discoveryJson = ({ capabilities, instructions }: Pick<Offer, 'capabilities' | 'instructions'>): string =>
  JSON.stringify({
    supportedVersions: VERSIONS,
    capabilities,
    instructions,
    ...COMPLETE,
    ttlMs: 0,
    cacheScope: 'private',
    _meta: SERVER_META,
  });

export type PlainAnswers = (request: ToolRequest, plain: PlainRequest) => Promise<Answer>;

/**
 * Answers as the SDK would (`plain-answers.test.ts`), whose server for each request costs more than most tools do
 * (docs/performance.md).
 */
export const plainAnswers = (offer: Offer): PlainAnswers => {
  const discovery = discoveryJson(offer);

  const call = async (request: ToolRequest, { id, stateless, name, args }: PlainRequest & { method: 'tools/call' }) => {
    const called = await offer.call(request, name, args);
    if ('refusal' in called) return called.refusal;
    const { outcome } = called;
    if ('unknown' in called)
      return rpcError(200, { code: RPC.invalidParams, message: called.unknown }, id, {}, outcome);
    const { result } = called;
    const json = stateless
      ? resultJson({ ...result, meta: { ...result.meta, ...SERVER_META } }, COMPLETE)
      : resultJson(result);
    return rpcResult(id, json, outcome);
  };

  return async (request, plain) => {
    const { id, stateless } = plain;
    switch (plain.method) {
      case 'ping':
        return rpcResult(id, '{}', { code: 'ok' });
      case 'server/discover':
        return rpcResult(id, discovery, { code: 'ok' });
      case 'tools/list':
        return rpcResult(id, listJson(await offer.toolsFor(request), stateless, offer.listCache), { code: 'ok' });
      case 'tools/call':
        return call(request, plain);
    }
  };
};
