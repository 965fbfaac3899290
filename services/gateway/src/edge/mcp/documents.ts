import type { Contents } from '@cds/pages';
import { publicError } from '@cds/service';
import { ProtocolError, ResourceNotFoundError, type Server } from '@modelcontextprotocol/server';
import type { Edge } from '../edge.js';
import { outcomeOf } from '../http/answer.js';
import type { Ending } from './offer.js';
import { promptList, promptWith } from './prompts.js';
import { readResource, resourcesIn, resourceTemplates } from './resources.js';
import { RPC, type RpcId, rpcRefusal } from './rpc.js';

const URI_SHOWN = 200;

/** The public documents as resources, and the prompts (docs/domain/mcp.md#mcp). They need no scope. */
export const serveDocuments = (server: Server, edge: Edge, id: RpcId, ending: Ending): void => {
  const read = async <T>(work: (contents: Contents) => T, nothing: T): Promise<T> => {
    const contents = await edge.library.contents().catch((error: unknown) => {
      const { body, status } = publicError(error, edge.log, 'mcp');
      ending.refusal = rpcRefusal(body, status, {}, id);
      ending.outcome = outcomeOf(body);
      return null;
    });
    return contents === null ? nothing : work(contents);
  };
  server.setRequestHandler('resources/list', () =>
    read((contents) => ({ resources: resourcesIn(contents, edge.appUrl) }), { resources: [] }),
  );
  server.setRequestHandler('resources/templates/list', async () => ({
    resourceTemplates: resourceTemplates(edge.appUrl),
  }));
  server.setRequestHandler('resources/read', ({ params }) =>
    read(
      (contents) => {
        const found = readResource(contents, edge.appUrl, params.uri);
        if (found === null)
          throw new ResourceNotFoundError(params.uri.slice(0, URI_SHOWN), 'There is no document at this address.');
        return { contents: [found] };
      },
      { contents: [] },
    ),
  );
  server.setRequestHandler('prompts/list', async () => ({ prompts: promptList() }));
  server.setRequestHandler('prompts/get', async ({ params }) => {
    const made = promptWith(params.name, params.arguments ?? {});
    if (!made.ok) throw new ProtocolError(RPC.invalidParams, made.fault);
    return made.prompt;
  });
};
