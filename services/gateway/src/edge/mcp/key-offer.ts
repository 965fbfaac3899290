import { AppError } from '@cds/contracts';
import type { Edge } from '../edge.js';
import { TOOLS_PATH } from '../steps/host.js';
import { serveDocuments } from './documents.js';
import { INSTRUCTIONS } from './instructions.js';
import { CACHE_MS, type Offer, type ToolRequest } from './offer.js';
import { callTool } from './tool-call.js';
import { type ToolSet, toolsUnder } from './tools.js';

const isSandbox = ({ caller }: ToolRequest): boolean => !(caller instanceof AppError) && caller.principal.sandbox;

/** What keys are offered: the tools, the public documents and prompts (docs/domain/mcp.md#mcp). */
export const keyOffer = (edge: Edge): Offer => {
  const toolsFor = async (request: ToolRequest): Promise<ToolSet> =>
    toolsUnder(await edge.switches.current(), isSandbox(request));
  return {
    path: TOOLS_PATH,
    instructions: INSTRUCTIONS,
    capabilities: { tools: {}, resources: {}, prompts: {} },
    listCache: { ttlMs: CACHE_MS, cacheScope: 'private' },
    toolsFor,
    call: (request, name, sent) =>
      callTool(edge, request, async () => ({
        name,
        sent,
        who: 'This key',
        tools: await toolsFor(request),
        deprecatedShown: (await edge.switches.current()).deprecated_fields,
      })),
    extend: (server, { id }, ending) => serveDocuments(server, edge, id, ending),
  };
};
