import { ERROR_CODES, ErrorResource, type OperationDeclaration, refusalsOf, toolInputSchema } from '@cds/contracts';
import type { Forbidden } from './installation.js';
import { calledBy, type FuzzRequest } from './requests.js';

export type Judged = { status: number; headers: Headers; text: string };

/** Words of what runs behind the service, which no answer to a refused request may hold. */
const UPSTREAM =
  /mongo|\bnats\b|jetstream|E11000|bson|aggregat|ECONN|node_modules|stripe|\bzod\b|fastify|undefined is not|cannot read prop|\bat \S+ \(|\.[jt]s:\d+/i;
const REQUEST_ID = /^[A-Za-z0-9._:-]{8,128}$/;
/** Before an operation is found: a parameter may change the path. */
const OF_PATHS = [404, 405];
/** What a session, a token or a link adds: the documents of the public list only what keys add. */
const OF_CREDENTIALS = [401, 403];

const names = (schema: unknown, format: string): boolean => JSON.stringify(schema).includes(`"format":"${format}"`);

/** The statuses of an operation: those that its declaration documents, and those of its audience. */
const statusesOf = (operation: OperationDeclaration): ReadonlySet<number> => {
  const known = STATUSES.get(operation.name) ?? foundStatuses(operation);
  STATUSES.set(operation.name, known);
  return known;
};
const STATUSES = new Map<string, ReadonlySet<number>>();

const foundStatuses = (operation: OperationDeclaration): ReadonlySet<number> => {
  const { audience, params, body, success = 200 } = operation;
  const documented = refusalsOf(operation).map(
    ({ codes, status }) => status ?? ERROR_CODES[codes[0] ?? 'internal'].status,
  );
  const asksWho = ['person', 'operator', 'creator', 'relay'].includes(audience);
  const takesToken = audience === 'visitor' && body !== undefined && 'token' in body.shape;
  return new Set([
    success,
    ...documented.filter((one) => one !== 500),
    ...(params === undefined ? [] : OF_PATHS),
    ...(asksWho ? OF_CREDENTIALS : []),
    ...(asksWho && names(toolInputSchema(operation), 'uuid') ? [404] : []),
    ...(takesToken ? [401] : []),
    // A guest who names what belongs to an account.
    ...(audience === 'guest' ? [401] : []),
  ]);
};

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

const errorProblems = (body: unknown, status: number): string[] => {
  const error = ErrorResource.safeParse(body);
  if (!error.success) return [`an error body that is no Error: ${JSON.stringify(body)?.slice(0, 300)}`];
  const { code, details } = error.data.error;
  return [
    ...(status === 503 && (code !== 'unavailable' || typeof details?.['retry_after'] !== 'number')
      ? ['a 503 without its cause']
      : []),
    ...(ERROR_CODES[code].status === status || status === 502 ? [] : [`${code} with status ${status}`]),
  ];
};

const streamProblems = (mediaType: string, { headers, text }: Judged): string[] => [
  ...(headers.get('content-type')?.startsWith(mediaType) === true ? [] : [`an answer that is no ${mediaType}`]),
  ...(mediaType === 'application/x-ndjson'
    ? text
        .split('\n')
        .filter((line) => line !== '' && parsed(line) === undefined)
        .map((line) => `a line that is no JSON: ${line.slice(0, 200)}`)
    : []),
];

const restProblems = (request: FuzzRequest, operation: OperationDeclaration, answer: Judged): string[] => {
  const { status, headers, text } = answer;
  const { success = 200, mediaType, output } = operation;
  // A cookie that another site sends is refused before the operation is found.
  const known = statusesOf(operation).has(status) || (status === 403 && request.as === 'foreign');
  const unknown = known ? [] : [`status ${status}, which ${operation.name} does not document`];
  if (status === 204) return [...unknown, ...(text === '' ? [] : ['a 204 with a body'])];
  if (status === success && mediaType !== undefined) return [...unknown, ...streamProblems(mediaType, answer)];

  const body = parsed(text);
  return [
    ...unknown,
    ...(headers.get('content-type')?.startsWith('application/json') === true ? [] : ['an answer that is no JSON']),
    ...(body === undefined ? ['a body that is no JSON'] : []),
    ...(status >= 400 ? errorProblems(body, status) : outputProblems(output, body)),
  ];
};

const outputProblems = (output: OperationDeclaration['output'], body: unknown): string[] => {
  const { error } = output.safeParse(body);
  const [issue] = error?.issues ?? [];
  return issue === undefined ? [] : [`an answer that breaks its schema at ${issue.path.join('.')}: ${issue.message}`];
};

type Rpc = {
  error?: { code?: unknown; message?: unknown };
  result?: { isError?: boolean; _meta?: { status?: number; error?: unknown } };
};

const mcpProblems = (request: FuzzRequest, { status, text }: Judged): string[] => {
  if (status === 202 && text === '') return [];
  const body = parsed(text) as Rpc | undefined;
  if (body === undefined) return [`a tool answer that is no JSON: ${text.slice(0, 200)}`];
  const { result, error } = body;
  if (result?.isError === true) {
    const of = result._meta?.status ?? 0;
    const operation = calledBy(request);
    const known = operation === undefined || statusesOf(operation).has(of);
    return [
      ...errorProblems({ error: result._meta?.error }, of),
      ...(known ? [] : [`status ${of}, which ${operation.name} does not document`]),
    ];
  }
  if (status >= 500 && status !== 503) return [`the tool server answered ${status}`];
  if (result !== undefined) return [];
  return typeof error?.code === 'number' && typeof error.message === 'string' && error.code !== -32603
    ? []
    : [`a tool answer that is neither a result nor an error: ${text.slice(0, 200)}`];
};

const holds = (text: string, found: string | RegExp): boolean =>
  typeof found === 'string' ? text.includes(found) : found.test(text);

export const problemsWith = (request: FuzzRequest, answer: Judged, forbidden: readonly Forbidden[]): string[] => {
  const { status, headers, text } = answer;
  const refused = status >= 400 || text.includes('"isError":true');
  const operation = calledBy(request);
  return [
    ...(request.transport === 'rest' && operation !== undefined
      ? restProblems(request, operation, answer)
      : mcpProblems(request, answer)),
    ...(REQUEST_ID.test(headers.get('x-request-id') ?? '') ? [] : ['no x-request-id']),
    ...(refused && UPSTREAM.test(text) ? [`a word from behind the service: ${UPSTREAM.exec(text)?.[0]}`] : []),
    ...forbidden.filter(({ found }) => holds(text, found)).map(({ what, found }) => `${what}: ${String(found)}`),
  ];
};
