import { randomUUID } from 'node:crypto';
import {
  type Audience,
  hasEndpoint,
  OPERATOR_ROLES,
  type OperatorRole,
  operations,
  pathOf,
  type RelayedMessage,
} from '@cds/contracts';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { makeBrand, OPS_TOKEN, RELAY_TOKEN } from '../../test/edge-app.js';
import { ask, errorOf, freshKey, type HttpAnswer } from '../../test/http.js';
import { cookieOf, ELSEWHERE, signIn } from '../../test/people.js';
import { testEdge } from '../../test/suite.js';
import { newPerson } from '../people/store/people.js';

/** Whose endpoints ask for another credential than the relay's. */
const TAKES_CREDENTIALS: readonly Audience[] = ['brand', 'sandbox', 'person', 'operator', 'creator'];

/** People of the operator's team, and what they see of the queue of messages (docs/domain/operators.md#operators). */
describe("the operator's people", () => {
  const edge = testEdge('operator_people');

  beforeEach(async () => {
    edge.counters.reset();
  });

  const post = (path: string, body: unknown): Promise<HttpAnswer> =>
    ask(edge.url, `/api/ops${path}`, { method: 'POST', body });
  const operator = async (role: OperatorRole): Promise<{ email: string; cookie: string; id: string }> => {
    const email = `${role}-${randomUUID().slice(0, 8)}@team.example`;
    const row = { ...newPerson(randomUUID(), email, role, await edge.shell.store.now()), role };
    await edge.people.operators.people.rows.insertOne({ ...row, created_by: 'a test', removed_at: null });
    const started = await post('/session', { token: await edge.people.operators.auth.linkFor(email, ELSEWHERE) });
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

  test('a new session of an operator is audited and mailed, with where it began', async () => {
    const { email, id } = await operator('finance');
    const entry = await edge.shell.store.db.collection('audit').findOne({ actor: `operator:${id}` });
    expect(entry).toMatchObject({
      ws: '',
      action: 'session.started',
      reason: expect.stringMatching(/^from 127\.0\.0\.1 ".*"; link asked for from 198\.51\.100\.9 "curl\/8\.5\.0"$/),
    });
    const news = await edge.people.messages.rows.find({ to: email }).toArray();
    expect(news).toMatchObject([
      { kind: 'signed_in', link: null, text: expect.stringContaining('from 127.0.0.1 with') },
    ]);
  });

  test('no session opens the paths of the other audience', async () => {
    const { cookie, email } = await operator('lead');
    const person = await signIn(edge, await makeBrand(edge));
    const ours = cookie.split('=')[1];
    const theirs = person.cookie.split('=')[1];
    expect((await ask(edge.url, '/api/brand/me', { cookie: `cds_session=${ours}` })).status).toBe(401);
    expect((await ask(edge.url, '/api/ops/me', { cookie: `cds_ops_session=${theirs}` })).status).toBe(401);
    expect((await ask(edge.url, '/api/ops/me', { cookie: person.cookie })).status).toBe(401);
    const token = await edge.people.operators.auth.linkFor(email, ELSEWHERE);
    expect((await ask(edge.url, '/api/brand/session', { method: 'POST', body: { token } })).status).toBe(401);
  });

  test('known and unknown addresses get the same answer, and only a known one a link', async () => {
    const { email } = await operator('finance');
    expect(await post('/sign-in', { email })).toMatchObject({ status: 202, json: { status: 'sent' } });
    expect(await post('/sign-in', { email: 'x@team.example' })).toMatchObject({
      status: 202,
      json: { status: 'sent' },
    });
    expect(await edge.people.messages.rows.countDocuments({ to: email, kind: 'ops_sign_in', blank: false })).toBe(1);
    expect(await edge.people.messages.rows.countDocuments({ to: 'x@team.example', blank: false })).toBe(0);
  });

  test('no role of the team sees a link of a message, whoever it lets sign in', async () => {
    const person = await signIn(edge, await makeBrand(edge));
    await ask(edge.url, '/api/brand/sign-in', { method: 'POST', body: { email: person.email } });
    const lead = await operator('lead');
    await post('/sign-in', { email: lead.email });
    const sent = await edge.people.messages.rows.find({ to: { $in: [person.email, lead.email] } }).toArray();
    const links = sent.map((row) => edge.people.messages.linkOf(row) ?? '').filter((link) => link !== '');
    expect(links).toHaveLength(2);
    for (const role of OPERATOR_ROLES) {
      const { cookie } = await operator(role);
      const { text } = await ask(edge.url, '/api/ops/messages?limit=200', { cookie });
      expect(text).toContain(person.email);
      expect([role, links.filter((link) => text.includes(link.split('/').at(-1) ?? ''))]).toEqual([role, []]);
    }
  });

  const relayed = async (key: string = RELAY_TOKEN) => {
    const answer = await ask(edge.url, '/api/relay/messages?limit=200', { key });
    return { ...answer, items: (answer.json as { items?: RelayedMessage[] }).items ?? [] };
  };
  const report = (id: string, key = RELAY_TOKEN) =>
    ask(edge.url, `/api/relay/messages/${id}/sent`, {
      method: 'POST',
      key,
      headers: { 'idempotency-key': freshKey() },
    });

  test('the mail relay is given each waiting message with its link, and reports it sent once', async () => {
    const person = await signIn(edge, await makeBrand(edge));
    await ask(edge.url, '/api/brand/sign-in', { method: 'POST', body: { email: person.email } });
    const lead = await operator('lead');
    await post('/sign-in', { email: lead.email });
    const of = async (to: string) => (await relayed()).items.find((one) => one.to === to && one.link !== null);
    expect((await of(person.email))?.link).toMatch(/\/sign-in\//);
    expect((await of(lead.email))?.link).toMatch(/\/ops\/sign-in\//);

    const id = (await of(person.email))?.id ?? '';
    const sent = await report(id);
    expect(sent).toMatchObject({ status: 200, json: { id, sent_at: expect.any(String) } });
    expect(errorOf(await report(id)).details['reason']).toBe('bad_state');
    expect(await of(person.email)).toBeUndefined();
    expect(await edge.people.messages.rows.findOne({ _id: id })).toMatchObject({ link: null });
    expect(await edge.shell.store.db.collection('audit').findOne({ action: 'message.sent', object: id })).toMatchObject(
      {
        actor: 'relay',
      },
    );
  });

  test("no other credential is the relay's, and the relay's opens nothing else", async () => {
    const { cookie } = await operator('lead');
    const brand = await makeBrand(edge);
    const made = await ask(edge.url, '/api/ops/tokens', {
      method: 'POST',
      key: OPS_TOKEN,
      body: { name: 'a relay of old', role: 'lead' },
      headers: { 'idempotency-key': freshKey() },
    });
    const others = [OPS_TOKEN, (made.json as { secret: string }).secret, brand.live['full'] ?? '', `${RELAY_TOKEN}x`];
    for (const key of others) {
      expect([(await relayed(key)).status, (await report(randomUUID(), key)).status]).toEqual([401, 401]);
    }
    expect((await ask(edge.url, '/api/relay/messages', { cookie })).status).toBe(401);
    const elsewhere = operations.filter(hasEndpoint).filter(({ audience }) => TAKES_CREDENTIALS.includes(audience));
    expect(elsewhere.length).toBeGreaterThan(150);
    for (const operation of elsewhere) {
      const { status } = await ask(edge.url, pathOf(operation).replaceAll(/\{\w+\}/g, randomUUID()), {
        method: operation.rest.method,
        key: RELAY_TOKEN,
      });
      expect([operation.name, status]).toEqual([operation.name, 401]);
    }
  });

  test('a message whose seal opens no more hides no other', async () => {
    const lead = await operator('lead');
    for (let n = 0; n < 2; n += 1) await post('/sign-in', { email: lead.email });
    const [first] = await edge.people.messages.rows.find({ to: lead.email, kind: 'ops_sign_in' }).toArray();
    await edge.people.messages.rows.updateOne({ _id: first?._id ?? '' }, { $set: { link: '9.abc' } });
    const { items } = await relayed();
    const asked = items.filter(({ to, kind }) => to === lead.email && kind === 'ops_sign_in');
    expect(new Map(asked.map(({ id, link }) => [id === first?._id, link === null]))).toEqual(
      new Map([
        [true, true],
        [false, false],
      ]),
    );
  });
});
