import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  Client as NewClient,
  StreamableHTTPClientTransport as NewTransport,
  UnauthorizedError as NewUnauthorized,
} from '@modelcontextprotocol/client';
import { UnauthorizedError as OldUnauthorized } from '@modelcontextprotocol/sdk/client/auth.js';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

/** Where a client takes its answer: a server of its own on the loopback interface, for one answer. */
const listener = async (): Promise<{ address: string; answer: Promise<URLSearchParams>; close: () => void }> => {
  let take = (_answer: URLSearchParams): void => undefined;
  const answer = new Promise<URLSearchParams>((resolve) => {
    take = resolve;
  });
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://localhost');
    response.end('You can close this window.');
    if (url.pathname === '/callback') take(url.searchParams);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback`;
  return { address, answer, close: () => void server.close() };
};

/** What the official clients keep between the steps of a sign-in, as a program that embeds them does. */
const keeper = (name: string, redirectUrl: string, opened: (url: URL) => void) => {
  const kept: Record<string, unknown> = {};
  const saves = (what: string) => (value: unknown) => {
    kept[what] = value;
  };
  return {
    redirectUrl,
    clientMetadata: { client_name: name, redirect_uris: [redirectUrl] },
    clientInformation: () => kept['client'],
    saveClientInformation: saves('client'),
    tokens: () => kept['tokens'],
    saveTokens: saves('tokens'),
    codeVerifier: () => kept['verifier'],
    saveCodeVerifier: saves('verifier'),
    state: () => 'state-of-this-client',
    redirectToAuthorization: opened,
    discoveryState: () => kept['discovery'],
    saveDiscoveryState: saves('discovery'),
  };
};

export type SignedResult = { isError: boolean; text: string; value: unknown };

export type SigningClient = {
  tools: () => Promise<string[]>;
  call: (tool: string, args: Record<string, unknown>) => Promise<SignedResult>;
  tokens: () => { access_token: string; refresh_token: string };
  close: () => Promise<void>;
};

type Transport = { finishAuth: (code: string, iss?: string) => Promise<void> };
type Connected = {
  connect: (transport: never) => Promise<void>;
  listTools: () => Promise<{ tools: { name: string }[] }>;
  callTool: (call: { name: string; arguments: Record<string, unknown> }) => Promise<Record<string, unknown>>;
  close: () => Promise<void>;
};

/** The official TypeScript clients of both revisions of the protocol, unchanged, with their own code for OAuth. */
const ERAS = {
  '2026-07-28': {
    Unauthorized: NewUnauthorized,
    client: (name: string) =>
      new NewClient({ name, version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } }) as unknown as Connected,
    transport: (url: URL, authProvider: unknown) =>
      new NewTransport(url, { authProvider: authProvider as never }) as unknown as Transport,
  },
  '2025-11-25': {
    Unauthorized: OldUnauthorized,
    client: (name: string) => new OldClient({ name, version: '1.0.0' }) as unknown as Connected,
    transport: (url: URL, authProvider: unknown) =>
      new OldTransport(url, { authProvider: authProvider as never }) as unknown as Transport,
  },
} as const;

export type Era = keyof typeof ERAS;

/**
 * Connects a client that has no credential. `decide` is what its person does in the browser at the address that the
 * client opens; it ends when the client has its answer.
 */
export const signingClient = async (
  era: Era,
  mcpUrl: string,
  name: string,
  decide: (url: URL) => Promise<void>,
): Promise<SigningClient> => {
  const { Unauthorized, client: make, transport: over } = ERAS[era];
  const back = await listener();
  try {
    let opened: URL | undefined;
    const provider = keeper(name, back.address, (url) => {
      opened = url;
    });
    const first = over(new URL(mcpUrl), provider);
    const refused = await make(name)
      .connect(first as never)
      .then(() => null)
      .catch((error: unknown) => error);
    if (!(refused instanceof Unauthorized) || opened === undefined)
      throw new Error('the client did not ask for a sign-in', { cause: refused });

    await decide(opened);
    const answer = await back.answer;
    if (answer.get('state') !== 'state-of-this-client') throw new Error(`a wrong answer: ${answer}`);
    await first.finishAuth(answer.get('code') ?? '', answer.get('iss') ?? undefined);

    const client = make(name);
    await client.connect(over(new URL(mcpUrl), provider) as never);
    return {
      tools: async () => (await client.listTools()).tools.map((tool) => tool.name),
      call: async (tool, args) => {
        const result = await client.callTool({ name: tool, arguments: args });
        const [content] = (result['content'] ?? []) as { text: string }[];
        return { isError: result['isError'] === true, text: content?.text ?? '', value: result['structuredContent'] };
      },
      tokens: () => provider.tokens() as { access_token: string; refresh_token: string },
      close: () => client.close(),
    };
  } finally {
    back.close();
  }
};
