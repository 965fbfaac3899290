// @night: the official clients in a browser; every answer that they read has tests beside it.
import { proves } from '@cds/contracts/testing';
import {
  aClient,
  authorizePath,
  type Brand,
  type EdgeApp,
  makeBrand,
  signIn as signInTo,
  startEdgeApp,
} from '@cds/gateway/testing';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { type PythonRun, runPythonClient, testInPython } from '../support/python-client.js';
import { type Era, type SigningClient, signingClient } from '../support/signing-client.js';
import { anIdempotencyKey, type SharedStack, sharedStack } from '../support/stack.js';
import { launchBrowser, openView, overflowOf, picture, VIEWS, violationsOf } from './browser.js';
import { allow, aNewcomer, type Newcomer } from './newcomer.js';

const DAY_MS = 86_400_000;
const dayAhead = (days: number): string => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);

/** A person and a client take some seconds; a busy machine takes many times as long. */
const LIMIT_MS = 240_000;

describe('an MCP client without a credential, and a person in a browser', () => {
  let stack: SharedStack;
  let browser: Browser;
  let context: BrowserContext;
  let maya: Newcomer;

  beforeAll(async () => {
    [stack, browser] = await Promise.all([sharedStack(), launchBrowser()]);
    context = await openView(browser, { url: stack.appUrl, scripts: false });
    maya = await aNewcomer(stack);
  }, LIMIT_MS);
  afterAll(() => browser?.close());

  const campaign = () => ({
    goal: 'launch',
    product: 'Orbit, an AI pair for founders',
    audience: 'startup founders and AI builders',
    moment: 'Orbit goes live on the first day of the window',
    window_start: dayAhead(5),
    window_end: dayAhead(30),
    budget_usd: 3_000,
  });

  /** Starts a campaign and signs its plan. */
  const signPlan = async (client: SigningClient): Promise<{ payment: { url: string } }> => {
    const call = async <T>(tool: string, args: Record<string, unknown>): Promise<T> => {
      const result = await client.call(tool, args);
      expect({ tool, refused: result.isError ? result.text : null }).toEqual({ tool, refused: null });
      return result.value as T;
    };
    const started = await call<{ plan: { plan_id: string } }>('create_campaign', {
      ...campaign(),
      idempotency_key: anIdempotencyKey(),
    });
    const id = started.plan.plan_id;
    const quote = await call<{ terms_fingerprint: string }>('plan_quote', { id });
    return call('approve_plan', {
      id,
      terms_fingerprint: quote.terms_fingerprint,
      idempotency_key: anIdempotencyKey(),
    });
  };

  const CLIENTS: [Era, (page: Page) => Promise<void>][] = [
    [
      '2026-07-28',
      async (page) => {
        await maya.signIn(page);
        await maya.makeKey(page);
      },
    ],
    ['2025-11-25', async () => undefined],
  ];

  test.each(CLIENTS)(
    'of %s goes from a 401 to a signed plan',
    async (era, before) => {
      const client = await signingClient(era, stack.mcpUrl, `Agent of ${era}`, async (url) => {
        const page = await context.newPage();
        await page.goto(url.href);
        await page.getByText(`Agent of ${era}`).first().waitFor();
        await before(page);
        await allow(page, `Agent of ${era}`);
        await page.getByText('You can close this window.').waitFor();
        await page.close();
      });
      proves('mcp.sign-in', 'mcp.sign-in-key');
      expect(await client.tools()).toHaveLength(20);
      const signed = await signPlan(client);
      expect(signed.payment.url).toContain('/pay/');

      const { access_token: token } = client.tokens();
      const rest = await fetch(`${stack.apiUrl}/inventory`, { headers: { authorization: `Bearer ${token}` } });
      expect(rest.status).toBe(401);
      await client.close();
    },
    LIMIT_MS,
  );

  /**
   * The Python client of `tools/lib/outside.ts` speaks both protocols. The brand starts three campaigns a day,
   * so the second of these only reads.
   */
  const IN_PYTHON: [PythonRun['mode'], Era, 'sign' | 'read'][] = [
    ['auto', '2026-07-28', 'sign'],
    ['legacy', '2025-11-25', 'read'],
  ];

  testInPython.each(IN_PYTHON)(
    'in Python (%s, %s) goes from a 401 to a tool call',
    async (mode, era, does) => {
      const name = `Python agent of ${era}`;
      const run = { url: stack.mcpUrl, name, mode, key: anIdempotencyKey() };
      const got = await runPythonClient({ ...run, campaign: does === 'sign' ? campaign() : null }, async (url) => {
        const page = await context.newPage();
        await page.goto(url);
        await allow(page, name);
        await page.getByText('You can close this window.').waitFor();
        await page.close();
      });
      expect(got).toMatchObject({ revision: era, tools: 20, channels: expect.arrayContaining(['x_creators']) });
      if (does === 'sign') expect(got.payment_url).toContain('/pay/');
      const rest = await fetch(`${stack.apiUrl}/inventory`, { headers: { authorization: `Bearer ${got.token}` } });
      expect(rest.status).toBe(401);
    },
    LIMIT_MS,
  );
});

describe('the pages of a sign-in, in a browser', () => {
  let edge: EdgeApp;
  let browser: Browser;
  let brand: Brand;
  let cookie: string;
  beforeAll(async () => {
    [edge, browser] = await Promise.all([startEdgeApp('browser_connect'), launchBrowser()]);
    brand = await makeBrand(edge, { name: 'Acme Robotics' });
    ({ cookie } = await signInTo(edge, brand, 'owner'));
  }, LIMIT_MS);
  afterAll(() => Promise.all([edge?.stop(), browser?.close()]));

  const NAME = 'The-agent-of-the-whole-marketing-department-of-Überlingen-am-Bodensee';
  const begun = async () => authorizePath(await aClient(edge.url, { client_name: NAME }));

  describe.each(VIEWS)('on a %s in %s', (size, theme) => {
    const shown = async (page: Page, name: string, heading: string): Promise<void> => {
      await page.getByRole('heading', { level: 1, name: heading }).waitFor();
      await picture(page, name, size, theme);
      expect(await violationsOf(page)).toEqual([]);
      expect(await overflowOf(page)).toBe(0);
    };

    test('somebody who is signed in decides', async () => {
      const context = await openView(browser, { size, theme, url: edge.url, cookie });
      const page = await context.newPage();
      await page.goto('/connect');
      await shown(page, 'connect-by-hand', 'Connect an agent');
      await page.goto(await begun());
      await shown(page, 'connect-decide', `Connect ${NAME}?`);
      await page.getByRole('link', { name: 'Make a new key for it' }).click();
      await shown(page, 'connect-key', `A key for ${NAME}`);
      await page.getByRole('link', { name: 'Cancel' }).click();
      // The client's own address does not answer, so the browser stays on the last page.
      await context.route('**/callback?*', (route) => route.abort());
      await page.getByRole('button', { name: 'Refuse' }).click();
      await page.waitForURL(/callback|connect/);
      await context.close();
    });

    test('somebody who is not signed in is asked to', async () => {
      const context = await openView(browser, { size, theme, url: edge.url });
      const page = await context.newPage();
      await page.goto(await begun());
      await shown(page, 'connect-sign-in', `Connect ${NAME}`);
      await page.goto('/connect/ask/nobody-began-this');
      await shown(page, 'connect-ended', 'Not found');
      await page.goto('/connect?client_id=nobody');
      await shown(page, 'connect-wrong', 'Invalid request');
      await context.close();
    });
  });
});
