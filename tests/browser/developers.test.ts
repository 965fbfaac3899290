// @night: the pages have tests beside them; a browser adds widths, keyboards and accessibility.
import { conflict } from '@cds/contracts';
import {
  anOrder,
  aRefundedOrder,
  type Brand,
  type EdgeApp,
  freshKey,
  makeBrand,
  signIn,
  startEdgeApp,
} from '@cds/gateway/testing';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import {
  aPage,
  closePages,
  launchBrowser,
  lookAt,
  openPage,
  overflowOf,
  picture,
  VIEWS,
  type View,
  violationsOf,
} from './browser.js';

const LONG = 'The-agent-of-the-whole-marketing-department-of-Überlingen-am';

const REFUNDED = '99999999-9999-4999-8999-999999999999';

/** Makes keys as a person does over the API. */
const makeKeys = async (edge: EdgeApp, cookie: string, names: readonly string[]): Promise<string[]> => {
  const ids: string[] = [];
  for (const name of names) {
    const made = await fetch(`${edge.url}/api/brand/keys`, {
      method: 'POST',
      headers: { cookie, origin: edge.url, 'content-type': 'application/json', 'idempotency-key': freshKey() },
      body: JSON.stringify({ name, scopes: ['inventory:read', 'campaigns:write', 'plans:approve'] }),
    });
    if (made.status !== 201) throw new Error(`no key: ${made.status} ${await made.text()}`);
    ids.push(((await made.json()) as { key: { id: string } }).key.id);
  }
  return ids;
};

/** Makes an endpoint with deliveries in every state, as they are left after some time. */
const makeWebhook = async (edge: EdgeApp, cookie: string): Promise<string> => {
  const post = (path: string, body: object) =>
    fetch(`${edge.url}/api/brand/webhooks${path}`, {
      method: 'POST',
      headers: { cookie, origin: edge.url, 'content-type': 'application/json', 'idempotency-key': freshKey() },
      body: JSON.stringify(body),
    });
  const url = `https://hooks.receivers.net/${'a-long-way/'.repeat(12)}`;
  const made = await post('', { url, kinds: ['plan.approved', 'order.paid'] });
  if (made.status !== 201) throw new Error(`no endpoint: ${made.status} ${await made.text()}`);
  const { id } = ((await made.json()) as { webhook: { id: string } }).webhook;
  for (let n = 0; n < 3; n += 1) await post(`/${id}/test`, {});
  const rows = edge.shell.store.db.collection<{ endpoint_id: string }>('webhook_deliveries');
  const [first, second] = await rows.find({ endpoint_id: id }).toArray();
  const at = new Date(Date.now() - 60_000);
  const attempt = (status: number | null, problem: string | null) => ({ at, status, problem, duration_ms: 231 });
  const set = (row: typeof first, state: string, attempts: object[]) =>
    rows.updateOne({ _id: row?._id as never }, { $set: { state, attempts } } as never);
  await set(first, 'delivered', [attempt(null, 'timeout'), attempt(200, null)]);
  await set(second, 'failed', [attempt(503, 'status')]);
  return id;
};

