import { beforeAll, describe, expect, test } from '@jest/globals';
import { type Brand, makeBrand } from '../test/edge-app.js';
import { formBrowser, formTokenIn } from '../test/forms.js';
import { ask } from '../test/http.js';
import { signIn } from '../test/people.js';
import { testEdge } from '../test/suite.js';

const PATH = '/developers/sandboxes/new';
const SECRET = /cds_test_[0-9A-Za-z]{12}_[0-9A-Za-z]{49}/;

/** A sandbox made by a person (docs/domain/access.md#developers-area). */
describe('a new sandbox in the Developers area', () => {
  const edge = testEdge('gateway_sandbox_page');
  let brand: Brand;
  beforeAll(async () => {
    brand = await makeBrand(edge);
  });

  const as = async (role: 'admin' | 'member') => formBrowser(edge.url, (await signIn(edge, brand, role)).cookie);
  const sandboxes = () => edge.shell.store.db.collection('workspaces').countDocuments({ kind: 'sandbox' });

  test('is linked beside the keys, and shows the secret of its key, which works', async () => {
    const admin = await as('admin');
    expect((await admin.get('/developers')).text).toContain(`href="${PATH}"`);
    const made = await admin.submit(PATH, PATH, { name: 'Rehearsal' });
    expect(made.status).toBe(200);
    expect(made.text).toContain('“Rehearsal” is ready');
    const [secret = ''] = SECRET.exec(made.text) ?? [];
    expect((await ask(edge.url, '/api/v1/inventory', { key: secret })).status).toBe(200);

    const workspace = /name="workspace" value="([^"]+)"/.exec(made.text.slice(made.text.indexOf('<main')))?.[1] ?? '';
    const fields = { form_token: formTokenIn(made.text, '/developers/workspace'), workspace };
    expect((await admin.post('/developers/workspace', fields)).headers.get('location')).toBe('/developers');
    expect((await admin.get('/developers')).text).toContain('>test<');
  });

  test('is made once, however often its form is sent', async () => {
    const admin = await as('admin');
    const token = formTokenIn((await admin.get(PATH)).text, PATH);
    const before = await sandboxes();
    const send = async () => SECRET.exec((await admin.post(PATH, { form_token: token, name: '' })).text)?.[0];
    const first = await send();
    expect([await send(), await sandboxes()]).toEqual([first, before + 1]);
    expect(first).toMatch(SECRET);
  });

  test('is refused where it cannot be made, with what to do', async () => {
    const member = await (await as('member')).submit(PATH, PATH);
    expect([member.status, member.text.includes('New sandbox')]).toEqual([403, true]);
    const long = await (await as('admin')).submit(PATH, PATH, { name: 'x'.repeat(61) });
    expect(long.status).toBe(422);
    expect(long.text).toContain('id="name-error"');
  });
});
