import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { type Brand, makeBrand } from '../test/edge-app.js';
import { formBrowser, formTokenIn } from '../test/forms.js';
import { ask, freshKey } from '../test/http.js';
import { ELSEWHERE, signIn } from '../test/people.js';
import { testEdge } from '../test/suite.js';

describe('the sign-in pages (docs/domain/sign-in.md#sign-in)', () => {
  const edge = testEdge('gateway_sign_in_pages');
  let brand: Brand;
  beforeAll(async () => {
    brand = await makeBrand(edge);
  });

  const linkOf = async (email: string): Promise<string> =>
    `/sign-in/${await edge.people.auth.linkFor(email, ELSEWHERE)}`;

  test('known and unknown addresses are led to the same page', async () => {
    const { email } = await signIn(edge, brand);
    const answers = await Promise.all(
      [email, 'nobody@people.example'].map((address) =>
        formBrowser(edge.url).submit('/sign-in', '/sign-in', { email: address }),
      ),
    );
    expect(answers.map(({ status, headers }) => [status, headers.get('location')])).toEqual([
      [303, '/sign-in/sent'],
      [303, '/sign-in/sent'],
    ]);
  });

  test('a wrong address stays in its field, with the problem beside it', async () => {
    const { status, text } = await formBrowser(edge.url).submit('/sign-in', '/sign-in', { email: 'no "address"' });
    expect(status).toBe(422);
    expect(text).toContain('value="no &quot;address&quot;"');
    expect(text).toContain('aria-invalid="true"');
    expect(text).toContain('id="email-error"');
  });

  test('opening a link spends nothing: only its button signs in, once', async () => {
    const { email } = await signIn(edge, brand);
    const path = await linkOf(email);
    await formBrowser(edge.url).get(path);
    await formBrowser(edge.url).get(path);
    const browser = formBrowser(edge.url);
    const started = await browser.submit(path, path);
    expect([started.status, started.headers.get('location')]).toEqual([303, '/developers']);
    expect(started.headers.getSetCookie().join()).toMatch(/cds_session=[^;]+;.*HttpOnly;.*SameSite=Strict/);
    const again = await formBrowser(edge.url).submit(path, path);
    expect([again.status, again.headers.getSetCookie().join().includes('cds_session=')]).toEqual([401, false]);
    expect(again.text).toContain('This link no longer works');
  });

  test('whoever asked for a page of Developers comes back to it, and to no other place', async () => {
    const { email } = await signIn(edge, brand);
    const cameFor = async (asked: string, planted?: string): Promise<string | null> => {
      const browser = formBrowser(edge.url);
      if (planted !== undefined) browser.cookies.set('cds_return', planted);
      await browser.get(asked);
      const path = await linkOf(email);
      return (await browser.submit(path, path)).headers.get('location');
    };
    const asked = `/connect/ask/${'a'.repeat(43)}`;
    for (const page of ['/developers/webhooks', asked, `${asked}/key`, `${asked}/terms/${randomUUID()}`])
      expect(await cameFor('/sign-in', page)).toBe(page);
    expect(await cameFor('/developers/webhooks')).toBe('/developers/webhooks');
    expect(await cameFor(`${asked}/key`)).toBe(`${asked}/key`);
    expect(await cameFor('/sign-in', '/developers/orders')).toBe('/developers/orders');
    for (const foreign of ['//evil.example', '/developers//evil.example', '/developers/../ops', 'https://evil.example'])
      expect(await cameFor('/sign-in', foreign)).toBe('/developers');
  });

  test('whoever then asked for the first page of Developers comes to it, and to no page asked for before', async () => {
    const { email } = await signIn(edge, brand);
    const browser = formBrowser(edge.url);
    await browser.get('/developers/webhooks');
    await browser.get('/developers');
    const path = await linkOf(email);
    expect((await browser.submit(path, path)).headers.get('location')).toBe('/developers');
  });

  test('the page asked for is come back to once', async () => {
    const { email } = await signIn(edge, brand);
    const browser = formBrowser(edge.url);
    await browser.get('/developers/webhooks');
    const cameTo: (string | null)[] = [];
    for (let times = 0; times < 2; times += 1) {
      const path = await linkOf(email);
      cameTo.push((await browser.submit(path, path)).headers.get('location'));
    }
    expect(cameTo).toEqual(['/developers/webhooks', '/developers']);
  });

  test('a page that reads itself again in the background does not change where its person goes after sign-in', async () => {
    const { email } = await signIn(edge, brand);
    const browser = formBrowser(edge.url);
    await browser.get('/developers/webhooks');
    const asks = async (to: string): Promise<string[]> =>
      (await ask(edge.url, '/developers/orders', { headers: { 'sec-fetch-dest': to } })).headers.getSetCookie();
    expect(await asks('empty')).toEqual([]);
    expect(await asks('document')).toEqual([expect.stringContaining('cds_return=/developers/orders;')]);
    const path = await linkOf(email);
    expect((await browser.submit(path, path)).headers.get('location')).toBe('/developers/webhooks');
  });

  test('a session that was planted beforehand is not the one that signs in', async () => {
    const { email } = await signIn(edge, brand);
    const planted = (await signIn(edge, brand)).cookie;
    const path = await linkOf(email);
    const browser = formBrowser(edge.url, planted);
    await browser.submit(path, path);
    expect(`cds_session=${browser.cookies.get('cds_session')}`).not.toBe(planted);
  });

  test('signing out ends the session', async () => {
    const { cookie } = await signIn(edge, brand);
    const before = await fetch(`${edge.url}/api/brand/me`, { headers: { cookie } });
    const token = formTokenIn((await formBrowser(edge.url, cookie).get('/developers')).text, '/sign-out');
    const out = await formBrowser(edge.url, cookie).post('/sign-out', { form_token: token });
    const after = await fetch(`${edge.url}/api/brand/me`, { headers: { cookie } });
    expect([before.status, out.status, out.headers.get('location'), after.status]).toEqual([200, 303, '/', 401]);
  });

  test('signing out everywhere asks first, and then says what continues', async () => {
    const { cookie } = await signIn(edge, brand, 'owner');
    const browser = formBrowser(edge.url, cookie);
    const body = { name: 'Newsroom', scopes: ['inventory:read'] };
    const headers = { 'idempotency-key': freshKey() };
    await ask(edge.url, '/api/brand/keys', { method: 'POST', cookie, headers, body });
    expect((await browser.get('/developers')).text).toContain('href="/sign-out/everywhere"');
    const { text } = await browser.get('/sign-out/everywhere');
    expect(text).toMatch(/Sign out everywhere\?.*Sign out my clients too.*Stay signed in/s);
    const done = await browser.submit('/sign-out/everywhere', '/sign-out/everywhere', { end_clients: 'yes' });
    expect(done.text).toMatch(/You are signed out everywhere.*Still works.*Key “Newsroom”/s);
    expect((await fetch(`${edge.url}/api/brand/me`, { headers: { cookie } })).status).toBe(401);
  });

  test('a form of another browser or site is 403', async () => {
    const [browser, other] = [formBrowser(edge.url), formBrowser(edge.url)];
    await other.get('/sign-in');
    const form_token = formTokenIn((await browser.get('/sign-in')).text, '/sign-in');
    const fields = { email: 'a@people.example', form_token };
    for (const sent of [
      await other.post('/sign-in', fields),
      await browser.post('/sign-in', fields, { origin: 'https://evil.example' }),
    ])
      expect([sent.status, sent.headers.get('content-type')]).toEqual([403, 'text/html; charset=utf-8']);
  });

  test.each(['//evil.example', 'https://evil.example', '/\\evil.example'])(
    'nothing that a request names becomes a redirect: %s',
    async (target) => {
      const browser = formBrowser(edge.url);
      const asked = await browser.get(`/developers?next=${encodeURIComponent(target)}`);
      expect([asked.status, asked.headers.get('location')]).toEqual([303, '/sign-in']);
      const token = formTokenIn((await browser.get('/sign-in')).text, '/sign-in');
      const sent = await browser.post('/sign-in', { email: 'a@people.example', form_token: token, next: target });
      expect(sent.headers.get('location')).toBe('/sign-in/sent');
    },
  );

  test('no page may be framed', async () => {
    for (const path of ['/', '/sign-in', '/sign-in/sent', '/sign-in/some-token', '/developers']) {
      const { headers } = await formBrowser(edge.url).get(path);
      expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    }
  });
});
