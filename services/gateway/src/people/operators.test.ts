import { randomUUID } from 'node:crypto';
import type { OperatorRole } from '@cds/contracts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { newPerson } from '../store/people.js';
import { type EdgeApp, makeBrand, OPS_TOKEN, startEdgeApp } from '../test/edge-app.js';
import { ask, errorOf, freshKey, type HttpAnswer } from '../test/http.js';
import { cookieOf, signIn } from '../test/people.js';

/** People of the operator's team, and what they see of the queue of messages (docs/domain/access.md#operators). */
describe("the operator's people", () => {
  let edge: EdgeApp;

  beforeAll(async () => {
    edge = await startEdgeApp('operator_people');
  });
  afterAll(() => edge.stop());
  beforeEach(async () => {
    await edge.shell.store.db.collection('windows').deleteMany({});
  });

  const post = (path: string, body: unknown): Promise<HttpAnswer> =>
    ask(edge.url, `/api/ops${path}`, { method: 'POST', body });
  const operator = async (role: OperatorRole): Promise<{ email: string; cookie: string; id: string }> => {
    const email = `${role}-${randomUUID().slice(0, 8)}@team.example`;
    const row = { ...newPerson(randomUUID(), email, role, await edge.shell.store.now()), role };
    await edge.people.operators.people.rows.insertOne({ ...row, created_by: 'a test', removed_at: null });
    const started = await post('/session', { token: await edge.people.operators.auth.linkFor(email) });
    expect(started.status).toBe(200);
    return { email, cookie: cookieOf(started.headers), id: row._id };
  };

  test('the first start prints one link over all replicas, which makes one lead', async () => {
    const printed = await Promise.all([1, 2, 3].map(() => edge.people.operators.linkForFirstLead()));
    const links = printed.filter((link) => link !== null);
    expect(links).toHaveLength(1);
    const token = links[0]?.split('/').at(-1) ?? '';
    expect(JSON.stringify(await edge.shell.store.db.collection('first_lead').find().toArray())).not.toContain(token);

    const made = await Promise.all(
      [1, 2, 3].map((n) => post('/first-lead', { token, email: `lead${n}@team.example`, name: 'Ada' })),
    );
    expect(made.map(({ status }) => status).sort()).toEqual([201, 401, 401]);
    const lead = made.find(({ status }) => status === 201);
    expect(lead?.json).toMatchObject({ name: 'Ada', role: 'lead' });
    expect(lead?.headers.getSetCookie()[0]).toMatch(/^cds_ops_session=.*; HttpOnly; SameSite=Strict; Secure$/);
    const cookie = cookieOf(lead?.headers ?? new Headers());
    expect((await ask(edge.url, '/api/ops/tasks', { cookie })).status).toBe(200);
    expect(await edge.people.operators.linkForFirstLead()).toBeNull();
    expect((await post('/first-lead', { token, email: 'late@team.example', name: 'Eve' })).status).toBe(401);
  });

  test('the link of the first lead works for 24 hours by database time', async () => {
    const db = edge.shell.store.db;
    await db.collection('first_lead').deleteMany({});
    await edge.people.operators.people.rows.deleteMany({});
    const token = (await edge.people.operators.linkForFirstLead())?.split('/').at(-1);
    const offeredAgo = (ms: number) =>
      db.collection('first_lead').updateOne({}, [{ $set: { offered_at: { $subtract: ['$$NOW', ms] } } }]);
    const become = () => post('/first-lead', { token, email: 'slow@team.example', name: 'Ada' });
    await offeredAgo(25 * 3_600_000);
    expect((await become()).status).toBe(401);
    await offeredAgo(23 * 3_600_000);
    expect((await become()).status).toBe(201);
  });

  test('an operator signs in by a link, works in the role, and signs out', async () => {
    const { email, cookie } = await operator('viewer');
    expect((await ask(edge.url, '/api/ops/me', { cookie })).json).toMatchObject({ email, role: 'viewer' });
    const task = `/api/ops/tasks/${randomUUID()}/done`;
    const write = { method: 'POST', cookie, body: { reason: 'x' }, headers: { 'idempotency-key': freshKey() } };
    expect((await ask(edge.url, task, write)).status).toBe(403);

    expect((await ask(edge.url, '/api/ops/session', { method: 'DELETE', cookie })).status).toBe(204);
    expect((await ask(edge.url, '/api/ops/me', { cookie })).status).toBe(401);
  });

  test('a removed operator is refused on the next request', async () => {
    const { cookie, id, email } = await operator('lead');
    await edge.people.operators.people.rows.updateOne(
      { _id: id },
      { $set: { removed_at: await edge.shell.store.now() } },
    );
    expect((await ask(edge.url, '/api/ops/me', { cookie })).status).toBe(401);
    expect((await post('/session', { token: await edge.people.operators.auth.linkFor(email) })).status).toBe(401);
  });

  test('no session opens the paths of the other audience', async () => {
    const { cookie, email } = await operator('lead');
    const person = await signIn(edge, await makeBrand(edge));
    const ours = cookie.split('=')[1];
    const theirs = person.cookie.split('=')[1];
    expect((await ask(edge.url, '/api/brand/me', { cookie: `cds_session=${ours}` })).status).toBe(401);
    expect((await ask(edge.url, '/api/ops/me', { cookie: `cds_ops_session=${theirs}` })).status).toBe(401);
    expect((await ask(edge.url, '/api/ops/me', { cookie: person.cookie })).status).toBe(401);
    const token = await edge.people.operators.auth.linkFor(email);
    expect((await ask(edge.url, '/api/brand/session', { method: 'POST', body: { token } })).status).toBe(401);
  });

  test('a write with an operator session needs our Origin', async () => {
    const { cookie } = await operator('lead');
    for (const headers of [{ cookie }, { cookie, origin: 'https://evil.example' }])
      expect((await ask(edge.url, '/api/ops/session', { method: 'DELETE', headers })).status).toBe(403);
  });

  test('known and unknown addresses get the same answer, and only a known one a link', async () => {
    const { email } = await operator('finance');
    expect(await post('/sign-in', { email })).toMatchObject({ status: 202, json: { status: 'sent' } });
    expect(await post('/sign-in', { email: 'x@team.example' })).toMatchObject({
      status: 202,
      json: { status: 'sent' },
    });
    expect(await edge.people.messages.rows.countDocuments({ to: email, blank: false })).toBe(1);
    expect(await edge.people.messages.rows.countDocuments({ to: 'x@team.example', blank: false })).toBe(0);
  });

  test('messages show their links to those who may use them, and are reported sent once', async () => {
    const person = await signIn(edge, await makeBrand(edge));
    await ask(edge.url, '/api/brand/sign-in', { method: 'POST', body: { email: person.email } });
    const lead = await operator('lead');
    await post('/sign-in', { email: lead.email });
    const seenBy = async (role: OperatorRole, to: string) => {
      const { cookie } = role === 'lead' ? lead : await operator(role);
      const answer = await ask(edge.url, '/api/ops/messages?sent=false&limit=200', { cookie });
      const { items } = answer.json as { items: { id: string; to: string; link: string | null }[] };
      return items.find((one) => one.to === to);
    };
    expect((await seenBy('viewer', person.email))?.link).toBeNull();
    expect((await seenBy('fulfilment', person.email))?.link).toMatch(/\/sign-in\//);
    expect((await seenBy('fulfilment', lead.email))?.link).toBeNull();
    expect((await seenBy('lead', lead.email))?.link).toMatch(/\/ops\/sign-in\//);

    const id = (await seenBy('lead', person.email))?.id ?? '';
    const report = () =>
      ask(edge.url, `/api/ops/messages/${id}/sent`, {
        method: 'POST',
        key: OPS_TOKEN,
        body: { reason: 'relay' },
        headers: { 'idempotency-key': freshKey() },
      });
    const sent = await report();
    expect(sent).toMatchObject({ status: 200, json: { id, link: null } });
    expect(errorOf(await report()).details['reason']).toBe('bad_state');
    expect(await seenBy('lead', person.email)).toBeUndefined();
    expect(await edge.people.messages.rows.findOne({ _id: id })).toMatchObject({ link: null });
  });

  test('a message whose seal opens no more hides no other', async () => {
    const lead = await operator('lead');
    for (let n = 0; n < 2; n += 1) await post('/sign-in', { email: lead.email });
    const [first] = await edge.people.messages.rows.find({ to: lead.email }).toArray();
    await edge.people.messages.rows.updateOne({ _id: first?._id ?? '' }, { $set: { link: '9.abc' } });
    const answer = await ask(edge.url, '/api/ops/messages?limit=200', { cookie: lead.cookie });
    const { items } = answer.json as { items: { id: string; to: string; link: string | null }[] };
    const links = items.filter(({ to }) => to === lead.email).map(({ id, link }) => [id === first?._id, link === null]);
    expect(new Map(links as [boolean, boolean][])).toEqual(
      new Map([
        [true, true],
        [false, false],
      ]),
    );
  });
});
