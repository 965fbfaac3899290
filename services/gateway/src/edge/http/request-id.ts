import { randomBytes } from 'node:crypto';
import { TOKEN_PATTERN } from '@cds/contracts';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const MADE_LENGTH = 26;

const makeRequestId = (): string => {
  let id = 'req_';
  for (const byte of randomBytes(MADE_LENGTH)) id += ALPHABET.charAt(byte % ALPHABET.length);
  return id;
};

/** One valid value is echoed, anything else replaced (docs/domain/requests.md#every-request, I50). */
export const requestIdOf = (sent: readonly string[]): string => {
  const [only] = sent;
  return sent.length === 1 && only !== undefined && TOKEN_PATTERN.test(only) ? only : makeRequestId();
};
