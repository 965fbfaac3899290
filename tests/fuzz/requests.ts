import {
  type OperationDeclaration,
  type OperationName,
  publishedOperations,
  toolInputSchema,
  toolNameOf,
} from '@cds/contracts';
import fc from 'fast-check';
import { fieldsFor, hostile, STRANGE_NAMES } from './values.js';

/** A request of the fuzzer as data, so that one that failed is kept and sent again. Ids are names in braces. */
export type FuzzRequest = { operation: OperationName; sender: number } & (
  | {
      transport: 'rest';
      params: Record<string, unknown>;
      query: [name: string, value: string][];
      body: string | null;
      type: string | null;
      key: string | null;
    }
  | { transport: 'mcp'; message: string }
);

/** A stream answers no JSON, and has tests of its own. */
const OPERATIONS = publishedOperations().filter(({ mediaType }) => mediaType === undefined);

const part = (operation: OperationDeclaration, shape: object | undefined): fc.Arbitrary<Record<string, unknown>> => {
  const { properties, required } = toolInputSchema(operation) as {
    properties: Record<string, object>;
    required?: string[];
  };
  const own = Object.fromEntries(Object.entries(properties).filter(([name]) => name in (shape ?? {})));
  return fieldsFor(own as never, required);
};

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

const keyFor = ({ idempotency }: OperationDeclaration): fc.Arbitrary<string | null> =>
  idempotency === undefined
    ? sometimes(fc.constant(null), fc.constantFrom(...KEYS), 19)
    : sometimes(fc.uuid(), fc.constantFrom(null, ...KEYS));

const restRequest = (operation: OperationDeclaration): fc.Arbitrary<FuzzRequest> => {
  const hasBody = operation.body !== undefined;
  const query = part(operation, operation.query?.shape).map((fields): [string, string][] =>
    Object.entries(fields).map(([name, value]) => [name, textOf(value)]),
  );
  const repeated = fc
    .tuple(query, fc.constantFrom(...STRANGE_NAMES), hostile())
    .map(([pairs, name, value]): [string, string][] => [...pairs, ...pairs.slice(0, 1), [name, textOf(value)]]);
  return fc.record({
    operation: fc.constant(operation.name as OperationName),
    transport: fc.constant('rest' as const),
    sender: fc.nat(1_000),
    params: part(operation, operation.params?.shape).map((fields) =>
      Object.fromEntries(Object.keys(operation.params?.shape ?? {}).map((name) => [name, textOf(fields[name] ?? 'x')])),
    ),
    query: sometimes(query, repeated),
    body: hasBody
      ? sometimes(
          part(operation, operation.body?.shape).map((fields) => JSON.stringify(fields)),
          fc.constantFrom(...BROKEN_BODIES),
        )
      : sometimes(fc.constant(null), fc.constantFrom(...BROKEN_BODIES), 19),
    type: sometimes(fc.constant('application/json' as string | null), fc.constantFrom(...TYPES), 19),
    key: keyFor(operation),
  });
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

const mcpRequest = (operation: OperationDeclaration): fc.Arbitrary<FuzzRequest> => {
  const { properties, required } = toolInputSchema(operation);
  const call = fc.tuple(fieldsFor((properties ?? {}) as never, required), keyFor(operation)).map(([args, key]) =>
    JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: toolNameOf(operation), arguments: key === null ? args : { ...args, idempotency_key: key } },
    }),
  );
  return fc.record({
    operation: fc.constant(operation.name as OperationName),
    transport: fc.constant('mcp' as const),
    sender: fc.nat(1_000),
    message: sometimes(call, fc.constantFrom(...MESSAGES, ...BROKEN_BODIES), 24),
  });
};

/** Operations that move a whole sandbox take seconds where others take milliseconds, and are asked for less often. */
const SLOW: ReadonlySet<string> = new Set(['sandbox_clock_advance', 'sandbox_clock_jump', 'sandbox_reset']);
const weightOf = ({ name }: OperationDeclaration): number => (SLOW.has(name) ? 1 : 40);

/** Requests to every published operation, over REST and, for tools, over MCP. */
export const anyRequest = (): fc.Arbitrary<FuzzRequest> =>
  fc.oneof(
    ...OPERATIONS.map((operation) => ({ weight: weightOf(operation), arbitrary: restRequest(operation) })),
    ...OPERATIONS.filter(({ tool }) => tool !== undefined).map((operation) => ({
      weight: weightOf(operation),
      arbitrary: mcpRequest(operation),
    })),
  );
