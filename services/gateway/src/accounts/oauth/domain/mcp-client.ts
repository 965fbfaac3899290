import { cleanText, hiddenIn, isVisible, type Problem } from '@cds/contracts';

/** What a client says of itself, as far as we keep it; nothing is verified (docs/domain/sign-in.md#mcp-sign-in). */
export type ClientSays = { name: string; redirectUris: string[]; website: string | null };

const MOST_REDIRECTS = 10;
const LONGEST_REDIRECT = 500;
const LONGEST_NAME = 80;

const LOOPBACK: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Editors whose scheme is one short word, which any program could claim. */
const EDITOR_SCHEMES: ReadonlySet<string> = new Set(['cursor:', 'vscode:', 'vscode-insiders:', 'windsurf:']);

/** A scheme that a program owns by the domain it is named after, such as com.example.app (RFC 8252 section 7.1). */
const PRIVATE_USE = /^[a-z][a-z0-9+-]*(?:\.[a-z0-9+-]+)+:$/;

const opensProgram = (protocol: string): boolean => EDITOR_SCHEMES.has(protocol) || PRIVATE_USE.test(protocol);

const ACCEPTED = [
  'https',
  'http on the loopback interface',
  'a private-use scheme with a dot, such as com.example.app:/oauth/callback',
  `or the scheme of an editor (${[...EDITOR_SCHEMES].join(', ')})`,
].join(', ');

/** Control and format characters, which would make a name look like another. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Co}\p{Zl}\p{Zp}]+/gu;

/** Whether a sign-in may end at this address: https, loopback, or a program's own scheme. */
export const mayRedirectTo = (address: unknown): address is string => {
  if (typeof address !== 'string' || address.length > LONGEST_REDIRECT || !URL.canParse(address)) return false;
  if (hiddenIn(address) !== null) return false;
  const { protocol, hostname, username, password, hash } = new URL(address);
  if (username !== '' || password !== '' || hash !== '' || address.includes('#')) return false;
  if (protocol === 'https:') return !LOOPBACK.has(hostname);
  return (protocol === 'http:' && LOOPBACK.has(hostname)) || opensProgram(protocol);
};

/** Where an address leads, as a person reads it: its host, or what the scheme opens. */
export const redirectHost = (address: string): string => {
  const { protocol, host, hostname } = new URL(address);
  if (EDITOR_SCHEMES.has(protocol)) return `${protocol}//, a program on this device`;
  if (PRIVATE_USE.test(protocol)) return `${protocol}, a program on this device`;
  return LOOPBACK.has(hostname) ? 'a program on this device' : host;
};

const nameOf = (sent: unknown): string => {
  const name = typeof sent === 'string' ? cleanText(sent.toWellFormed().replace(INVISIBLE, ' ')) : '';
  if (!isVisible(name)) return '';
  return Array.from(name.replace(/\s+/g, ' ').trim()).slice(0, LONGEST_NAME).join('').trim();
};

const websiteOf = (sent: unknown): string | null =>
  typeof sent === 'string' && sent.length <= LONGEST_REDIRECT && /^https:\/\//.test(sent) && URL.canParse(sent)
    ? sent
    : null;

/** What a client says of itself, or why it cannot sign in. What we do not use is left out. */
export const clientSays = (sent: Record<string, unknown>): ClientSays | { problem: Problem } => {
  const { redirect_uris: redirects } = sent;
  if (!Array.isArray(redirects) || redirects.length === 0 || redirects.length > MOST_REDIRECTS)
    return { problem: { field: 'redirect_uris', message: `must be 1 to ${MOST_REDIRECTS} addresses` } };
  if (!redirects.every(mayRedirectTo))
    return { problem: { field: 'redirect_uris', message: `must be ${ACCEPTED}; without credentials or a fragment` } };
  const name = nameOf(sent['client_name']);
  return {
    name: name === '' ? 'A client without a name' : name,
    redirectUris: redirects,
    website: websiteOf(sent['client_uri']),
  };
};
