// @night: an outside suite of forty scenarios, against endpoints that have tests beside them.
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { AUTHORIZATION_BASELINE, ask, expectedOf, runAuthorizationSuite } from '@cds/gateway/testing';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser, BrowserContext } from 'playwright-core';
import { ownerSession } from '../../tools/lib/owner-session.js';
import { aBrand, type SharedStack, sharedStack } from '../support/stack.js';
import { launchBrowser, openView } from './browser.js';
import { allow } from './newcomer.js';

/** A port that nobody listens at; the suite opens it a moment later. */
const aFreePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
};

/** Those of a server are in services/gateway/src/edge/mcp/conformance.test.ts. */
describe("the protocol's conformance suite finds on the authorization server only what the baseline names", () => {
  let stack: SharedStack;
  let browser: Browser;
  let context: BrowserContext;

  beforeAll(async () => {
    [stack, browser] = await Promise.all([sharedStack(), launchBrowser()]);
    const { live } = await aBrand(stack);
    const cookie = await ownerSession(stack, live.name);
    context = await openView(browser, { url: stack.appUrl, scripts: false, cookie });
  }, 240_000);
  afterAll(() => browser?.close());

  test.each([
    ['2025-11-25', 'mcpUrl'],
    ['2026-07-28', 'mcpUrl'],
    ['2026-07-28', 'apiUrl'],
  ] as const)(
    'in revision %s, for %s',
    async (revision, of) => {
      const port = await aFreePort();
      const name = 'The conformance suite';
      const body = { client_name: name, redirect_uris: [`http://127.0.0.1:${port}/callback`] };
      const registered = await ask(stack.appUrl, '/connect/register', { method: 'POST', body });
      const { client_id: clientId } = registered.json as { client_id: string };
      const client = { issuer: stack.appUrl, clientId, resource: stack[of], port };
      const failed = await runAuthorizationSuite(client, revision, async (url) => {
        const page = await context.newPage();
        await page.goto(url);
        await allow(page, name);
        await page.waitForURL(/callback/);
        await page.close();
      });
      expect(failed).toEqual(expectedOf(AUTHORIZATION_BASELINE, revision));
    },
    120_000,
  );
});
