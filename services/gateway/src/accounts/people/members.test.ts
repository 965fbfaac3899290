import { beforeEach, describe, expect, test } from '@jest/globals';
import { type Brand, makeBrand } from '../../test/edge-app.js';
import { ask, errorOf, freshKey, type HttpAnswer } from '../../test/http.js';
import { type SignedIn, signIn, startSession } from '../../test/people.js';
import { testEdge } from '../../test/suite.js';

type Listed = { id: string; email: string; role: string; joined_at: string | null };

/** Members of a brand and their invitations (docs/domain/sign-in.md#members). */
describe('members', () => {
  const edge = testEdge('members');
  let brand: Brand;
  let owner: SignedIn;

  beforeEach(async () => {
    edge.counters.reset();
    brand = await makeBrand(edge);
    owner = await signIn(edge, brand, 'owner');
  });

  const send = (who: SignedIn, method: string, path: string, body?: unknown): Promise<HttpAnswer> =>
    ask(edge.url, `/api/brand${path}`, {
      method,
      cookie: who.cookie,
      ...(body === undefined ? {} : { body }),
      headers: method === 'GET' ? {} : { 'idempotency-key': freshKey() },
    });
  const members = async (who: SignedIn): Promise<Listed[]> =>
    ((await send(who, 'GET', '/members')).json as { members: Listed[] }).members;
  const memberOf = async (who: SignedIn): Promise<string> =>
    (await members(owner)).find(({ email }) => email === who.email)?.id ?? '';

  test('an invited address becomes a member by signing in', async () => {
    const invited = await send(owner, 'POST', '/members', { email: ' New@People.example', role: 'admin' });
    expect(invited).toMatchObject({
      status: 201,
      json: { email: 'new@people.example', role: 'admin', joined_at: null },
    });
    expect(await edge.people.messages.rows.findOne({ to: 'new@people.example' })).toMatchObject({ kind: 'invitation' });

    const cookie = await startSession(edge, 'new@people.example');
    expect((await ask(edge.url, '/api/brand/me', { cookie })).json).toMatchObject({ role: 'admin' });
    const listed = (await members(owner)).find(({ email }) => email === 'new@people.example');
    expect(listed?.joined_at).not.toBeNull();
  });

  test('a person of two brands begins in the first, and may enter the other', async () => {
    const other = await makeBrand(edge);
    const theirs = await signIn(edge, other, 'owner');
    expect((await send(theirs, 'POST', '/members', { email: owner.email, role: 'viewer' })).status).toBe(201);
    const me = (await send(owner, 'GET', '/me')).json as { workspace: { id: string }; workspaces: { id: string }[] };
    expect(me.workspace.id).toBe(brand.workspaces.live);
    expect(me.workspaces.map(({ id }) => id)).toContain(other.workspaces.live);
  });

  test('a member cannot be invited again, not even by two at once', async () => {
    const again = await send(owner, 'POST', '/members', { email: owner.email, role: 'viewer' });
    expect(errorOf(again).details['reason']).toBe('already_member');
    const email = 'twice@people.example';
    const both = await Promise.all([1, 2].map(() => send(owner, 'POST', '/members', { email, role: 'viewer' })));
    expect(both.map(({ status }) => status).sort()).toEqual([201, 409]);
    expect((await members(owner)).filter((one) => one.email === email)).toHaveLength(1);
  });

  test.each(['viewer', 'member', 'admin'] as const)('a %s reads members and changes none', async (role) => {
    const person = await signIn(edge, brand, role);
    expect((await members(person)).map(({ email }) => email)).toContain(owner.email);
    const id = await memberOf(owner);
    for (const [method, path, body] of [
      ['POST', '/members', { email: 'x@people.example', role: 'viewer' }],
      ['PATCH', `/members/${id}`, { role: 'viewer' }],
      ['DELETE', `/members/${id}`, undefined],
    ] as const)
      expect(errorOf(await send(person, method, path, body)).code).toBe('forbidden');
  });

  test('no removal writes to a session, which a request may be waiting for', async () => {
    const person = await signIn(edge, brand, 'admin');
    const id = await memberOf(person);
    const before = await edge.people.sessions.rows.findOne({ person_id: person.person_id });
    expect((await send(owner, 'DELETE', `/members/${id}`)).status).toBe(200);
    expect(before).not.toBeNull();
    expect(await edge.people.sessions.rows.findOne({ person_id: person.person_id })).toEqual(before);
  });

  test('the last owner stays', async () => {
    // The owner of a development brand never signed in, so it does not count.
    const id = await memberOf(owner);
    for (const [method, path, body] of [
      ['PATCH', `/members/${id}`, { role: 'admin' }],
      ['DELETE', `/members/${id}`, undefined],
    ] as const)
      expect(errorOf(await send(owner, method, path, body)).details['reason']).toBe('last_owner');
  });

  test('two owners who remove each other at once leave one', async () => {
    for (let round = 0; round < 5; round += 1) {
      const raced = await makeBrand(edge);
      const [one, two] = await Promise.all([signIn(edge, raced, 'owner'), signIn(edge, raced, 'owner')]);
      const listed = await members(one);
      const idOf = (who: SignedIn) => listed.find(({ email }) => email === who.email)?.id ?? '';
      const answers = await Promise.all([
        send(one, 'DELETE', `/members/${idOf(two)}`),
        send(two, 'PATCH', `/members/${idOf(one)}`, { role: 'viewer' }),
      ]);
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      const rows = await edge.shell.store.db
        .collection('members')
        .countDocuments({ person_id: { $in: [one.person_id, two.person_id] }, role: 'owner' });
      expect(rows).toBe(1);
    }
  });

  test('a member of another brand is not found', async () => {
    const other = await makeBrand(edge);
    const theirs = await signIn(edge, other, 'owner');
    const id = await memberOf(owner);
    for (const [method, path, body] of [
      ['PATCH', `/members/${id}`, { role: 'viewer' }],
      ['DELETE', `/members/${id}`, undefined],
    ] as const)
      expect(errorOf(await send(theirs, method, path, body)).code).toBe('not_found');
  });

  test('every change leaves its audit entry, which names the person', async () => {
    const { json } = await send(owner, 'POST', '/members', { email: 'audited@people.example', role: 'viewer' });
    const { id } = json as Listed;
    await send(owner, 'PATCH', `/members/${id}`, { role: 'member' });
    await send(owner, 'DELETE', `/members/${id}`);
    const entries = await edge.shell.store.db
      .collection<{ _id: string; action: string; actor: string }>('audit')
      .find({ object: id })
      .toArray();
    expect(new Set(entries.map(({ action }) => action))).toEqual(
      new Set(['member.invited', 'member.changed', 'member.removed']),
    );
    expect(new Set(entries.map(({ actor }) => actor))).toEqual(new Set([`person:${owner.person_id}`]));
  });

  test('a brand sends 50 invitations a day', async () => {
    const workspace = await edge.people.workspaces.byId(brand.workspaces.live);
    const quota = { name: 'invitation', limit: 50, spanMs: 86_400_000 };
    for (let sent = 0; sent < 50; sent += 1) await edge.people.quotas.use(quota, workspace?.brand_id ?? '');
    const refused = await send(owner, 'POST', '/members', { email: 'late@people.example', role: 'viewer' });
    expect(errorOf(refused)).toMatchObject({
      code: 'rate_limited',
      details: { reason: 'invitation_limit', limit: 50 },
    });
  });
});
