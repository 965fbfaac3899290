import {
  type AppError,
  extensionTools,
  hasEndpoint,
  operations,
  pathOf,
  SCOPES,
  type Scope,
  toolNameOf,
  toolOperations,
} from '@cds/contracts';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { type Brand, makeBrand } from '../../test/edge-app.js';
import { ask, type HttpAnswer } from '../../test/http.js';
import { testEdge } from '../../test/suite.js';
import type { Caller } from '../callers.js';
import { checkScope } from './scope.js';

const ID = '0b6cbb3e-6f0a-4f5e-9d5e-6a1b7b1b7b1b';

/** Every set of the nine scopes, the empty one included. */
const SETS: readonly (readonly Scope[])[] = Array.from({ length: 2 ** SCOPES.length }, (_none, bits) =>
  SCOPES.filter((_scope, at) => (bits & (1 << at)) !== 0),
);

/** Over HTTP: no scope, each alone, all but each, and all. A request compares one scope with its key's. */
const SENT = SETS.filter(({ length }) => length <= 1 || length >= SCOPES.length - 1);

/** Each set of scopes opens exactly the operations that declare one of them, over REST and MCP (I49). */
describe('the 512 sets of scopes', () => {
  const edge = testEdge('gateway_scope_sets');
  let brand: Brand;
  let scopes: readonly Scope[] = [];

  beforeAll(async () => {
    brand = await makeBrand(edge);
    await edge.setSwitches({ extensions: true });
    // One key that is admitted without a statement and never reaches its limit, with the scopes of the set in turn.
    const { callers } = edge.edge;
    let admitted: Promise<Caller> | undefined;
    edge.edge.callers = {
      ...callers,
      bearer: async (...request) => {
        admitted ??= callers.bearer(...request);
        const caller = await admitted;
        return { ...caller, principal: { ...caller.principal, scopes: [...scopes] } };
      },
    };
    await ask(edge.url, '/api/v1/inventory', { key: brand.live['bare'] ?? '' });
  });

  const missingOf = (wanted: Scope | 'any' | null, set: readonly Scope[]): Scope | null =>
    wanted === null || wanted === 'any' || set.includes(wanted) ? null : wanted;
  const missingInResult = (answer: HttpAnswer): string | null => {
    const { result } = answer.json as {
      result?: { _meta?: { error?: { code: string; details?: { scope?: string } } } };
    };
    const error = result?._meta?.error;
    return error?.code === 'forbidden' ? (error.details?.scope ?? null) : null;
  };
  const missing = (answer: HttpAnswer): string | null =>
    /^Bearer error="insufficient_scope", scope="(.+)"$/.exec(answer.headers.get('www-authenticate') ?? '')?.[1] ?? null;
  const secret = (): string => brand.live['bare'] ?? '';

  const rest = operations.filter(hasEndpoint).filter(({ audience }) => audience === 'brand');
  const tools = [...toolOperations(), ...extensionTools()];
  const byRest = (one: (typeof rest)[number]) =>
    ask(edge.url, pathOf(one).replace(/\{\w+\}/g, ID), { method: one.rest.method, key: secret() });
  const byTool = (name: string) =>
    ask(edge.url, '/api/mcp', {
      method: 'POST',
      key: secret(),
      body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: { id: ID } } },
    });

  test('each opens its operations, and refuses every other with the scope that is missing', async () => {
    const { principal } = await (edge.edge.callers.bearer as unknown as () => Promise<Caller>)();
    const refused = (operation: (typeof operations)[number], set: readonly Scope[]): unknown => {
      try {
        return checkScope(operation, { ...principal, scopes: [...set] }) ?? null;
      } catch (error) {
        return (error as AppError).details?.['scope'];
      }
    };
    const wrong = SETS.flatMap((set) =>
      [...rest, ...tools]
        .filter((one) => refused(one, set) !== missingOf(one.scope, set))
        .map(({ name }) => `${name} with [${set}]`),
    );
    expect(wrong).toEqual([]);
  });

  test('each opens the same over REST and MCP', async () => {
    const wrong: string[] = [];
    for (scopes of SENT) {
      const check = async (name: string, wanted: Scope | 'any' | null, sent: Promise<HttpAnswer>) => {
        const answer = await sent;
        const lacks = missingOf(wanted, scopes);
        const as = lacks === null ? answer.status !== 403 && missing(answer) === null : answer.status === 403;
        if (!as || missing(answer) !== lacks) wrong.push(`${name} with [${scopes}]: ${answer.status}`);
      };
      const checkTool = async (name: string, wanted: Scope | 'any' | null, sent: Promise<HttpAnswer>) => {
        const answer = await sent;
        const lacks = missingOf(wanted, scopes);
        if (answer.status !== 200 || missing(answer) !== null || missingInResult(answer) !== lacks)
          wrong.push(`tool ${name} with [${scopes}]: ${answer.status}`);
      };
      await Promise.all([
        ...rest.map((one) => check(one.name, one.scope, byRest(one))),
        ...tools.map((one) => checkTool(one.name, one.scope, byTool(toolNameOf(one)))),
      ]);
    }
    expect(wrong).toEqual([]);
  });
});
