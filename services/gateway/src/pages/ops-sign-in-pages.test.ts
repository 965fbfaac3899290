import { describe, expect, test } from '@jest/globals';
import { OPS_TOKEN } from '../test/edge-app.js';
import { formBrowser } from '../test/forms.js';
import { ask, freshKey } from '../test/http.js';
import { testEdge } from '../test/suite.js';

describe('the pages behind the links of the operator’s people (docs/domain/operators.md#operators)', () => {
  const edge = testEdge('gateway_ops_sign_in_pages');

  const whoIs = async (cookies: ReadonlyMap<string, string>) =>
    (await ask(edge.url, '/api/ops/me', { cookie: `cds_ops_session=${cookies.get('cds_ops_session')}` })).json;

  test('the printed link makes the first lead, and says what is wrong before', async () => {
    const path = new URL((await edge.people.operators.linkForFirstLead()) ?? '').pathname;
    const browser = formBrowser(edge.url);
    const wrong = await browser.submit(path, path, { name: 'Ada', email: 'no' });
    expect([wrong.status, wrong.text.includes('id="email-error"'), wrong.text.includes('value="Ada"')]).toEqual([
      422,
      true,
      true,
    ]);
    const made = await browser.submit(path, path, { name: 'Ada', email: 'ada@team.example' });
    expect([made.status, made.headers.get('location')]).toEqual([303, '/ops']);
    expect(await whoIs(browser.cookies)).toMatchObject({ email: 'ada@team.example', role: 'lead' });
    expect((await browser.get('/ops')).text).toContain(`${edge.people.appUrl}/api/ops`);

    const again = await formBrowser(edge.url).submit(path, path, { name: 'Eve', email: 'eve@team.example' });
    expect([again.status, again.text.includes('This link no longer works')]).toEqual([401, true]);
  });

  test('the mailed link signs in, once, by its button only', async () => {
    const body = { email: 'grace@team.example', name: 'Grace', role: 'network' };
    const headers = { 'idempotency-key': freshKey() };
    await ask(edge.url, '/api/ops/operators', { method: 'POST', key: OPS_TOKEN, body, headers });
    const row = await edge.people.messages.rows.findOne({ to: body.email });
    const path = new URL(row === null ? '' : (edge.people.messages.linkOf(row) ?? '')).pathname;
    const browser = formBrowser(edge.url);
    await browser.get(path);
    const started = await browser.submit(path, path);
    expect([started.status, started.headers.get('location')]).toEqual([303, '/ops']);
    expect(await whoIs(browser.cookies)).toMatchObject({ email: body.email, role: 'network' });
    const again = await formBrowser(edge.url).submit(path, path);
    expect([again.status, again.headers.get('content-type')]).toEqual([401, 'text/html; charset=utf-8']);
  });

  test('an unknown path below is a page', async () => {
    const lost = await formBrowser(edge.url).get('/ops/nothing');
    expect([lost.status, lost.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
  });
});
