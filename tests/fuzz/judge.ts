import { ERROR_CODES, ErrorResource, operationByName, refusalsOf } from '@cds/contracts';
import type { FuzzRequest } from './requests.js';

/** An answer as the fuzzer judges it. */
export type Judged = { status: number; headers: Headers; text: string };

/** Words of what stands behind the service, which no answer to a refused request may hold. */
const UPSTREAM =
  /mongo|\bnats\b|jetstream|E11000|bson|aggregat|ECONN|node_modules|stripe|\bzod\b|fastify|undefined is not|cannot read prop|\bat \S+ \(|\.[jt]s:\d+/i;
const REQUEST_ID = /^[A-Za-z0-9._:-]{8,128}$/;
/** Of paths and hosts, before an operation is found: a parameter may change the path. */
const OF_PATHS = [400, 403, 404, 405];

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

const restProblems = (request: FuzzRequest, { status, headers, text }: Judged): string[] => {
  const operation = operationByName(request.operation);
  const documented =
    operation === undefined
      ? []
      : refusalsOf(operation).map(({ codes, status: own }) => own ?? ERROR_CODES[codes[0] ?? 'internal'].status);
  const known = new Set([operation?.success ?? 200, ...documented.filter((one) => one !== 500), ...OF_PATHS]);
  const body = parsed(text);
  return [
    ...(known.has(status) ? [] : [`status ${status}, which ${request.operation} does not document`]),
    ...(headers.get('content-type')?.startsWith('application/json') === true ? [] : ['an answer that is no JSON']),
    ...(body === undefined ? ['a body that is no JSON'] : []),
    ...(status >= 400 ? errorProblems(body, status) : []),
  ];
};

type Rpc = {
  error?: { code?: unknown; message?: unknown };
  result?: { isError?: boolean; _meta?: { status?: number; error?: unknown } };
};

const mcpProblems = ({ status, text }: Judged): string[] => {
  if (status === 202 && text === '') return [];
  const body = parsed(text) as Rpc | undefined;
  if (body === undefined) return [`a tool answer that is no JSON: ${text.slice(0, 200)}`];
  const { result, error } = body;
  if (result?.isError === true) {
    const of = result._meta?.status ?? 0;
    return [...errorProblems({ error: result._meta?.error }, of), ...(of === 500 ? ['a tool answered 500'] : [])];
  }
  if (status >= 500 && status !== 503) return [`the tool server answered ${status}`];
  if (result !== undefined) return [];
  return typeof error?.code === 'number' && typeof error.message === 'string' && error.code !== -32603
    ? []
    : [`a tool answer that is neither a result nor an error: ${text.slice(0, 200)}`];
};

/** What is wrong with the answer to a request; empty when nothing is. `canaries` are texts of other brands. */
export const problemsWith = (request: FuzzRequest, answer: Judged, canaries: readonly string[]): string[] => {
  const { status, headers, text } = answer;
  const refused = status >= 400 || text.includes('"isError":true');
  return [
    ...(request.transport === 'rest' ? restProblems(request, answer) : mcpProblems(answer)),
    ...(REQUEST_ID.test(headers.get('x-request-id') ?? '') ? [] : ['no x-request-id']),
    ...(refused && UPSTREAM.test(text) ? [`a word from behind the service: ${UPSTREAM.exec(text)?.[0]}`] : []),
    ...canaries.filter((canary) => text.includes(canary)).map((canary) => `another brand's ${canary}`),
  ];
};
