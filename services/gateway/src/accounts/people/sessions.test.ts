import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type Brand, makeBrand } from '../../test/edge-app.js';
import { ask, errorOf, freshKey, type HttpAnswer } from '../../test/http.js';
import { cookieOf, ELSEWHERE, type SignedIn, signIn, startSession } from '../../test/people.js';
import { testEdge } from '../../test/suite.js';
import { tokenHash } from './auth-database.js';
import type { AdmittedSession } from './store/sessions.js';

const MINUTES = 60_000;
const HOURS = 60 * MINUTES;
const DAYS = 24 * HOURS;

/** Sign-in by links, and what a session opens (docs/domain/sign-in.md#sign-in, docs/domain/access.md#roles). */
describe('sessions', () => {
  const edge = testEdge('sessions');
  let brand: Brand;
  let owner: SignedIn;

  beforeAll(async () => {
    brand = await makeBrand(edge);
    owner = await signIn(edge, brand, 'owner');
  });

  // A test asks more often than one address may.
  beforeEach(() => edge.counters.reset());

  const rows = (name: string) => edge.shell.store.db.collection<Record<string, unknown>>(name);
  const me = (cookie: string): Promise<HttpAnswer> => ask(edge.url, '/api/brand/me', { cookie });
  const redeem = (token: string): Promise<HttpAnswer> =>
    ask(edge.url, '/api/brand/session', { method: 'POST', body: { token } });
  const askForLink = (email: string): Promise<HttpAnswer> =>
    ask(edge.url, '/api/brand/sign-in', { method: 'POST', body: { email } });
  const linkSentTo = async (email: string): Promise<string> => {
    const message = await edge.people.messages.rows.findOne({ to: email, blank: false }, { sort: { created_at: -1 } });
    return message === null ? '' : (edge.people.messages.linkOf(message) ?? '');
  };

  test('a person asks for a link, opens it and is signed in', async () => {
    expect(await askForLink(` ${owner.email.toUpperCase()} `)).toMatchObject({ status: 202, json: { status: 'sent' } });
    const link = await linkSentTo(owner.email);
    expect(link).toMatch(/^http:\/\/app\.test\/sign-in\/[A-Za-z]{32}$/);

    const started = await redeem(link.split('/').at(-1) ?? '');
    expect(started).toMatchObject({
      status: 200,
      json: {
        person: { id: owner.person_id, email: owner.email },
        role: 'owner',
        workspace: { id: brand.workspaces.live, kind: 'live' },
        status: 'approved',
        workspaces: [{ id: brand.workspaces.live }, { id: brand.workspaces.sandbox, kind: 'sandbox' }],
      },
    });
    expect(started.headers.getSetCookie()).toEqual([
      expect.stringMatching(
        /^cds_session=[A-Za-z0-9]{32}; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Strict; Secure$/,
      ),
    ]);
    expect(await me(cookieOf(started.headers))).toMatchObject({ status: 200, json: started.json as object });
  });

  test('the database holds neither a link nor a session token in clear', async () => {
    const token = await edge.people.auth.linkFor(owner.email, ELSEWHERE);
    await askForLink(owner.email);
    const sent = await linkSentTo(owner.email);
    const stored = JSON.stringify([
      await rows('sign_in_links').find().toArray(),
      await rows('messages').find().toArray(),
      await rows('sessions').find().toArray(),
      await rows('commands').find().toArray(),
    ]);
    for (const secret of [token, sent.split('/').at(-1) ?? '-', owner.cookie.split('=')[1] ?? '-'])
      expect(stored).not.toContain(secret);
  });

  test('of 20 who redeem one link at once, one gets a session', async () => {
    const token = await edge.people.auth.linkFor(owner.email, ELSEWHERE);
    const before = await rows('sessions').countDocuments();
    const answers = await Promise.all(Array.from({ length: 20 }, () => redeem(token)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 19 }, () => 401)]);
    expect(await rows('sessions').countDocuments()).toBe(before + 1);
  });

  test('a link ends after 15 minutes by the clock of the database', async () => {
    const token = await edge.people.auth.linkFor(owner.email, ELSEWHERE);
    const { expires_at, created_at } = (await rows('sign_in_links').findOne(
      {},
      { sort: { created_at: -1 } },
    )) as never as {
      expires_at: Date;
      created_at: Date;
    };
    expect(expires_at.getTime() - created_at.getTime()).toBe(15 * MINUTES);
    await rows('sign_in_links').updateMany({}, { $set: { expires_at: await edge.shell.store.now() } });
    expect((await redeem(token)).status).toBe(401);
  });

  test('each sign-in makes a token of its own, whatever cookie it came with', async () => {
    const token = await edge.people.auth.linkFor(owner.email, ELSEWHERE);
    const fixed = 'cds_session=aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa';
    const started = await ask(edge.url, '/api/brand/session', { method: 'POST', body: { token }, cookie: fixed });
    expect(started.status).toBe(200);
    expect(cookieOf(started.headers)).not.toBe(fixed);
    expect((await me(fixed)).status).toBe(401);
  });

  describe('a new session', () => {
    const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
    const begun = async (token: string) => {
      const headers = { 'user-agent': FIREFOX };
      const started = await ask(edge.url, '/api/brand/session', { method: 'POST', headers, body: { token } });
      const session = await rows('sessions').findOne({
        token: tokenHash(cookieOf(started.headers).split('=')[1] ?? ''),
      });
      const news = await edge.people.messages.rows.findOne(
        { to: owner.email, kind: 'signed_in' },
        { sort: { _id: 1 } },
      );
      return {
        cookie: cookieOf(started.headers),
        entry: await rows('audit').findOne({ action: 'session.started', object: session?.['_id'] }),
        news: news?.text ?? '',
      };
    };
    beforeEach(() => rows('messages').deleteMany({ to: owner.email }));

    test('is audited and mailed to its person, with where it began and where its link was asked for', async () => {
      const { entry, news } = await begun(await edge.people.auth.linkFor(owner.email, ELSEWHERE));
      expect(entry).toMatchObject({
        ws: brand.workspaces.live,
        actor: `person:${owner.person_id}`,
        reason: `from 127.0.0.1 "${FIREFOX}"; link asked for from 198.51.100.9 "curl/8.5.0"`,
      });
      expect(news).toContain(
        'UTC, from 127.0.0.1 with Firefox on Linux; the link was asked for from 198.51.100.9 with curl.',
      );
    });

    test('says where its link was asked for by the request for it', async () => {
      const headers = { 'user-agent': 'somebody/1' };
      await ask(edge.url, '/api/brand/sign-in', { method: 'POST', headers, body: { email: owner.email } });
      const { entry } = await begun((await linkSentTo(owner.email)).split('/').at(-1) ?? '');
      expect(entry).toMatchObject({ reason: expect.stringContaining('link asked for from 127.0.0.1 "somebody/1"') });
    });

    test('is reported without a credential, and what to do if it is a stranger’s', async () => {
      const token = await edge.people.auth.linkFor(owner.email, ELSEWHERE);
      const { cookie, entry, news } = await begun(token);
      const reported = JSON.stringify([entry, await rows('messages').find({ to: owner.email }).toArray()]);
      for (const secret of [token, tokenHash(token), cookie.split('=')[1] ?? '-'])
        expect(reported).not.toContain(secret);
      expect(news).toContain('http://app.test/sign-in and choose “Sign out everywhere”');
    });

    test('is given to nobody when it could not be audited', async () => {
      const token = await edge.people.auth.linkFor(owner.email, ELSEWHERE);
      const { audit } = edge.shell;
      const { add } = audit;
      audit.add = async () => Promise.reject(new Error('no'));
      const refused = await redeem(token).finally(() => {
        audit.add = add;
      });
      expect([refused.status, refused.headers.getSetCookie()]).toEqual([500, []]);
    });
  });

  test('a person ends all their sessions, and nobody else’s', async () => {
    const [one, two] = [await startSession(edge, owner.email), await startSession(edge, owner.email)];
    const other = await signIn(edge, brand, 'viewer');
    const ended = await ask(edge.url, '/api/brand/sessions', { method: 'DELETE', cookie: one });
    expect(ended).toMatchObject({ status: 200, json: { ended: [] } });
    expect(ended.headers.getSetCookie()[0]).toMatch(/^cds_session=; Path=\/; Max-Age=0;/);
    for (const cookie of [one, two]) expect((await me(cookie)).status).toBe(401);
    expect((await me(other.cookie)).status).toBe(200);
    owner.cookie = await startSession(edge, owner.email);
  });

  test('an ended session is refused on the next request', async () => {
    const cookie = await startSession(edge, owner.email);
    const ended = await ask(edge.url, '/api/brand/session', { method: 'DELETE', cookie });
    expect(ended).toMatchObject({ status: 204, text: '' });
    expect(ended.headers.getSetCookie()[0]).toMatch(/^cds_session=; Path=\/; Max-Age=0;/);
    const refused = await me(cookie);
    expect(refused.status).toBe(401);
    expect(refused.headers.get('www-authenticate')).toBe('Bearer');
    expect(refused.headers.get('ratelimit-limit')).toBeNull();
  });

  test('a session ends 12 hours after its last request, and 30 days after its start', async () => {
    const cookie = await startSession(edge, owner.email);
    const token = tokenHash(cookie.split('=')[1] ?? '');
    const current = async () =>
      (await edge.people.sessions.rows.findOne({ token }, { readConcern: { level: 'local' } })) as AdmittedSession;
    expect(await me(cookie)).toMatchObject({ status: 200 });
    const used = await current();
    // It is written only when five minutes have passed since it was last.
    const hours = (used.expires_at.getTime() - (await edge.shell.store.now()).getTime()) / HOURS;
    expect(hours).toBeGreaterThan(11.9);
    expect(hours).toBeLessThanOrEqual(12);
    expect(used.ends_at.getTime()).toBe(used.created_at.getTime() + 30 * DAYS);

    const soon = new Date(Date.now() + HOURS);
    await edge.people.sessions.rows.updateOne({ _id: used._id }, { $set: { ends_at: soon, expires_at: soon } });
    expect((await me(cookie)).status).toBe(200);
    expect((await current()).expires_at).toEqual(soon);

    await edge.people.sessions.rows.updateOne(
      { _id: used._id },
      { $set: { expires_at: await edge.shell.store.now() } },
    );
    expect((await me(cookie)).status).toBe(401);
  });

  test.each([
    ['unknown', 'cds_session=bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb'],
    ['empty', 'cds_session='],
    ['of another name', 'cds_sessions=x'],
  ])('a cookie that is %s is 401', async (_name, cookie) => {
    expect((await me(cookie)).status).toBe(401);
  });

  test('an Authorization header alone decides who calls', async () => {
    const key = brand.live['full'] ?? '';
    expect((await ask(edge.url, '/api/brand/me', { key, cookie: owner.cookie })).status).toBe(401);
    const byKey = await ask(edge.url, '/api/v1/campaigns', { key, cookie: owner.cookie });
    expect(byKey.headers.get('ratelimit-limit')).toBe('60');
    const bad = { authorization: 'Bearer nonsense' };
    expect((await ask(edge.url, '/api/v1/campaigns', { cookie: owner.cookie, headers: bad })).status).toBe(401);
  });

  test('a session counts 600 requests a minute', async () => {
    const { headers } = await me(owner.cookie);
    expect(headers.get('ratelimit-limit')).toBe('600');
    for (const id of new Set(edge.counters.counted)) await edge.counters.use(id, 600);
    expect(errorOf(await me(owner.cookie))).toMatchObject({
      code: 'rate_limited',
      details: { scope: 'session', limit: 600 },
    });
  });

  test('a write with a session from another site is 403, and does nothing', async () => {
    const headers = { cookie: owner.cookie, origin: 'https://evil.example' };
    const refused = await ask(edge.url, '/api/brand/session', { method: 'DELETE', headers });
    expect(errorOf(refused).code).toBe('forbidden');
    expect((await me(owner.cookie)).status).toBe(200);
  });

  test('a session changes to another workspace of its person, and to no other', async () => {
    const other = await makeBrand(edge);
    const cookie = await startSession(edge, owner.email);
    const move = (workspace: string) =>
      ask(edge.url, '/api/brand/session/workspace', { method: 'PUT', cookie, body: { workspace } });
    expect((await move(other.workspaces.live)).status).toBe(404);
    expect(await move(brand.workspaces.sandbox)).toMatchObject({
      status: 200,
      json: { workspace: { kind: 'sandbox' } },
    });
    expect(await ask(edge.url, '/api/sandbox/clock', { cookie })).toMatchObject({ status: 200 });
    expect(await me(cookie)).toMatchObject({ json: { workspace: { id: brand.workspaces.sandbox } } });
  });

  test('a change to the workspace of an invitation accepts that invitation, and no other', async () => {
    const cookie = await startSession(edge, owner.email);
    const { person_id } = owner;
    const [first, second] = [await makeBrand(edge), await makeBrand(edge)];
    for (const { workspaces } of [first, second]) {
      const brand_id = (await edge.people.workspaces.byId(workspaces.live))?.brand_id;
      const invited = { _id: randomUUID(), brand_id, person_id, role: 'viewer', created_at: new Date() };
      await rows('members').insertOne({ ...invited, created_by: 'a test', joined_at: null } as never);
    }
    const body = { workspace: first.workspaces.live };
    expect((await ask(edge.url, '/api/brand/session/workspace', { method: 'PUT', cookie, body })).status).toBe(200);
    const entered = await rows('audit').find({ action: 'session.entered' }).toArray();
    expect(entered).toMatchObject([
      {
        ws: first.workspaces.live,
        actor: `person:${person_id}`,
        reason: expect.stringMatching(/^from 127\.0\.0\.1 "/),
      },
    ]);
    const open = await rows('members').find({ person_id, joined_at: null }).toArray();
    const { brand_id } = (await edge.people.workspaces.byId(second.workspaces.live)) ?? {};
    expect(open.map((one) => one['brand_id'])).toEqual([brand_id]);
    await rows('members').deleteMany({ person_id, created_by: 'a test', role: 'viewer' });
  });

  test('an Idempotency-Key of one workspace is another’s in the next', async () => {
    const cookie = await startSession(edge, owner.email);
    const headers = { 'idempotency-key': freshKey() };
    const make = async () => {
      const body = { name: 'mine', scopes: ['inventory:read'] };
      return (await ask(edge.url, '/api/brand/keys', { method: 'POST', cookie, headers, body })).json;
    };
    const first = await make();
    expect(first).toMatchObject({ secret: expect.stringMatching(/^cds_live_/) });
    const body = { workspace: brand.workspaces.sandbox };
    await ask(edge.url, '/api/brand/session/workspace', { method: 'PUT', cookie, body });
    expect(await make()).toMatchObject({ secret: expect.stringMatching(/^cds_test_/) });
    await ask(edge.url, '/api/brand/session/workspace', {
      method: 'PUT',
      cookie,
      body: { workspace: brand.workspaces.live },
    });
    expect(await make()).toEqual(first);
  });

  test('on the API a person acts as the own agent key, with the scopes of the role', async () => {
    for (const [role, scopes] of [
      ['viewer', 7],
      ['member', 8],
      ['admin', 9],
      ['owner', 9],
    ] as const) {
      const person = await signIn(edge, brand, role);
      expect((await ask(edge.url, '/api/v1/campaigns', { cookie: person.cookie })).status).toBe(200);
      const { principal } = edge.sent.filter(({ name }) => name === 'campaigns_list').at(-1)?.ctx ?? {};
      expect(principal).toMatchObject({
        audience: 'brand',
        workspace: brand.workspaces.live,
        person: { id: person.person_id, role },
        mandate: { may_approve: true, terms_version: null },
      });
      expect(principal?.scopes).toHaveLength(scopes);
      const write = { method: 'POST', cookie: person.cookie, body: {}, headers: { 'idempotency-key': freshKey() } };
      expect((await ask(edge.url, '/api/v1/campaigns', write)).status).toBe(role === 'viewer' ? 403 : 422);
    }
  });

  test('a role that is too low is 403, and names the one it takes', async () => {
    const viewer = await signIn(edge, brand, 'viewer');
    const body = { name: 'x', summary: 'y', audience: 'z' };
    const refused = await ask(edge.url, '/api/brand/context', {
      method: 'PUT',
      cookie: viewer.cookie,
      body,
      headers: { 'idempotency-key': freshKey() },
    });
    expect(errorOf(refused)).toMatchObject({ code: 'forbidden', details: { role: 'viewer', at_least: 'member' } });
    expect(refused.headers.get('www-authenticate')).toBeNull();
  });

  test('known and unknown addresses get the same answer after the same statements', async () => {
    const statements: string[] = [];
    edge.shell.store.onCommand(({ commandName, command }) => {
      // Switches are cached, and any request may be the one that reads them.
      if (commandName !== 'hello' && command[commandName] !== 'switches')
        statements.push(`${commandName} ${String(command[commandName])}`);
    });
    const observed = async (email: string) => {
      statements.length = 0;
      const answer = await askForLink(email);
      return { status: answer.status, text: answer.text, statements: [...statements].sort() };
    };
    const known = await signIn(edge, brand, 'member');
    await observed('warm-up@people.example');
    const one = await observed(known.email);
    expect(await observed('nobody@people.example')).toEqual(one);
    expect(one.statements.length).toBeGreaterThan(4);
    expect(await linkSentTo('nobody@people.example')).toBe('');
  });

  test('a mailbox gets 5 links in 15 minutes, whether or not it is known', async () => {
    const known = await signIn(edge, brand, 'member');
    for (const email of [known.email, 'stranger@people.example']) {
      for (let sent = 0; sent < 5; sent += 1) expect((await askForLink(email)).status).toBe(202);
      const refused = await askForLink(email);
      expect(errorOf(refused)).toMatchObject({
        code: 'rate_limited',
        details: { reason: 'sign_in_limit', scope: 'mailbox', limit: 5 },
      });
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    }
  });

  test.each([
    '',
    'x',
    'a b@c.example',
    'a@b.example\r\nBcc: c@d.example',
    'bränd@x.example',
    `${'a'.repeat(250)}@b.example`,
  ])('the address %j is 422', async (email) => {
    expect(errorOf(await askForLink(email))).toMatchObject({ code: 'unprocessable', fields: ['email'] });
  });
});
