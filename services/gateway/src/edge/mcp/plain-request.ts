import { SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/server';
import { STATELESS_VERSION, VERSION_HEADER, VERSION_IN_META } from './protocol.js';
import type { RpcId } from './rpc.js';

/** A request that the endpoint answers without the SDK; `stateless` is revision 2026-07-28. */
export type PlainRequest = { id: NonNullable<RpcId>; stateless: boolean } & (
  | { method: 'ping' }
  | { method: 'server/discover' }
  | { method: 'tools/list' }
  | { method: 'tools/call'; name: string; args: Fields }
);

type Fields = Record<string, unknown>;

/** The methods that take no parameters, and the revisions that do not have them. */
const MISSING_IN = { ping: 'stateless', 'server/discover': 'former', 'tools/list': null } as const;

const isBare = (method: unknown): method is keyof typeof MISSING_IN =>
  typeof method === 'string' && Object.hasOwn(MISSING_IN, method);

export type HeaderValues = (name: string) => readonly string[];

const MESSAGE_FIELDS = new Set(['jsonrpc', 'id', 'method', 'params']);
const PARAM_FIELDS = new Set(['name', 'arguments', '_meta']);

/** The names that the protocol reserves in `_meta`, and those of them that are read here. */
const RESERVED = 'io.modelcontextprotocol/';
const CLIENT_INFO = `${RESERVED}clientInfo`;
const CLIENT_CAPABILITIES = `${RESERVED}clientCapabilities`;
const KNOWN_META = new Set([VERSION_IN_META, CLIENT_INFO, CLIENT_CAPABILITIES]);

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const onlyFields = (value: Fields, known: ReadonlySet<string>): boolean =>
  Object.keys(value).every((name) => known.has(name));

const isClientInfo = (value: unknown): boolean =>
  value === undefined || (isFields(value) && typeof value['name'] === 'string' && typeof value['version'] === 'string');

const isCapabilities = (value: unknown): boolean => isFields(value) && Object.values(value).every(isFields);

const isProgressToken = (value: unknown): boolean =>
  value === undefined || typeof value === 'string' || Number.isInteger(value);

/** Whether the headers of revision 2026-07-28 say what the body says, letter by letter. */
const headersAgree = (headers: HeaderValues, version: unknown, method: string, name: string | undefined): boolean => {
  const says = (header: string, value: unknown): boolean => {
    const sent = headers(header);
    return sent.length === 1 && sent[0] === value;
  };
  if (version !== STATELESS_VERSION || !says(VERSION_HEADER, version) || !says('mcp-method', method)) return false;
  return name === undefined || (says('mcp-name', name) && !name.startsWith('=?'));
};

/** Which revision a request speaks beyond doubt; null if the SDK has to decide. */
const revisionOf = (
  headers: HeaderValues,
  meta: Fields,
  method: string,
  name: string | undefined,
): 'stateless' | 'former' | null => {
  const reserved = Object.keys(meta).filter((key) => key.startsWith(RESERVED));
  if (!isProgressToken(meta['progressToken']) || !reserved.every((key) => KNOWN_META.has(key))) return null;
  if (reserved.length === 0) {
    const sent = headers(VERSION_HEADER);
    return sent.length === 0 || (sent.length === 1 && SUPPORTED_PROTOCOL_VERSIONS.includes(sent[0] ?? ''))
      ? 'former'
      : null;
  }
  const agreed =
    headersAgree(headers, meta[VERSION_IN_META], method, name) &&
    isClientInfo(meta[CLIENT_INFO]) &&
    isCapabilities(meta[CLIENT_CAPABILITIES]);
  return agreed ? 'stateless' : null;
};

/**
 * One of tools/call, tools/list, ping and server/discover with nothing unusual; null for what the SDK answers
 * (docs/domain/mcp.md#mcp).
 */
export const plainRequestOf = (message: Fields, headers: HeaderValues): PlainRequest | null => {
  const { id, method, params = {} } = message as { id?: unknown; method?: unknown; params?: unknown };
  if (typeof id !== 'string' && typeof id !== 'number') return null;
  if (!isFields(params) || !onlyFields(message, MESSAGE_FIELDS) || !onlyFields(params, PARAM_FIELDS)) return null;
  const { name, arguments: args = {}, _meta: meta = {} } = params;
  if (!isFields(meta)) return null;

  if (method === 'tools/call') {
    if (typeof name !== 'string' || !isFields(args)) return null;
    const revision = revisionOf(headers, meta, method, name);
    return revision === null ? null : { id, stateless: revision === 'stateless', method, name, args };
  }
  if (!isBare(method) || 'name' in params || 'arguments' in params) return null;
  const revision = revisionOf(headers, meta, method, undefined);
  if (revision === null || revision === MISSING_IN[method]) return null;
  return { id, stateless: revision === 'stateless', method };
};
