import { hasEndpoint, operationByName, pathOf } from '@cds/contracts';
import type { SharedStack } from '../support/stack.js';
import type { Installation } from './installation.js';
import type { Judged } from './judge.js';
import { withValues } from './known.js';
import type { FuzzRequest } from './requests.js';

const judged = async (response: Response): Promise<Judged> => {
  const { status, headers } = response;
  // A stream has no end to wait for.
  const streams = headers.get('content-type')?.startsWith('text/event-stream') === true;
  if (streams) await response.body?.cancel();
  return { status, headers, text: streams ? '' : await response.text() };
};

export type Send = (request: FuzzRequest) => Promise<Judged>;

export const sendTo =
  (stack: SharedStack, world: Installation): Send =>
  async (request) => {
    const named = (text: string): string => withValues(text, (pool) => world.valueFor(request, pool));
    const who = await world.headersFor(request);
    if (request.transport !== 'rest')
      return judged(
        await fetch(request.transport === 'mcp' ? stack.mcpUrl : stack.guestMcpUrl, {
          method: 'POST',
          headers: { ...who, 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
          body: named(request.message),
        }),
      );
    const operation = operationByName(request.operation);
    if (operation === undefined || !hasEndpoint(operation)) throw new Error(`no endpoint of ${request.operation}`);
    const path = pathOf(operation).replace(/\{(\w+)\}/g, (_all, name: string) =>
      encodeURIComponent(named(String(request.params[name])).toWellFormed()),
    );
    const url = new URL(path, stack.appUrl);
    for (const [name, value] of request.query) url.searchParams.append(name, named(value).toWellFormed());
    const { method } = operation.rest;
    return judged(
      await fetch(url, {
        method,
        redirect: 'manual',
        headers: {
          ...who,
          ...(request.type === null ? {} : { 'content-type': request.type }),
          ...(request.key === null ? {} : { 'idempotency-key': request.key }),
        },
        ...(method === 'GET' || request.body === null ? {} : { body: named(request.body) }),
      }),
    );
  };
