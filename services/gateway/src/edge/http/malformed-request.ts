import { JSON_TYPE } from './answer.js';
import { makeRequestId } from './request-id.js';

/** The raw answer to bytes that are not an HTTP request. It carries a request id like every other answer. */
export const malformedAnswer = (headersTooLarge: boolean): string => {
  const [status, message] = headersTooLarge
    ? ['431 Request Header Fields Too Large', 'The request headers are too large. Send fewer or shorter headers.']
    : ['400 Bad Request', 'This is not a valid HTTP request. Check how your client sends it.'];
  const body = JSON.stringify({ error: { code: 'bad_request', message } });
  const lines = [
    `HTTP/1.1 ${status}`,
    `x-request-id: ${makeRequestId()}`,
    `Content-Type: ${JSON_TYPE}`,
    'Cache-Control: no-store',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ];
  return `${lines.join('\r\n')}\r\n\r\n${body}`;
};
