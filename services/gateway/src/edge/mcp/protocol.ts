import { SUPPORTED_PROTOCOL_VERSIONS, specTypeSchemas } from '@modelcontextprotocol/server';
import { RPC } from './rpc.js';

export const VERSION_HEADER = 'mcp-protocol-version';

/** The revision whose messages carry what a client says of itself in `_meta`. */
export const STATELESS_VERSION = '2026-07-28';

export const VERSION_IN_META = 'io.modelcontextprotocol/protocolVersion';

/** Every revision that is served, the newest first. */
export const VERSIONS: readonly string[] = [STATELESS_VERSION, ...SUPPORTED_PROTOCOL_VERSIONS];

/** Why a message is no request of the protocol, with the HTTP status of the answer. */
export type ProtocolFault = { status: number; error: { code: number; message: string; data?: unknown } };

type Fields = Record<string, unknown>;

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const unsupported = (requested: string): ProtocolFault => ({
  status: 400,
  error: {
    code: RPC.unsupportedVersion,
    message: `Unsupported protocol version: ${requested}. Send one of ${VERSIONS.join(', ')}.`,
    data: { supported: VERSIONS, requested },
  },
});

const mismatch = (message: string): ProtocolFault => ({
  status: 400,
  error: { code: RPC.headerMismatch, message },
});

const invalidParams = (message: string): ProtocolFault => ({
  status: 200,
  error: { code: RPC.invalidParams, message },
});

const versionFault = (header: string | undefined, params: unknown): ProtocolFault | null => {
  const meta = isFields(params) ? params['_meta'] : undefined;
  const inMeta = isFields(meta) ? meta[VERSION_IN_META] : undefined;
  if (typeof inMeta === 'string' && header !== undefined && header !== inMeta)
    return mismatch(
      `The header MCP-Protocol-Version is ${header}, but ${VERSION_IN_META} in params._meta is ${inMeta}. Send the same version in both.`,
    );
  for (const named of [header, inMeta])
    if (typeof named === 'string' && !VERSIONS.includes(named)) return unsupported(named);
  if (header !== STATELESS_VERSION || inMeta !== undefined) return null;
  return mismatch(
    `The header MCP-Protocol-Version is ${STATELESS_VERSION}, but params._meta has no ${VERSION_IN_META}. Send both, or the version of initialize in the header.`,
  );
};

const misfits = (params: unknown, schema: (typeof specTypeSchemas)[keyof typeof specTypeSchemas]): string[] => {
  const { issues = [] } = schema['~standard'].validate(params);
  const places = issues.map(({ path = [] }) =>
    path.map((step) => String(typeof step === 'object' ? step.key : step)).join('.'),
  );
  return [...new Set(places)];
};

const initializeFault = (params: unknown): ProtocolFault | null => {
  const wrong = misfits(isFields(params) ? params : {}, specTypeSchemas.InitializeRequestParams);
  return wrong.length === 0
    ? null
    : invalidParams(
        `initialize takes params with protocolVersion (text), capabilities and clientInfo (objects). Missing or wrong: ${wrong.join(', ')}.`,
      );
};

const callFault = (params: unknown): ProtocolFault | null => {
  if (!isFields(params) || typeof params['name'] !== 'string')
    return invalidParams("tools/call takes params with the tool's name, as tools/list gives it, and its arguments.");
  const { arguments: sent } = params;
  return sent === undefined || isFields(sent)
    ? null
    : invalidParams('arguments must be an object of named values, such as {"id": "…"}, and not text or a list.');
};

const isTextOrAbsent = (value: unknown): boolean => value === undefined || typeof value === 'string';

const listFault = (method: string, params: unknown): ProtocolFault | null =>
  isFields(params) && isTextOrAbsent(params['cursor'])
    ? null
    : invalidParams(`${method} takes no params but a cursor, which is text.`);

const readFault = (params: unknown): ProtocolFault | null =>
  isFields(params) && typeof params['uri'] === 'string'
    ? null
    : invalidParams('resources/read takes params with the uri (text) of a document, as resources/list gives it.');

const promptFault = (params: unknown): ProtocolFault | null => {
  const { name, arguments: sent = {} } = isFields(params) ? params : {};
  return typeof name === 'string' && isFields(sent) && Object.values(sent).every((value) => typeof value === 'string')
    ? null
    : invalidParams(
        'prompts/get takes params with the name (text) of a prompt, as prompts/list gives it, and arguments, an object whose values are text.',
      );
};

const metaFault = (method: string, params: unknown): ProtocolFault | null => {
  const wrong = isFields(params) ? misfits({ _meta: params['_meta'] }, specTypeSchemas.PaginatedRequestParams) : [];
  return wrong.length === 0
    ? null
    : invalidParams(`_meta of ${method} must be an object as the protocol has it. Wrong: ${wrong.join(', ')}.`);
};

const paramsFault = (method: unknown, params: unknown): ProtocolFault | null => {
  switch (method) {
    case 'tools/call':
      return callFault(params);
    case 'resources/read':
      return readFault(params);
    case 'prompts/get':
      return promptFault(params);
    case 'tools/list':
    case 'resources/list':
    case 'resources/templates/list':
    case 'prompts/list':
      return listFault(method, params ?? {});
    default:
      return null;
  }
};

/**
 * Wrong before its method runs (docs/domain/mcp.md#mcp): -32022 for a version, -32020 for a header that differs from
 * `_meta`, -32602 for params. null for notifications and for methods that are not `offered`.
 */
export const protocolFault = (
  message: Fields,
  versions: readonly string[],
  offered: Readonly<Record<string, unknown>>,
): ProtocolFault | null => {
  const { id, method, params } = message as { id?: unknown; method?: unknown; params?: unknown };
  if (id === undefined || method === undefined) return null;
  const fault = versionFault(versions[0], params);
  if (fault !== null) return fault;
  // Revision 2026-07-28 has no initialize: the SDK says so.
  if (method === 'initialize' && versions[0] !== STATELESS_VERSION) return initializeFault(params);
  const [area = ''] = String(method).split('/');
  return (Object.hasOwn(offered, area) ? paramsFault(method, params) : null) ?? metaFault(String(method), params);
};
