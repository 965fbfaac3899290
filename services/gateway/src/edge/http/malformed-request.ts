import { JSON_TYPE } from './answer.js';
import type { RawRequest } from './exchange.js';
import { requestIdOf } from './request-id.js';

export type Refused = { code?: string | undefined; rawPacket?: Buffer | undefined };

type Problem = { status: string; code: string; message: string };

const TOO_LARGE: Problem = {
  status: '431 Request Header Fields Too Large',
  code: 'bad_request',
  message: 'The request headers are too large. Send fewer or shorter headers.',
};
const TOO_SLOW: Problem = {
  status: '408 Request Timeout',
  code: 'bad_request',
  message: 'The request did not arrive in time. Send it again.',
};
const UNKNOWN_METHOD: Problem = {
  status: '501 Not Implemented',
  code: 'method_not_allowed',
  message: 'No path here takes this method. GET /openapi.json lists the paths with their methods.',
};
const NOT_HTTP: Problem = {
  status: '400 Bad Request',
  code: 'bad_request',
  message: 'This is not a valid HTTP request. Check how your client sends it.',
};

/** The raw answer to bytes that Node's parser refuses, with the request id that was sent if the bytes have it. */
export const malformedAnswer = (refused: Refused): string =>
  rendered(problemOf(refused), requestIdOf(sentIds(refused.rawPacket)));

const problemOf = ({ code, rawPacket }: Refused): Problem => {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return TOO_LARGE;
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return TOO_SLOW;
    // The second is that of RTSP's methods.
    case 'HPE_INVALID_METHOD':
    case 'HPE_INVALID_CONSTANT':
      return isUnknownMethod(textOf(rawPacket)) ? UNKNOWN_METHOD : NOT_HTTP;
    default:
      return NOT_HTTP;
  }
};

/** The raw answer to CONNECT, which Node leaves to us to refuse: no path takes it (RFC 9110, 9.3.6 and 15.6.2). */
export const connectAnswer = ({ rawHeaders }: RawRequest): string =>
  rendered(
    UNKNOWN_METHOD,
    requestIdOf(rawHeaders.filter((_one, at) => rawHeaders[at - 1]?.toLowerCase() === 'x-request-id')),
  );

const rendered = ({ status, code, message }: Problem, requestId: string): string => {
  const body = JSON.stringify({ error: { code, message } });
  const lines = [
    `HTTP/1.1 ${status}`,
    `x-request-id: ${requestId}`,
    `Content-Type: ${JSON_TYPE}`,
    'Cache-Control: no-store',
    'X-Content-Type-Options: nosniff',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ];
  return `${lines.join('\r\n')}\r\n\r\n${body}`;
};

/** A request line that only its method can be wrong with. */
const REQUEST_LINE = /^([\w!#$%&'*+.^`|~-]+) \S+ HTTP\/1\.[01]\r\n/;

/** The methods that HTTP knows (RFC 9110, RFC 5789): of bytes that begin with one, something later is wrong. */
const KNOWN = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE']);

/** Whether bytes begin with a request line whose method HTTP allows and does not know. */
const isUnknownMethod = (text: string): boolean => {
  const [, method] = REQUEST_LINE.exec(text) ?? [];
  return method !== undefined && !KNOWN.has(method);
};

const textOf = (packet: Buffer | undefined): string => packet?.toString('latin1') ?? '';

const sentIds = (packet: Buffer | undefined): string[] =>
  [...textOf(packet).matchAll(/\r\nx-request-id:[ \t]*([^\r\n]*?)[ \t]*(?=\r\n)/gi)].map(([, id = '']) => id);
