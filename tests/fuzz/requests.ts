import {
  type Audience,
  guestTools,
  hasEndpoint,
  type OperationDeclaration,
  type OperationName,
  operationByName,
  operations,
  toolInputSchema,
  toolNameOf,
} from '@cds/contracts';
import fc from 'fast-check';
import { placeOf, weightOf } from './apart.js';
import { knownOf } from './known.js';
import { anyFile } from './uploads.js';
import { fieldsFor, hostile, STRANGE_NAMES } from './values.js';

/**
 * Who sends a request: `mcp-client` and `rest-client` are the access tokens of clients that a person signed in,
 * `foreign` is a session's cookie as another site would send it, `unknown` a key that does not exist.
 */
export const CREDENTIALS = [
  'key',
  'mcp-client',
  'rest-client',
  'session',
  'token',
  'operator',
  'link',
  'relay',
  'none',
  'foreign',
  'unknown',
] as const;
export type Credential = (typeof CREDENTIALS)[number];

/** A request of the fuzzer as data, so that one that failed is kept and sent again. Ids are names in braces. */
export type FuzzRequest = { operation: OperationName; sender: number; as: Credential } & (
  | {
      transport: 'rest';
      params: Record<string, unknown>;
      query: [name: string, value: string][];
      body: string | null;
      type: string | null;
      key: string | null;
    }
  | { transport: 'mcp' | 'guest'; message: string }
);

/** The ways to call an operation: its REST endpoint, the tools of keys, and those of guests. */
export type Way = { operation: OperationDeclaration; transport: FuzzRequest['transport'] };

/** Every way to call an operation. Those between services have none. */
export const WAYS: readonly Way[] = [
  ...operations.filter(hasEndpoint).map((operation) => ({ operation, transport: 'rest' as const })),
  ...operations
    .filter(({ tool, audience }) => tool !== undefined && audience !== 'guest')
    .map((operation) => ({ operation, transport: 'mcp' as const })),
  ...guestTools.map((operation) => ({ operation, transport: 'guest' as const })),
];

/** Whose credentials an audience has at its REST endpoints, the usual one first. */
const RIGHT: Readonly<Record<Audience, readonly Credential[]>> = {
  brand: ['key', 'key', 'key', 'rest-client', 'session'],
  sandbox: ['key', 'key', 'key', 'rest-client', 'session'],
  person: ['session'],
  operator: ['token', 'token', 'operator'],
  creator: ['link'],
  relay: ['relay'],
  visitor: ['none'],
  guest: ['none'],
  public: ['none'],
  internal: ['none'],
};

/** Whose credentials the tool servers take. */
const OF_TOOLS = { mcp: ['key', 'key', 'mcp-client'], guest: ['none'] } as const satisfies Record<
  'mcp' | 'guest',
  readonly Credential[]
>;

const TOOL_NAMES = [...new Set(operations.filter(({ tool }) => tool !== undefined).map(toolNameOf))];

const part = (operation: OperationDeclaration, shape: object | undefined): fc.Arbitrary<Record<string, unknown>> => {
  const { properties, required } = toolInputSchema(operation) as {
    properties: Record<string, object>;
    required?: string[];
  };
  const own = Object.fromEntries(Object.entries(properties).filter(([name]) => name in (shape ?? {})));
  return tameOrNot(own, required, operation);
};

/** Three of five requests are tame, so that fields that are hard to get right together are not always refused. */
const tameOrNot = (
  properties: object,
  required: unknown,
  operation: OperationDeclaration,
): fc.Arbitrary<Record<string, unknown>> => {
  const fields = (tame: boolean) => fieldsFor(properties as never, required, { known: knownOf(operation), tame });
  return fc.oneof({ weight: 3, arbitrary: fields(true) }, { weight: 2, arbitrary: fields(false) });
};

/** Who sends, and which of the values of a pool a request names. */
const MOST_SENDERS = 10_000;

const sometimes = <T>(usual: fc.Arbitrary<T>, rare: fc.Arbitrary<T>, weight = 9): fc.Arbitrary<T> =>
  fc.oneof({ weight, arbitrary: usual }, { weight: 1, arbitrary: rare });

const textOf = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));

/** Bodies that are not one JSON object, or not one that a parser may trust. */
const BROKEN_BODIES = [
  '',
  '{',
  'null',
  '[]',
  '"x"',
  '1',
  '{"a":1}{"b":2}',
  '{"name":"a","name":"b"}',
  '{"__proto__":{"polluted":true}}',
  '['.repeat(2_000),
  `${'{"a":'.repeat(500)}1${'}'.repeat(500)}`,
  '\ufeff{}',
  '{"a":1e999}',
  `{"q":"${'x'.repeat(70_000)}"}`,
] as const;

const TYPES = [
  'text/plain',
  'application/json; charset=utf-16',
  'application/x-www-form-urlencoded',
  'a/b',
  '',
] as const;
const KEYS = [
  '',
  'short',
  'x'.repeat(129),
  '"quoted-key"',
  'a key with spaces',
  'fuzz-replay-1',
  'fuzz-replay-2',
] as const;

const credentialFor = ({ operation: { audience }, transport }: Way): fc.Arbitrary<Credential> =>
  sometimes(
    fc.constantFrom<Credential[]>(...(transport === 'rest' ? RIGHT[audience] : OF_TOOLS[transport])),
    fc.constantFrom(...CREDENTIALS),
    14,
  );

