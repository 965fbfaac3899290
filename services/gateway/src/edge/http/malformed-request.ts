import { JSON_TYPE } from './answer.js';
import { makeRequestId } from './request-id.js';

/** The raw answer to bytes that are no HTTP request; it carries a request id like every other answer. */
export const unreadableAnswer = (headersTooLarge: boolean): string => {
  const [status, message] = headersTooLarge
    ? ['431 Request Header Fields Too Large', 'The headers of this request are too large. Send fewer or shorter ones.']
    : ['400 Bad Request', 'This is not a readable HTTP request. Check how it is sent.'];
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
