import { AppError } from '@cds/contracts';
import { publicError } from '@cds/service';
import type { Edge } from '../edge.js';
import { headersOf, type Outcome, outcomeOf, statusOf } from '../http/answer.js';
import { perform } from '../lifecycle.js';
import { callOf } from './arguments.js';
import { scopeChallenge } from './challenge.js';
import type { ToolCalled, ToolRequest } from './offer.js';
import { refusalResult, resultOf } from './result.js';
import { rpcRefusal } from './rpc.js';
import type { ToolSet } from './tools.js';

/** A missing scope is no HTTP error: clients of API keys throw those away (docs/domain/mcp.md#mcp). */
const byHttpStatus = (error: unknown): boolean =>
  !(error instanceof AppError) || error.code === 'unavailable' || error.code === 'internal';

const missingScope = (error: unknown): string | null => {
  const scope = error instanceof AppError && error.code === 'forbidden' ? error.details?.['scope'] : undefined;
  return typeof scope === 'string' ? scope : null;
};

/** The headers of a refusal by HTTP status; null for one that is a result. */
const refusalHeaders = (edge: Edge, { caller }: ToolRequest, error: unknown): Record<string, string> | null => {
  const signedIn = 'principal' in caller && caller.principal.grant !== undefined;
  const scope = signedIn ? missingScope(error) : null;
  if (scope !== null) return { 'WWW-Authenticate': scopeChallenge(edge.appUrl, scope) };
  if (!byHttpStatus(error)) return null;
  return error instanceof AppError ? headersOf(error) : {};
};

const NAME_SHOWN = 64;

/** An extension that is off, a tool of test keys and an unknown name get the same answer. */
const unknownTool = (who: string, name: string): string =>
  `${who} has no tool named ${JSON.stringify(name.slice(0, NAME_SHOWN))}. tools/list names every tool.`;

type Called = {
  name: string;
  sent: Record<string, unknown>;
  /** Whom the refusal of an unknown tool speaks of: "This key". */
  who: string;
  tools: ToolSet;
};

export const callTool = async (edge: Edge, request: ToolRequest, load: () => Promise<Called>): Promise<ToolCalled> => {
  const { exchange, caller } = request;
  let called = 'mcp';
  try {
    if (caller instanceof AppError) throw caller;
    const { name, sent, who, tools } = await load();
    called = name;
    const operation = tools.operations.get(name);
    if (operation === undefined) return { unknown: unknownTool(who, name), outcome: { code: 'ok' } };
    const { call, view } = callOf(operation, sent);
    const done = await perform(edge, exchange, caller, call);
    const { deprecated_until } = await edge.switches.current();
    const ended: Outcome = done.ok ? { code: 'ok' } : outcomeOf(done.error);
    return {
      result: resultOf(done, exchange.requestId, { operation, view, until: deprecated_until }),
      outcome: { ...ended, callStatus: done.status },
    };
  } catch (error) {
    const { body, status } = publicError(error, edge.log, called);
    const headers = refusalHeaders(edge, request, error);
    if (headers !== null) return { refusal: rpcRefusal(body, status, headers, request.id) };
    return {
      result: refusalResult(body, status, exchange.requestId),
      outcome: { ...outcomeOf(body), callStatus: statusOf(body, status) },
    };
  }
};
