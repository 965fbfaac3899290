import { randomUUID } from 'node:crypto';
import { BRAND_ROLES, type BrandRole } from '@cds/contracts';
import { pageRoutes } from '@cds/pages';
import {
  aCreatorProposal,
  aLinkToken,
  anOrder,
  aPayPage,
  aRefundedOrder,
  CREATOR_PROPOSALS,
  PAY_PAGES,
} from '@cds/pages/testing';
import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { crawl } from '../test/crawl.js';
import { type Brand, makeBrand } from '../test/edge-app.js';
import { formBrowser } from '../test/forms.js';
import { ask, freshKey } from '../test/http.js';
import { aClient, openSignIn, signedIn } from '../test/mcp-client.js';
import { type SignedIn, signIn } from '../test/people.js';
import { testEdge } from '../test/suite.js';

const APP_URL = 'http://app.test';
const REFUNDED = '99999999-9999-4999-8999-999999999999';

/** The pages behind a sign-in or a secret link, opened by those who have it (docs/domain/pages.md#pages). */
describe('the links of pages that not everybody sees', () => {
  const edge = testEdge('signed_in_links');
  let brand: Brand;
  let people: Record<BrandRole, SignedIn>;

  const send = (path: string, cookie: string, body: object, method = 'POST') =>
    ask(edge.url, path, { method, cookie, body, headers: { 'idempotency-key': freshKey() } });

  beforeAll(async () => {
    brand = await makeBrand(edge);
    const signed = await Promise.all(BRAND_ROLES.map(async (role) => [role, await signIn(edge, brand, role)] as const));
    people = Object.fromEntries(signed) as Record<BrandRole, SignedIn>;

    const orders = [anOrder(), aRefundedOrder({ id: REFUNDED })];
    edge.answer('orders_list', (_ctx, { cursor }) => ({ orders, next: cursor === undefined ? 'c2' : null }));
    edge.answer('order_get', (_ctx, { id }) => orders.find((order) => order.id === id));
    edge.answer('pay_page', () =>
      aPayPage({ payment_state: 'paid', options: [], paid_at: '2026-11-24T10:00:00.000Z' }),
    );

    const { cookie } = people.owner;
    const key = brand.live['full'] ?? '';
    for (const path of ['inventory', 'nothing-here']) await ask(edge.url, `/api/v1/${path}`, { key });
    await edge.flushLog();
    await send('/api/brand/members', cookie, { email: `${randomUUID()}@people.example`, role: 'viewer' });
    const hook = await send('/api/brand/webhooks', cookie, { url: 'https://hooks.receivers.net/in' });
    const { id } = (hook.json as { webhook: { id: string } }).webhook;
    await send(`/api/brand/webhooks/${id}/test`, cookie, {});
    await edge.changeKeys({ key_id: brand.ids['full'] }, { may_delegate: true });
    const child = { name: 'helper', scopes: ['campaigns:read'], expires_at: new Date(Date.now() + 3_600_000) };
    const made = await ask(edge.url, '/api/v1/keys/children', {
      method: 'POST',
      key,
      body: child,
      headers: { 'idempotency-key': freshKey() },
    });
    await send(`/api/brand/keys/${brand.ids['muted']}/revoke`, cookie, {});
    await signedIn(formBrowser(edge.url, cookie), await aClient(edge.url), brand.ids['full'] ?? '');
    expect([hook.status, made.status]).toEqual([201, 201]);
  });
  // A test opens more pages than one address may in a minute.
  beforeEach(() => edge.counters.reset());

  /** Every link of the Developers area, and of what it leads to; the documents have a test of their own. */
  const linksFor = (cookie: string, from: readonly string[] = ['/developers']) =>
    crawl(edge.url, APP_URL, from, {
      cookie,
      reads: (path) => !/^\/(?:docs|changelog|llms|openapi|sitemap)\b/.test(path),
    });

  /** The pages of the Developers area that nobody led to. */
  const unseenOf = (visited: ReadonlySet<string>): string[] => {
    const paths = [...visited].map((path) => path.split('?')[0] ?? path);
    const pages = pageRoutes(edge.edge.library, false).flatMap(({ path, method }) =>
      method === 'GET' && path.startsWith('/developers') ? [path] : [],
    );
    expect(pages.length).toBeGreaterThan(15);
    return pages.filter((page) => {
      const form = new RegExp(`^${page.replaceAll(/\{\w+\}/g, '[^/]+')}$`);
      return !paths.some((path) => form.test(path));
    });
  };

  test.each(BRAND_ROLES)(
    'all lead somewhere for a person with the role %s, and those of an owner to every page',
    async (role) => {
      const { broken, outside, visited } = await linksFor(people[role].cookie);
      expect({ broken, outside }).toEqual({ broken: [], outside: [] });
      expect(visited).toContain('/developers/orders');
      if (role === 'owner') expect(unseenOf(visited)).toEqual([]);
    },
    120_000,
  );

  test('all lead somewhere from the way of a client to its key', async () => {
    const browser = formBrowser(edge.url, people.owner.cookie);
    const begun = await openSignIn(browser, await aClient(edge.url));
    const cookie = [...browser.cookies].map((pair) => pair.join('=')).join('; ');
    const { broken, outside } = await linksFor(cookie, [begun]);
    expect({ broken, outside }).toEqual({ broken: [], outside: [] });
  });

  const opened = async (path: string, reads: RegExp) => {
    const { broken, outside } = await crawl(edge.url, APP_URL, [path], { reads: (page) => reads.test(page) });
    expect({ broken, outside }).toEqual({ broken: [], outside: [] });
  };

  test.each(Object.keys(PAY_PAGES))('all lead somewhere from the payment page of an order: %s', async (state) => {
    edge.answer('pay_page', () => aPayPage(PAY_PAGES[state]));
    await opened(`/pay/${'a'.repeat(43)}`, /^\/pay\//);
  });

  test.each(Object.keys(CREATOR_PROPOSALS))('all lead somewhere from the page of a proposal: %s', async (state) => {
    edge.answer('creator_proposal', () => aCreatorProposal(CREATOR_PROPOSALS[state]));
    await opened(`/creator/${aLinkToken()}`, /^\/creator\//);
  });

  test('all lead somewhere from the links of messages', async () => {
    for (const email of [people.viewer.email, people.admin.email])
      await ask(edge.url, '/api/brand/sign-in', { method: 'POST', body: { email } });
    const messages = await edge.people.messages.rows.find({ blank: false }).toArray();
    const links = messages.flatMap((message) => edge.people.messages.linkOf(message) ?? []);
    const paths = [...new Set(links.map((link) => new URL(link).pathname))];
    expect(links.filter((link) => !link.startsWith(`${APP_URL}/`))).toEqual([]);
    expect(paths.length).toBeGreaterThan(1);
    const { broken, outside } = await crawl(edge.url, APP_URL, paths, { reads: () => false });
    expect({ broken, outside }).toEqual({ broken: [], outside: [] });
  });
});
