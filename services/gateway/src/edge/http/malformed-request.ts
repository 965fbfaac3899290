import { JSON_TYPE } from './answer.js';
import type { RawRequest } from './exchange.js';
import { requestIdOf } from './request-id.js';

/** Methods that some endpoint of ours takes, for the answer to one that HTTP does not know. */
const METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS';

/** What Node's parser says of bytes that it refuses. */
export type Refused = { code?: string | undefined; rawPacket?: Buffer | undefined };

type Problem = { status: string; code: string; message: string; headers?: readonly string[] };

const TOO_LARGE: Problem = {
  status: '431 Request Header Fields Too Large',
  code: 'bad_request',
  message: 'The request headers are too large. Send fewer or shorter headers.',
};
const UNKNOWN_METHOD: Problem = {
  status: '405 Method Not Allowed',
  code: 'method_not_allowed',
  message: `This method is unknown here. Use one of ${METHODS}.`,
  headers: [`Allow: ${METHODS}`],
};
const NOT_HTTP: Problem = {
  status: '400 Bad Request',
  code: 'bad_request',
  message: 'This is not a valid HTTP request. Check how your client sends it.',
};

/**
 * The raw answer to bytes that Node's parser refuses, by its error. It carries a request id like every other answer:
 * the one that was sent, where the bytes have it.
 */
export const malformedAnswer = ({ code, rawPacket }: Refused): string => {
  const problem =
    code === 'HPE_HEADER_OVERFLOW' ? TOO_LARGE : REQUEST_LINE.test(textOf(rawPacket)) ? UNKNOWN_METHOD : NOT_HTTP;
  return rendered(problem, requestIdOf(sentIds(rawPacket)));
};

/** The raw answer to CONNECT, which Node leaves to us to refuse. */
export const connectAnswer = ({ rawHeaders }: RawRequest): string =>
  rendered(
    UNKNOWN_METHOD,
    requestIdOf(rawHeaders.filter((_one, at) => rawHeaders[at - 1]?.toLowerCase() === 'x-request-id')),
  );

const rendered = ({ status, code, message, headers = [] }: Problem, requestId: string): string => {
  const body = JSON.stringify({ error: { code, message } });
  const lines = [
    `HTTP/1.1 ${status}`,
    `x-request-id: ${requestId}`,
    `Content-Type: ${JSON_TYPE}`,
    'Cache-Control: no-store',
    'X-Content-Type-Options: nosniff',
    ...headers,
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ];
  return `${lines.join('\r\n')}\r\n\r\n${body}`;
};

/** A request line that only its method can be wrong with. */
const REQUEST_LINE = /^[\w!#$%&'*+.^`|~-]+ \S+ HTTP\/1\.[01]\r\n/;

const textOf = (packet: Buffer | undefined): string => packet?.toString('latin1') ?? '';

/** The values of x-request-id among bytes that are no request, or only its start. */
const sentIds = (packet: Buffer | undefined): string[] =>
  [...textOf(packet).matchAll(/\r\nx-request-id:[ \t]*([^\r\n]*?)[ \t]*(?=\r\n)/gi)].map(([, id = '']) => id);