describe('the Developers area, in a browser', () => {
  let edge: EdgeApp;
  let browser: Browser;
  let brand: Brand;
  let cookie: string;
  let keyId: string;
  let webhookId: string;
  beforeAll(async () => {
    [edge, browser] = await Promise.all([startEdgeApp('browser_developers'), launchBrowser()]);
    brand = await makeBrand(edge, { name: 'Acme Robotics' });
    ({ cookie } = await signIn(edge, brand, 'owner'));
    [keyId = ''] = await makeKeys(edge, cookie, [LONG]);
    const used = brand.live['full'] ?? '';
    for (const path of ['inventory', 'campaigns', 'inventory', 'nothing-here', 'plans/x/quote'])
      await fetch(`${edge.url}/api/v1/${path}`, { headers: { authorization: `Bearer ${used}` } });
    await edge.flushLog();
    await signIn(edge, brand, 'viewer');
    webhookId = await makeWebhook(edge, cookie);
    const orders = [anOrder(), aRefundedOrder({ id: REFUNDED, campaign: LONG })];
    edge.answer('orders_list', (_ctx, { payment_state }) => ({
      orders: payment_state === 'paid' ? [] : orders,
      next: 'c2',
    }));
    edge.answer('order_get', (_ctx, { id }) => orders.find((order) => order.id === id));
  });
  afterAll(() => Promise.all([edge.stop(), browser.close()]));
  afterEach(closePages);

  const pages: [name: string, path: () => string, heading: string][] = [
    ['keys', () => '/developers', 'Keys'],
    ['keys-ended', () => '/developers?show=ended', 'Keys'],
    ['key-new', () => '/developers/keys/new', 'New key'],
    ['sandbox-new', () => '/developers/sandboxes/new', 'New sandbox'],
    ['key', () => `/developers/keys/${brand.ids['full']}`, 'full'],
    ['key-long', () => `/developers/keys/${keyId}`, LONG],
    ['key-terms', () => `/developers/keys/${brand.ids['full']}/terms`, 'Brand terms 2026-11-01'],
    ['key-revoke', () => `/developers/keys/${keyId}/revoke`, `Revoke “${LONG}”?`],
    ['usage', () => '/developers/usage', 'Usage'],
    ['orders', () => '/developers/orders', 'Orders'],
    ['orders-none', () => '/developers/orders?state=paid', 'Orders'],
    ['order', () => `/developers/orders/${anOrder().id}`, anOrder().campaign],
    ['order-refunded', () => `/developers/orders/${REFUNDED}`, LONG],
    [
      'order-cancel',
      () => `/developers/orders/${anOrder().id}/cancel`,
      `Cancel the order for “${anOrder().campaign}”?`,
    ],
    ['webhooks', () => '/developers/webhooks', 'Webhooks'],
    ['webhook-new', () => '/developers/webhooks/new', 'New webhook endpoint'],
    ['webhook', () => `/developers/webhooks/${webhookId}`, 'hooks.receivers.net'],
    ['webhook-rotate', () => `/developers/webhooks/${webhookId}/rotate`, 'A new secret for hooks.receivers.net?'],
    ['webhook-delete', () => `/developers/webhooks/${webhookId}/delete`, 'Delete the endpoint at hooks.receivers.net?'],
    ['members', () => '/developers/members', 'Members'],
    ['terms', () => '/developers/terms', 'Brand terms 2026-11-01'],
    ['unknown', () => '/developers/keys/0b6cbb3e-6f0a-4f5e-9d5e-6a1b7b1b7b1b', 'Not found'],
  ];

  describe.each(VIEWS)('on a %s in %s', (size, theme) => {
    let view: View;
    beforeAll(async () => {
      view = await openPage(browser, { size, theme, url: edge.url, cookie });
    });
    afterAll(() => view.context.close());

    test.each(pages)('%s has no violation and does not scroll sideways', async (name, path, heading) => {
      expect(await lookAt(view, name, path())).toEqual({ heading, wrong: [], overflow: 0 });
    });
  });

  /** Makes a key in the form, by its labels, as a person does. */
  const makeInForm = async (page: Page, name: string): Promise<void> => {
    await page.goto('/developers/keys/new');
    await page.getByLabel('Name', { exact: true }).fill(name);
    await page.getByLabel(/^Work on campaigns/).check();
    await page.getByLabel(/^Sign plans/).check();
    await page.getByLabel('Set a mandate').check();
    await page.getByLabel('Most for one plan').fill('5,000');
    await page.getByLabel('Most in a month').fill('20000');
    await page.getByLabel('May sign plans').check();
    await page.getByRole('button', { name: 'Make the key' }).click();
  };

  describe.each([
    ['with scripts', true],
    ['without scripts', false],
  ])('%s', (_name, scripts) => {
    test('a sandbox is made beside the keys, and opened', async () => {
      // A session of its own, since it changes to the sandbox.
      const admin = await signIn(edge, brand, 'admin');
      const page = await aPage(browser, { url: edge.url, cookie: admin.cookie, scripts, size: 'phone' });
      await page.goto('/developers');
      await page.getByRole('link', { name: 'New sandbox' }).click();
      await page.getByRole('button', { name: 'Make the sandbox' }).click();
      await page.getByText('Copy the secret of its test key now').waitFor();
      if (scripts) expect([await violationsOf(page), await overflowOf(page)]).toEqual([[], 0]);
      await page.getByRole('button', { name: 'I have copied it: open the sandbox' }).click();
      await page.getByRole('link', { name: 'test', exact: true }).waitFor();
    });

    test('a key goes from its form to its end', async () => {
      const page = await aPage(browser, { url: edge.url, cookie, scripts });
      await makeInForm(page, `Planner ${scripts}`);
      const secret = await page.locator('#secret').innerText();
      expect(secret).toMatch(/^cds_live_[0-9A-Za-z]{12}_[0-9A-Za-z]{49}$/);
      if (scripts) {
        await picture(page, 'key-made', 'desktop', 'light');
        expect(await violationsOf(page)).toEqual([]);
      }
      const inventory = () =>
        fetch(`${edge.url}/api/v1/inventory`, { headers: { authorization: `Bearer ${secret}` } }).then((a) => a.status);
      expect(await inventory()).toBe(200);

      await page.getByRole('link', { name: 'open the key' }).click();
      await page.getByText('It cannot sign yet').waitFor();
      await page.getByText(/, by owner-\d+-\w+@people\.example$/).waitFor();
      await page.getByRole('link', { name: 'Read and accept the terms' }).click();
      await page.getByLabel('I have read these terms').check();
      await page.getByRole('button', { name: 'Accept the terms' }).click();
      await page.getByText('The terms are accepted for this key').waitFor();

      await page.getByLabel('Most for one plan').fill('six');
      await page.getByRole('button', { name: 'Change the mandate' }).click();
      expect(await page.getByLabel('Most for one plan').inputValue()).toBe('six');
      expect(await page.getByLabel('Most for one plan').getAttribute('aria-invalid')).toBe('true');
      await page.getByLabel('Most for one plan').fill('6000');
      await page.getByRole('button', { name: 'Change the mandate' }).click();
      await page.getByText('The mandate is set').waitFor();
      await page.getByText('Signs plans up to $6,000 each').waitFor();

      await page.getByLabel('Name', { exact: true }).fill(`Renamed ${scripts}`);
      await page.getByRole('button', { name: 'Save the settings' }).click();
      await page.getByRole('heading', { level: 1, name: `Renamed ${scripts}` }).waitFor();

      await page.locator('.head').getByText('Revoke', { exact: true }).click();
      await page.getByRole('button', { name: 'Revoke the key' }).click();
      await page.getByText('The key is revoked').waitFor();
      expect(await inventory()).toBe(401);
    }, 120_000);
  });

  test('50 keys are listed, and one more is refused with a reason and what was typed', async () => {
    const full = await makeBrand(edge, { name: 'Full house' });
    const owner = await signIn(edge, full, 'admin');
    const made = Object.keys(full.ids).length;
    await makeKeys(
      edge,
      owner.cookie,
      Array.from({ length: 50 - made }, (_none, at) => `agent ${at + 1}`),
    );
    for (const [size, theme] of VIEWS) {
      const page = await aPage(browser, { size, theme, url: edge.url, cookie: owner.cookie });
      await page.goto('/developers');
      await picture(page, 'keys-50', size, theme);
      expect(await page.locator('.key').count()).toBeGreaterThanOrEqual(50);
      expect(await overflowOf(page)).toBe(0);
    }
    const page = await aPage(browser, { url: edge.url, cookie: owner.cookie });
    await page.goto('/developers/keys/new');
    await page.getByLabel('Name', { exact: true }).fill('one too many');
    await page.getByRole('button', { name: 'Make the key' }).click();
    await page.getByRole('alert').waitFor();
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('one too many');
  }, 120_000);

  test('a form that is sent twice makes one key, and shows its secret again', async () => {
    const page = await aPage(browser, { url: edge.url, cookie });
    await makeInForm(page, 'Pressed twice');
    const secret = await page.locator('#secret').innerText();
    await page.reload();
    expect(await page.locator('#secret').innerText()).toBe(secret);
    await page.goto('/developers');
    expect(await page.getByRole('link', { name: 'Pressed twice' }).count()).toBe(1);
  });

  test('an owner invites, changes a role and removes, without scripts', async () => {
    const page = await aPage(browser, { url: edge.url, cookie, scripts: false });
    await page.goto('/developers/members');
    await page.getByLabel('Email').fill('not an address');
    await page.getByRole('button', { name: 'Send the invitation' }).click();
    expect(await page.getByLabel('Email').inputValue()).toBe('not an address');
    await page.getByLabel('Email').fill('new@acme.example');
    await page.getByRole('button', { name: 'Send the invitation' }).click();
    await page.getByText('The invitation is on its way').waitFor();
    await page.getByLabel('Role of new@acme.example', { exact: true }).selectOption('admin');
    await page.getByLabel('Save the role of new@acme.example').click();
    await page.getByText('The role is changed').waitFor();
    await page.getByLabel('Remove new@acme.example').click();
    await page.getByRole('button', { name: 'Remove', exact: true }).click();
    await page.getByText('The member is removed').waitFor();
    expect(await page.getByText('new@acme.example').count()).toBe(0);
  });

  test('an admin makes an endpoint, tests, rotates, replays, enables and deletes it, without scripts', async () => {
    const admin = await signIn(edge, brand, 'admin');
    const page = await aPage(browser, { url: edge.url, cookie: admin.cookie, scripts: false });
    await page.goto('/developers/webhooks');
    await page.getByRole('link', { name: 'New endpoint' }).click();
    await page.getByLabel('Address').fill('http://example.com/in');
    await page.getByLabel('These kinds').check();
    await page.getByRole('button', { name: 'Make the endpoint' }).click();
    expect(await page.getByLabel('Address').inputValue()).toBe('http://example.com/in');
    expect(await page.getByText('Must be one or more of ', { exact: false }).count()).toBeGreaterThan(0);
    await page.getByLabel('order.paid', { exact: true }).check();
    await page.getByRole('button', { name: 'Make the endpoint' }).click();
    expect(await page.getByLabel('Address').getAttribute('aria-invalid')).toBe('true');
    await page.getByLabel('Address').fill('https://other.receivers.net/in');
    await page.getByRole('button', { name: 'Make the endpoint' }).click();
    const secret = await page.locator('#secret').innerText();
    expect(secret).toMatch(/^whsec_/);
    await page.getByRole('link', { name: 'I have copied it' }).click();
    expect(await page.content()).not.toContain(secret.slice(6));

    await page.getByRole('button', { name: 'Send a test' }).click();
    await page.getByText('The test is on its way').waitFor();
    await page.getByText('webhook.test', { exact: true }).click();
    expect(await page.getByText('"type": "webhook.test"', { exact: false }).count()).toBe(1);

    await page.getByRole('link', { name: 'Rotate the secret' }).click();
    await page.getByRole('button', { name: 'Make a new secret' }).click();
    expect(await page.locator('#secret').innerText()).not.toBe(secret);
    await page.getByRole('link', { name: 'I have copied it' }).click();
    expect(await page.getByText('An old secret signs until').count()).toBe(1);

    await page.getByLabel('After this cursor').fill('not a cursor');
    await page.getByRole('button', { name: 'Replay' }).click();
    expect(await page.getByLabel('After this cursor').getAttribute('aria-invalid')).toBe('true');
    await page.getByLabel('After this cursor').fill('');
    await page.getByRole('button', { name: 'Replay' }).click();
    await page.getByText('The events are sent again').waitFor();

    await edge.shell.store.db
      .collection('webhooks')
      .updateOne({ url: /other/ }, { $set: { enabled: false, disabled_because: 'gone' }, $inc: { rev: 1 } });
    await page.reload();
    await page.getByText('It answered 410 Gone').waitFor();
    await page.getByRole('button', { name: 'Enable the endpoint' }).click();
    await page.getByText('The endpoint is enabled').waitFor();

    await page.getByRole('link', { name: 'Delete' }).click();
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByText('The endpoint is deleted').waitFor();
    expect(await page.getByText('other.receivers.net').count()).toBe(0);
  });

  test('a viewer reads who sees webhooks', async () => {
    const viewer = await signIn(edge, brand, 'viewer');
    const page = await aPage(browser, { url: edge.url, cookie: viewer.cookie, scripts: false });
    await page.goto('/developers/webhooks');
    await page.getByText('Webhooks are for admins and owners').waitFor();
  });

  test('an admin cancels an order with a reason, and reads why not when it is on its way, without scripts', async () => {
    const admin = await signIn(edge, brand, 'admin');
    const page = await aPage(browser, { url: edge.url, cookie: admin.cookie, scripts: false });
    await page.goto('/developers/orders');
    await page.getByRole('link', { name: anOrder().campaign, exact: true }).click();
    await page.getByRole('link', { name: 'Cancel the order' }).click();
    await page.getByRole('button', { name: 'Cancel the order' }).click();
    expect(await page.getByLabel('Reason').getAttribute('aria-invalid')).toBe('true');
    edge.answer('order_cancel', () => {
      throw conflict('order_processing', 'm');
    });
    await page.getByLabel('Reason').fill('The launch has moved.');
    await page.getByRole('button', { name: 'Cancel the order' }).click();
    await page.getByText('A payment for this order is on its way').waitFor();
    expect(await page.getByLabel('Reason').inputValue()).toBe('The launch has moved.');
    edge.answer('order_cancel', () => anOrder({ payment_state: 'cancelled', payment: null }));
    await page.getByRole('button', { name: 'Cancel the order' }).click();
    await page.getByText('The order is cancelled.').waitFor();
  });

  test('an owner accepts the terms in person, from the key that signs for people, without scripts', async () => {
    const owner = await signIn(edge, brand, 'owner');
    const page = await aPage(browser, { url: edge.url, cookie: owner.cookie, scripts: false });
    await page.goto('/developers');
    await page.getByRole('link', { name: 'app', exact: true }).click();
    await page.getByText('You cannot sign yet').waitFor();
    await page.getByRole('link', { name: 'Read and accept the terms' }).click();
    await page.getByRole('button', { name: 'Accept the terms' }).click();
    await page.getByText('Tick the box once you have read the terms.').waitFor();
    await page.getByLabel('I have read these terms').check();
    await page.getByRole('button', { name: 'Accept the terms' }).click();
    await page.getByText('You accepted this version').waitFor();

    const accepted = await edge.deps.mandates.acceptancesOf(brand.workspaces.live, 200);
    expect(accepted.filter(({ person }) => person === owner.person_id)).toMatchObject([
      { own: true, terms_version: '2026-11-01', text_sha256: 'a1', email: owner.email },
    ]);
    await page.goto(`/developers/keys/${accepted[0]?.key_id}`);
    await page.getByText('accepted by you').waitFor();
    expect(await page.getByText('You cannot sign yet').count()).toBe(0);
  });

  test('before there are terms, their page says so', async () => {
    const without = await startEdgeApp('browser_no_terms');
    const { cookie } = await signIn(without, await makeBrand(without, { name: 'Too early' }));
    without.answer('terms_current', () => ({ terms: null }));
    const page = await aPage(browser, { url: without.url, cookie });
    await page.goto('/developers/terms');
    await page.getByText('There are no brand terms yet').waitFor();
    await picture(page, 'terms-none', 'desktop', 'light');
    expect(await violationsOf(page)).toEqual([]);
    await without.stop();
  }, 60_000);

  test('a member reads the terms, and who accepts them', async () => {
    const member = await signIn(edge, brand, 'member');
    const page = await aPage(browser, { url: edge.url, cookie: member.cookie });
    await page.goto('/developers/terms');
    await page.getByText('Admins and owners sign plans').waitFor();
    expect(await page.getByRole('button', { name: 'Accept the terms' }).count()).toBe(0);
  });

  test('a viewer reads who sees keys, and still sees usage', async () => {
    const viewer = await signIn(edge, brand, 'viewer');
    const page = await aPage(browser, { url: edge.url, cookie: viewer.cookie });
    await page.goto('/developers');
    await page.getByText('Keys are for admins and owners').waitFor();
    await picture(page, 'keys-closed', 'desktop', 'light');
    expect(await violationsOf(page)).toEqual([]);
    await page.getByRole('link', { name: 'See usage' }).click();
    await page.getByRole('heading', { level: 1, name: 'Usage' }).waitFor();
  });

  test('the keyboard alone reaches the workspace menu and closes it', async () => {
    const page = await aPage(browser, { url: edge.url, cookie });
    await page.goto('/developers');
    await page.locator('summary').first().focus();
    await page.keyboard.press('Enter');
    expect(await page.locator('details.menu').first().getAttribute('open')).not.toBeNull();
    await picture(page, 'menu', 'desktop', 'light');
    await page.keyboard.press('Escape');
    expect(await page.locator('details.menu').first().getAttribute('open')).toBeNull();
  });
});