const keyFor = ({ idempotency }: OperationDeclaration): fc.Arbitrary<string | null> =>
  idempotency === undefined
    ? sometimes(fc.constant(null), fc.constantFrom(...KEYS), 19)
    : sometimes(fc.uuid(), fc.constantFrom(null, ...KEYS), 19);

type Sent = { body: string | null; type: string | null };

const bodyFor = (operation: OperationDeclaration): fc.Arbitrary<Sent> => {
  const broken: fc.Arbitrary<Sent> = fc.record({
    body: fc.constantFrom(...BROKEN_BODIES),
    type: fc.constantFrom('application/json', 'text/csv', ...TYPES),
  });
  if (operation.upload !== undefined) return sometimes<Sent>(anyFile(), broken);
  if (operation.body === undefined)
    return sometimes<Sent>(fc.constant({ body: null, type: 'application/json' }), broken, 19);
  const json = fc.record({
    body: part(operation, operation.body.shape).map((fields) => JSON.stringify(fields)),
    type: sometimes(fc.constant('application/json'), fc.constantFrom(...TYPES), 24),
  });
  const usual = operation.csv === undefined ? json : fc.oneof({ weight: 2, arbitrary: json }, anyFile());
  return sometimes<Sent>(usual, broken, 24);
};

const restRequest = (way: Way): fc.Arbitrary<FuzzRequest> => {
  const { operation } = way;
  const query = part(operation, operation.query?.shape).map((fields): [string, string][] =>
    Object.entries(fields).map(([name, value]) => [name, textOf(value)]),
  );
  const repeated = fc
    .tuple(query, fc.constantFrom(...STRANGE_NAMES), hostile())
    .map(([pairs, name, value]): [string, string][] => [...pairs, ...pairs.slice(0, 1), [name, textOf(value)]]);
  return fc
    .tuple(
      fc.record({
        operation: fc.constant(operation.name as OperationName),
        transport: fc.constant('rest' as const),
        sender: fc.nat(MOST_SENDERS),
        as: credentialFor(way),
        params: part(operation, operation.params?.shape).map((fields) =>
          Object.fromEntries(
            Object.keys(operation.params?.shape ?? {}).map((name) => [name, textOf(fields[name] ?? 'x')]),
          ),
        ),
        query: sometimes(query, repeated, 24),
        key: keyFor(operation),
      }),
      bodyFor(operation),
    )
    .map(([request, body]) => ({ ...request, ...body }));
};

const MESSAGES = [
  '[]',
  '{}',
  '{"jsonrpc":"2.0"}',
  '{"jsonrpc":"2.0","id":1,"method":"tools/call"}',
  '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"__proto__","arguments":{}}}',
  '{"jsonrpc":"2.0","id":{},"method":"tools/list"}',
  '{"jsonrpc":"1.0","id":1,"method":"ping"}',
  '[{"jsonrpc":"2.0","id":1,"method":"ping"}]',
] as const;

const mcpRequest = (way: Way): fc.Arbitrary<FuzzRequest> => {
  const { operation, transport } = way;
  const { properties, required } = toolInputSchema(operation);
  const call = fc
    .tuple(
      sometimes(fc.constant(toolNameOf(operation)), fc.constantFrom(...TOOL_NAMES), 24),
      tameOrNot(properties ?? {}, required, operation),
      keyFor(operation),
    )
    .map(([name, args, key]) =>
      JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name, arguments: key === null ? args : { ...args, idempotency_key: key } },
      }),
    );
  return fc.record({
    operation: fc.constant(operation.name as OperationName),
    transport: fc.constant(transport as 'mcp' | 'guest'),
    sender: fc.nat(MOST_SENDERS),
    as: credentialFor(way),
    message: sometimes(call, fc.constantFrom(...MESSAGES, ...BROKEN_BODIES), 24),
  });
};

export const requestBy = (way: Way): fc.Arbitrary<FuzzRequest> =>
  way.transport === 'rest' ? restRequest(way) : mcpRequest(way);

const isLast = ({ operation: { name } }: Way): boolean => placeOf(name) === 'last';

/** Requests of every kind, except those that must come last. */
export const anyRequest = (): fc.Arbitrary<FuzzRequest> =>
  fc.oneof(
    ...WAYS.filter((way) => !isLast(way)).map((way) => ({
      weight: weightOf(way.operation),
      arbitrary: requestBy(way),
    })),
  );

/** Requests that change what everybody finds, mixed with all others. */
export const lastRequest = (): fc.Arbitrary<FuzzRequest> =>
  fc.oneof(
    { weight: 1, arbitrary: fc.oneof(...WAYS.filter(isLast).map(requestBy)) },
    { weight: 4, arbitrary: anyRequest() },
  );

const TOOLS = { mcp: toolsOf('mcp'), guest: toolsOf('guest') };

function toolsOf(transport: Way['transport']): ReadonlyMap<string, OperationDeclaration> {
  const ways = WAYS.filter((way) => way.transport === transport);
  return new Map(ways.map(({ operation }) => [toolNameOf(operation), operation]));
}

/** The operation that a request calls: the message of a tool may name another than it was drawn for, or none. */
export const calledBy = (request: FuzzRequest): OperationDeclaration | undefined => {
  if (request.transport === 'rest') return operationByName(request.operation);
  try {
    return TOOLS[request.transport].get(JSON.parse(request.message).params.name);
  } catch {
    return undefined;
  }
};
