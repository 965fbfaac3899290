import { describe, expect, test } from '@jest/globals';
import { clientSays, mayRedirectTo, redirectHost } from './mcp-client.js';

describe('where a sign-in may end (docs/domain/sign-in.md#mcp-sign-in)', () => {
  test.each([
    'https://agent.example/callback',
    'https://agent.example:8443/callback?a=b',
    'http://localhost/callback',
    'http://127.0.0.1:49152/callback',
    'http://[::1]:8080/',
    'cursor://anysphere.cursor-mcp/oauth/callback',
    'vscode://vscode.github-authentication/did-authenticate',
    'com.example.app:/oauth/callback',
    'COM.Example.App:/oauth/callback',
    'io.agent-shop.desktop://callback',
  ])('%s is taken', (address) => expect(mayRedirectTo(address)).toBe(true));

  test.each([
    'http://agent.example/callback',
    'http://127.0.0.1.agent.example/',
    'https://localhost/callback',
    'https://user:secret@agent.example/',
    'https://agent.example/#part',
    'https://agent.example/#',
    'javascript:alert(1)',
    'data:text/html,x',
    'file:///etc/passwd',
    'myapp://callback',
    'com.example.app:/callback#part',
    'com.example.app:/call\u202Eback',
    'https://agent\u200B.example/callback',
    '.com:/callback',
    '/callback',
    `https://agent.example/${'a'.repeat(500)}`,
    '',
    7,
    null,
  ])('%s is refused', (address) => expect(mayRedirectTo(address)).toBe(false));

  test.each([
    ['https://agent.example:8443/callback', 'agent.example:8443'],
    ['http://127.0.0.1:49152/callback', 'a program on this device'],
    ['cursor://anysphere.cursor-mcp/oauth/callback', 'cursor://, a program on this device'],
    ['com.example.app:/oauth/callback', 'com.example.app:, a program on this device'],
  ])('a person reads %s as %s', (address, words) => expect(redirectHost(address)).toBe(words));
});

describe('what a client says of itself', () => {
  const redirect_uris = ['https://agent.example/callback'];

  test.each([
    ['  Two   words ', 'Two words'],
    ['right\u202eto\u0000left', 'right to left'],
    ['a'.repeat(200), 'a'.repeat(80)],
    [`${'a'.repeat(79)}😀😀`, `${'a'.repeat(79)}😀`],
    ['e\u0301'.repeat(80), 'é'.repeat(80)],
    ['A\u{E0131}gent\u{E0132}\u3164 1', 'Agent 1'],
    ['\u3164\u2800\u{1D159}\uFE0F\u0301', 'A client without a name'],
    ['', 'A client without a name'],
    [7, 'A client without a name'],
  ])('%j is shown as %s', (client_name, name) => {
    expect(clientSays({ client_name, redirect_uris })).toMatchObject({ name });
  });

  test.each([
    ['https://agent.example', 'https://agent.example'],
    ['http://agent.example', null],
    ['javascript:alert(1)', null],
    [undefined, null],
  ])('its website %s is kept as %s', (client_uri, website) => {
    expect(clientSays({ client_uri, redirect_uris })).toMatchObject({ website });
  });

  test.each([
    [undefined],
    [[]],
    ['https://agent.example/callback'],
    [Array(11).fill(redirect_uris[0])],
    [['ftp://x.example']],
  ])('addresses %j are a problem', (sent) => {
    expect(clientSays({ redirect_uris: sent })).toMatchObject({ problem: { field: 'redirect_uris' } });
  });
});
