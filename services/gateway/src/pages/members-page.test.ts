import { SCOPES } from '@cds/contracts';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { type Brand, makeBrand } from '../test/edge-app.js';
import { type FormBrowser, formBrowser, formTokenIn } from '../test/forms.js';
import { ask, freshKey } from '../test/http.js';
import { aClient, REST_RESOURCE, signedIn } from '../test/mcp-client.js';
import { type SignedIn, signIn } from '../test/people.js';
import { testEdge } from '../test/suite.js';

/** What the pages of members say ends and stays (docs/domain/access.md#rights). */
describe('the page of members', () => {
  const edge = testEdge('members_page');
  let brand: Brand;
  let one: SignedIn;
  let browser: FormBrowser;
  let key: { id: string; secret: string };
  let token: string;
  let path: string;
  beforeEach(async () => {
    edge.counters.reset();
    brand = await makeBrand(edge);
    browser = formBrowser(edge.url, (await signIn(edge, brand, 'owner')).cookie);
    one = await signIn(edge, brand, 'admin');
    const made = await ask(edge.url, '/api/brand/keys', {
      method: 'POST',
      cookie: one.cookie,
      headers: { 'idempotency-key': freshKey() },
      body: { name: 'agent', scopes: SCOPES },
    });
    const { key: row, secret } = made.json as { key: { id: string }; secret: string };
    key = { id: row.id, secret };
    const client = await aClient(edge.url, { client_name: 'Their editor' }, REST_RESOURCE);
    token = (await signedIn(formBrowser(edge.url, one.cookie), client, key.id)).access_token;
    const member = await edge.shell.store.db
      .collection<{ _id: string }>('members')
      .findOne({ person_id: one.person_id });
    path = `/developers/members/${member?._id}`;
  });

  const works = async (secret: string) => (await ask(edge.url, '/api/v1/inventory', { key: secret })).status === 200;

  test('names what ends and what stays before a removal, and leaves the keys', async () => {
    const { text } = await browser.get(`${path}/remove`);
    expect(text).toMatch(
      /Ends with it.*Signed-in client “Their editor”.*Stays, since.*Key “agent”.*End their keys and webhook endpoints too/s,
    );
    const done = await browser.submit(`${path}/remove`, `${path}/remove`);
    expect([done.status, done.headers.get('location')]).toEqual([303, '/developers/members?done=removed']);
    expect([await works(token), await works(key.secret)]).toEqual([false, true]);
  });

  test('ends the keys with a removal once the box is ticked', async () => {
    await browser.submit(`${path}/remove`, `${path}/remove`, { end_made: 'yes' });
    expect(await works(key.secret)).toBe(false);
  });

  test('asks before a lower role ends something, and not before a higher one', async () => {
    const asked = await browser.submit('/developers/members', `${path}/role`, { role: 'member' });
    expect(asked.text).toMatch(/Change the role of .*Ends with it.*Signed-in client “Their editor”/s);
    expect(await works(token)).toBe(true);
    const form_token = formTokenIn(asked.text, `${path}/role`);
    const sure = await browser.post(`${path}/role`, { form_token, role: 'member', sure: 'yes' });
    expect([sure.status, await works(token), await works(key.secret)]).toEqual([303, false, true]);

    const higher = await browser.submit('/developers/members', `${path}/role`, { role: 'owner' });
    expect(higher.status).toBe(303);
  });
});
