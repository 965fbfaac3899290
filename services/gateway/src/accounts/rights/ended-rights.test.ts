import { randomUUID } from 'node:crypto';
import { type ChangedMember, SCOPES } from '@cds/contracts';
import { RowRunner } from '@cds/service';
import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type Brand, makeBrand, OPS_TOKEN } from '../../test/edge-app.js';
import { formBrowser } from '../../test/forms.js';
import { ask, freshKey, type HttpAnswer } from '../../test/http.js';
import {
  aClient,
  allowed,
  type BegunClient,
  REST_RESOURCE,
  redeem,
  refresh,
  revoke,
  signedIn,
  type Tokens,
} from '../../test/mcp-client.js';
import { cookieOf, ELSEWHERE, type SignedIn, signIn, startSession } from '../../test/people.js';
import { aPersonCtx } from '../../test/person.js';
import { testEdge } from '../../test/suite.js';
import { endedRights } from './ended-rights.js';

/** What the table of rights does not say: races, what was stored before, and what a sweep writes (I72). */
describe('the end of a right', () => {
  const edge = testEdge('ended_rights');
  let brand: Brand;
  let boss: SignedIn;
  let one: SignedIn;
  let member: string;
  beforeAll(async () => {
    await ops('POST', '/operators', { email: 'stays@team.example', name: 'Grace', role: 'lead' });
  });
  beforeEach(async () => {
    edge.counters.reset();
    await rows('quotas').deleteMany({});
    brand = await makeBrand(edge);
    [boss, one] = [await signIn(edge, brand, 'owner'), await signIn(edge, brand, 'owner')];
    const row = await rows('members').findOne({ person_id: one.person_id });
    member = row?._id ?? '';
  });

  type Row = { _id: string } & Record<string, unknown>;
  const rows = (name: string) => edge.shell.store.db.collection<Row>(name);
  const person = (who: SignedIn, method: string, path: string, body: object = {}) =>
    ask(edge.url, `/api/brand${path}`, {
      method,
      cookie: who.cookie,
      ...(method === 'GET' ? {} : { body, headers: { 'idempotency-key': freshKey() } }),
    });
  const ops = (
    method: string,
    path: string,
    body?: object,
    as: { key?: string; cookie?: string } = { key: OPS_TOKEN },
  ) => ask(edge.url, `/api/ops${path}`, { method, body, ...as, headers: { 'idempotency-key': freshKey() } });
  const inventory = async (key: string) => (await ask(edge.url, '/api/v1/inventory', { key })).status;
  const sweep = () =>
    endedRights({ ...edge.deps, shell: edge.shell }, new RowRunner(edge.shell.store, edge.shell.log)).run(
      {} as never,
      null,
    );

  const aKey = async (): Promise<{ id: string; secret: string }> => {
    const made = await person(one, 'POST', '/keys', { name: 'agent', scopes: SCOPES, may_delegate: true });
    const { key, secret } = made.json as { key: { id: string }; secret: string };
    return { id: key.id, secret };
  };
  const connected = async (keyId: string): Promise<{ id: string; begun: BegunClient; tokens: Tokens }> => {
    const begun = await aClient(edge.url, {}, REST_RESOURCE);
    const tokens = await signedIn(formBrowser(edge.url, one.cookie), begun, keyId);
    const grant = await rows('oauth_grants').findOne({ member_id: member }, { sort: { created_at: -1 } });
    return { id: grant?._id ?? '', begun, tokens };
  };
  const delegate = (key: string): Promise<HttpAnswer> =>
    ask(edge.url, '/api/v1/keys/children', {
      method: 'POST',
      key,
      headers: { 'idempotency-key': freshKey() },
      body: { name: 'helper', scopes: ['inventory:read'], expires_at: new Date(Date.now() + 86_400_000).toISOString() },
    });
  const madeBy = async (key: string) => (await delegate(key)).json as { key: { id: string }; secret: string };
  const operator = async (): Promise<{ id: string; cookie: string }> => {
    const email = `lead-${randomUUID().slice(0, 8)}@team.example`;
    const { id } = (await ops('POST', '/operators', { email, name: 'Ada', role: 'lead' })).json as { id: string };
    const token = await edge.people.operators.auth.linkFor(email, ELSEWHERE);
    const started = await ask(edge.url, '/api/ops/session', { method: 'POST', body: { token } });
    return { id, cookie: cookieOf(started.headers) };
  };
  const token = async (as: { cookie: string }): Promise<{ id: string; secret: string }> => {
    const made = await ops('POST', '/tokens', { name: randomUUID(), role: 'lead' }, as);
    const { token: row, secret } = made.json as { token: { id: string }; secret: string };
    return { id: row.id, secret };
  };

  test('a removal ends what the member made for the brand too, if the owner says so', async () => {
    const key = await aKey();
    const { id: client, tokens } = await connected(key.id);
    const child = await madeBy(tokens.access_token);
    await person(one, 'POST', '/webhooks', { url: 'https://hooks.receivers.net/in' });
    const before = (await person(boss, 'GET', `/members/${member}/rights`)).json;
    expect(before).toMatchObject({
      ended: [
        { kind: 'client', id: client },
        { kind: 'key', id: child.key.id },
      ],
      stays: [
        { kind: 'key', id: key.id, name: 'agent', workspace: brand.workspaces.live },
        { kind: 'webhook', name: 'hooks.receivers.net' },
      ],
    });

    const answer = await person(boss, 'POST', `/members/${member}/remove-all`);
    const { ended, stays } = answer.json as ChangedMember;
    expect(new Set(ended.map(({ kind, name }) => `${kind} ${name}`))).toEqual(
      new Set(['client Test agent', 'key helper', 'key agent', 'webhook hooks.receivers.net']),
    );
    expect(stays).toEqual([]);
    for (const secret of [key.secret, child.secret, tokens.access_token]) expect(await inventory(secret)).toBe(401);
    expect((await person(boss, 'GET', '/webhooks')).json).toEqual({ webhooks: [] });
    const actions = await rows('audit')
      .find({ actor: `person:${boss.person_id}` })
      .toArray();
    const count = (of: string) => actions.filter(({ action }) => action === of).length;
    expect(['client.ended', 'key.revoked', 'member.removed', 'webhook.removed'].map(count)).toEqual([1, 2, 1, 1]);
  });

  test('a member whom the removed one invited stays, and is named', async () => {
    const email = `joined-${randomUUID()}@people.example`;
    await person(one, 'POST', '/members', { email, role: 'viewer' });
    const cookie = await startSession(edge, email);
    const [joined] = await rows('members')
      .find({ created_by: `person:${one.person_id}` })
      .toArray();
    const { ended, stays } = (await person(boss, 'POST', `/members/${member}/remove-all`)).json as ChangedMember;
    expect([ended, stays]).toEqual([[], [{ kind: 'member', id: joined?._id, name: email, workspace: null }]]);
    expect((await ask(edge.url, '/api/brand/me', { cookie })).status).toBe(200);
  });

  describe('as a person signs out everywhere', () => {
    const everywhere = (query = '') =>
      ask(edge.url, `/api/brand/sessions${query}`, { method: 'DELETE', cookie: one.cookie });
    const made = async () => {
      const key = await aKey();
      const { id, tokens } = await connected(key.id);
      const child = await madeBy(tokens.access_token);
      const late = await aClient(edge.url, {}, REST_RESOURCE);
      const code = await allowed(formBrowser(edge.url, one.cookie), late, key.id);
      return { key, id, tokens, child, redeemed: () => redeem(late, code) };
    };

    test('clients with tokens stay and are named, and an unfinished sign-in ends', async () => {
      const { key, id, tokens, child, redeemed } = await made();
      const { json } = await everywhere();
      const { stays, ended } = json as ChangedMember;
      expect(ended).toEqual([expect.objectContaining({ kind: 'client', name: 'Test agent' })]);
      expect(stays).toEqual([
        { kind: 'client', id, name: 'Test agent', workspace: brand.workspaces.live },
        { kind: 'key', id: key.id, name: 'agent', workspace: brand.workspaces.live },
      ]);
      expect([await inventory(tokens.access_token), await inventory(child.secret)]).toEqual([200, 200]);
      expect((await redeemed()).json).toMatchObject({ error: 'invalid_grant' });
    });

    test('clients end with the keys that they made, if the person says so', async () => {
      const { key, tokens, child } = await made();
      const { ended, stays } = (await everywhere('?end_clients=true')).json as ChangedMember;
      expect(ended.map(({ kind, name }) => `${kind} ${name}`)).toEqual([
        'client Test agent',
        'client Test agent',
        'key helper',
      ]);
      expect(stays).toEqual([expect.objectContaining({ kind: 'key', id: key.id })]);
      expect([await inventory(tokens.access_token), await inventory(child.secret)]).toEqual([401, 401]);
    });

    test('a client that the last session connects meanwhile ends too', async () => {
      const { key } = await made();
      const late = await aClient(edge.url, {}, REST_RESOURCE);
      const { sessions } = edge.deps.people;
      const end = sessions.endAllOf.bind(sessions);
      const tokens: Tokens[] = [];
      sessions.endAllOf = async (id) => {
        tokens.push(await signedIn(formBrowser(edge.url, one.cookie), late, key.id));
        await end(id);
      };
      const { json } = await everywhere('?end_clients=true').finally(() => {
        sessions.endAllOf = end;
      });
      expect((json as ChangedMember).ended.filter(({ kind }) => kind === 'client')).toHaveLength(3);
      expect(await Promise.all(tokens.map(({ access_token: token }) => inventory(token)))).toEqual([401]);
    });

    test('a failure half-way leaves the person signed in, to send it again', async () => {
      const { tokens } = await made();
      const { audit } = edge.shell;
      const { add } = audit;
      audit.add = async () => Promise.reject(new Error('no'));
      const failed = await everywhere('?end_clients=true').finally(() => {
        audit.add = add;
      });
      expect(failed.status).toBe(500);
      expect((await everywhere('?end_clients=true')).status).toBe(200);
      expect(await inventory(tokens.access_token)).toBe(401);
    });
  });

  test('the end of a client leaves the tokens that it has used, however many there are', async () => {
    const { id, begun, tokens } = await connected((await aKey()).id);
    await refresh(begun, tokens.refresh_token);
    expect((await person(one, 'DELETE', `/clients/${id}`)).status).toBe(204);
    const left = await rows('oauth_tokens').find({ grant_id: id }).toArray();
    expect(left.map(({ kind, consumed_at }) => [kind, consumed_at !== null])).toEqual([
      ['AuthorizationCode', true],
      ['RefreshToken', true],
    ]);
    expect((await refresh(begun, tokens.refresh_token)).status).toBe(400);
    expect(await inventory(tokens.access_token)).toBe(401);
  });

  /** What requests find by themselves, whatever the end of a source has written. */
  describe('is found by each request', () => {
    test('a client counts only while its person is a member', async () => {
      const { tokens } = await connected((await aKey()).id);
      await rows('members').deleteOne({ _id: member });
      expect(await inventory(tokens.access_token)).toBe(401);
    });

    test('a client that has fetched no token counts only while the session that allowed it', async () => {
      const key = await aKey();
      const browser = formBrowser(edge.url, one.cookie);
      const [fetched, late] = [await aClient(edge.url, {}, REST_RESOURCE), await aClient(edge.url, {}, REST_RESOURCE)];
      const tokens = await signedIn(browser, fetched, key.id);
      const code = await allowed(browser, late, key.id);
      await rows('sessions').deleteMany({ person_id: one.person_id });
      expect((await redeem(late, code)).json).toMatchObject({ error: 'invalid_grant' });
      expect(await inventory(tokens.access_token)).toBe(200);
      expect((await refresh(fetched, tokens.refresh_token)).status).toBe(200);
    });

    test('a client that fetches its tokens as its person signs out has none that count', async () => {
      const late = await aClient(edge.url, {}, REST_RESOURCE);
      const code = await allowed(formBrowser(edge.url, one.cookie), late, (await aKey()).id);
      const { oauthRows } = edge.deps;
      const save = oauthRows.saveToken.bind(oauthRows);
      oauthRows.saveToken = async (...token) => {
        await ask(edge.url, '/api/brand/session', { method: 'DELETE', cookie: one.cookie });
        return save(...token);
      };
      const { json } = await redeem(late, code).finally(() => {
        oauthRows.saveToken = save;
      });
      expect(await inventory((json as Tokens).access_token)).toBe(401);
    });

    test('a client counts only while its person may connect clients', async () => {
      const { tokens } = await connected((await aKey()).id);
      await rows('members').updateOne({ _id: member }, { $set: { role: 'member' } });
      expect(await inventory(tokens.access_token)).toBe(401);
      await rows('members').updateOne({ _id: member }, { $set: { role: 'admin' } });
      expect(await inventory(tokens.access_token)).toBe(200);
    });

    test('a child key counts only while the client that made it does', async () => {
      const { id, tokens } = await connected((await aKey()).id);
      const { secret } = await madeBy(tokens.access_token);
      expect(await inventory(secret)).toBe(200);
      await rows('oauth_grants').deleteOne({ _id: id });
      expect(await inventory(secret)).toBe(401);
    });

    test('an operator token counts only while its person is the lead who made it', async () => {
      const lead = await operator();
      const { secret } = await token(lead);
      const status = async () => (await ops('GET', '/operators', undefined, { key: secret })).status;
      const people = rows('operator_people');
      for (const [set, back] of [
        [{ role: 'finance' }, { role: 'lead' }],
        [{ removed_at: new Date() }, { removed_at: null }],
        [{ back_at: new Date(Date.now() + 60_000) }, { back_at: new Date(0) }],
      ] as const) {
        await people.updateOne({ _id: lead.id }, { $set: set });
        expect([set, await status()]).toEqual([set, 401]);
        await people.updateOne({ _id: lead.id }, { $set: back });
        expect([back, await status()]).toEqual([back, 200]);
      }
    });
  });

  /** A request of somebody who was admitted before their right ended. */
  describe('is found by what was admitted before', () => {
    test('an owner who is no more has no invitation stored', async () => {
      const ctx = aPersonCtx(brand.workspaces.live, { role: 'owner', person: one.person_id, at: new Date() });
      const person_ = { ...ctx.principal.person, id: one.person_id, role: 'owner' as const, member };
      const late = { ...ctx, principal: { ...ctx.principal, person: person_ } };
      await rows('members').updateOne({ _id: member }, { $set: { role: 'admin' } });
      const email = `late-${randomUUID()}@people.example`;
      expect(await edge.run('member_invite', late, { email, role: 'owner' })).toMatchObject({ status: 503 });
      expect(await rows('members').countDocuments({ created_by: `person:${one.person_id}` })).toBe(0);
    });

    test('an owner who was removed makes no key', async () => {
      const late = () => {
        const ctx = aPersonCtx(brand.workspaces.live, { role: 'owner', person: one.person_id, at: new Date() });
        const person_ = { ...ctx.principal.person, id: one.person_id, role: 'owner' as const, member };
        return { ...ctx, principal: { ...ctx.principal, person: person_ } };
      };
      const input = { name: 'late', scopes: ['inventory:read'] };
      expect(await edge.run('key_make', late(), input)).toMatchObject({ status: 201 });

      expect((await person(boss, 'DELETE', `/members/${member}`)).status).toBe(200);
      expect(await edge.run('key_make', late(), input)).toMatchObject({ status: 503 });
      expect(await rows('keys').countDocuments({ ws: brand.workspaces.live, name: 'late' })).toBe(1);
    });

    test('a lead who was removed adds nobody to the team', async () => {
      const email = `lead-${randomUUID()}@team.example`;
      const { id } = (await ops('POST', '/operators', { email, name: 'Ada', role: 'lead' })).json as { id: string };
      const operator = { id, name: 'Ada', role: 'lead' as const, session: randomUUID() };
      const late = () => {
        const ctx = aPersonCtx('', { at: new Date() });
        const { person: _nobody, ...principal } = ctx.principal;
        return { ...ctx, principal: { ...principal, audience: 'operator' as const, operator } };
      };
      const added = () => ({ email: `late-${randomUUID()}@team.example`, name: 'Eve', role: 'lead', reason: 'help' });
      expect(await edge.run('ops_operator_make', late(), added())).toMatchObject({ status: 201 });

      await rows('operator_people').updateOne({ _id: id }, { $set: { removed_at: new Date() } });
      expect(await edge.run('ops_operator_make', late(), added())).toMatchObject({ status: 503 });
    });

    test('a client that is no more has no child key stored', async () => {
      const key = await aKey();
      const ctx = aPersonCtx(brand.workspaces.live, { at: new Date() });
      const { person: _nobody, ...principal } = ctx.principal;
      const late = {
        ...ctx,
        principal: { ...principal, audience: 'brand' as const, key: key.id, grant: randomUUID() },
      };
      const expires_at = new Date(Date.now() + 86_400_000).toISOString();
      const input = { name: 'helper', scopes: ['inventory:read'], expires_at };
      expect(await edge.run('key_delegate', late, input)).toMatchObject({ status: 401 });
      expect(await rows('keys').countDocuments({ 'parent.key_id': key.id })).toBe(0);
    });
  });

  test('the feed says that the mandate of a child key ended with its client', async () => {
    const key_id = brand.ids['full'] ?? '';
    const { id, tokens } = await connected(key_id);
    await edge.changeKeys({ key_id }, { may_delegate: true });
    const mandate = {
      max_plan_cents: 100,
      monthly_cap_cents: 100,
      channels: ['x_creators'],
      may_approve: false,
      expires_at: new Date(Date.now() + 86_400_000).toISOString(),
    };
    const made = await ask(edge.url, '/api/v1/keys/children', {
      method: 'POST',
      key: tokens.access_token,
      headers: { 'idempotency-key': freshKey() },
      body: { name: 'helper', scopes: ['inventory:read'], expires_at: mandate.expires_at, mandate },
    });
    const { key } = made.json as { key: { id: string } };
    expect((await person(boss, 'DELETE', `/clients/${id}`)).status).toBe(204);
    const last = await rows('feed').findOne({ 'aggregate.id': key.id }, { sort: { version: -1 } });
    expect(last).toMatchObject({ kind: 'mandate.changed', data: { mandate: null } });
  });

  test('the clients of a revoked key are listed no longer', async () => {
    const key = await aKey();
    const { id } = await connected(key.id);
    const listed = async () =>
      ((await person(boss, 'GET', '/clients')).json as { clients: { id: string }[] }).clients.map((one) => one.id);
    expect(await listed()).toEqual([id]);
    await person(boss, 'POST', `/keys/${key.id}/revoke`);
    expect(await listed()).toEqual([]);
  });

  test('a client that ends while it makes a child key leaves none behind', async () => {
    const key = await aKey();
    for (let round = 0; round < 5; round += 1) {
      const { id, tokens } = await connected(key.id);
      const [made, ended] = await Promise.all([
        delegate(tokens.access_token),
        person(boss, 'DELETE', `/clients/${id}`),
      ]);
      expect(ended.status).toBe(204);
      expect([201, 401, 503]).toContain(made.status);
      if (made.status === 201) expect(await inventory((made.json as { secret: string }).secret)).toBe(401);
      expect(await rows('keys').countDocuments({ made_by_grant: id, revoked_at: null })).toBe(0);
    }
  });

  test('an owner who is removed while they invite leaves no invitation behind', async () => {
    for (let round = 0; round < 5; round += 1) {
      const other = await signIn(edge, brand, 'owner');
      const row = await rows('members').findOne({ person_id: other.person_id });
      const email = `raced-${round}-${randomUUID()}@people.example`;
      const [invited, removed] = await Promise.all([
        person(other, 'POST', '/members', { email, role: 'owner' }),
        person(boss, 'DELETE', `/members/${row?._id}`),
      ]);
      expect(removed.status).toBe(200);
      expect([201, 401, 403, 503]).toContain(invited.status);
      expect(await rows('members').countDocuments({ created_by: `person:${other.person_id}` })).toBe(0);
    }
  });

  test('a client that a gateway of an earlier version stored still works, and ends with its person', async () => {
    const key = await aKey();
    const { id, tokens } = await connected(key.id);
    await rows('oauth_grants').updateOne({ _id: id }, { $unset: { member_id: 1, session_id: 1 } });
    expect(await inventory(tokens.access_token)).toBe(200);
    await sweep();
    expect(await rows('oauth_grants').findOne({ _id: id })).toMatchObject({ member_id: member });
    expect(await inventory(tokens.access_token)).toBe(200);

    await rows('oauth_grants').updateOne({ _id: id }, { $unset: { member_id: 1 } });
    await person(boss, 'DELETE', `/members/${member}`);
    await person(boss, 'POST', '/members', { email: one.email, role: 'owner' });
    await sweep();
    expect(await inventory(tokens.access_token)).toBe(401);
    expect(await rows('oauth_grants').findOne({ _id: id })).toBeNull();
  });

  test('a client whose revocation fails half-way ends when it asks again', async () => {
    const { begun, tokens } = await connected((await aKey()).id);
    const { audit } = edge.shell;
    const { add } = audit;
    audit.add = async () => Promise.reject(new Error('no'));
    const failed = await revoke(begun, tokens.refresh_token).finally(() => {
      audit.add = add;
    });
    expect(failed.status).toBe(500);
    expect((await revoke(begun, tokens.refresh_token)).status).toBe(200);
    expect(await inventory(tokens.access_token)).toBe(401);
  });

  test('a child key without a record of who made it ends with any client that may have', async () => {
    const key = await aKey();
    const older = await madeBy(key.secret);
    const { id, tokens } = await connected(key.id);
    const child = await madeBy(tokens.access_token);
    await rows('keys').updateMany({ 'parent.key_id': key.id }, { $unset: { made_by_grant: 1 } });
    expect((await person(boss, 'DELETE', `/clients/${id}`)).status).toBe(204);
    expect([await inventory(child.secret), await inventory(older.secret)]).toEqual([401, 200]);
  });

  test('a child key of a client that expired is listed as revoked', async () => {
    const key = await aKey();
    const { id, tokens } = await connected(key.id);
    const child = await madeBy(tokens.access_token);
    const own = await madeBy(key.secret);
    await rows('oauth_grants').deleteOne({ _id: id });
    await sweep();
    const { keys } = (await person(boss, 'GET', '/keys')).json as { keys: { id: string; revoked_at: string | null }[] };
    const revoked = (of: string) => keys.find((row) => row.id === of)?.revoked_at;
    expect([revoked(child.key.id), revoked(own.key.id)]).toEqual([expect.any(String), null]);
    expect(await rows('audit').findOne({ object: child.key.id, action: 'key.revoked' })).toMatchObject({
      actor: 'system',
    });
  });

  test('a token that a gateway of an earlier version stored still works, and ends with the lead of its audit entry', async () => {
    const lead = await operator();
    const [first, second] = [await token(lead), await token(lead)];
    const status = async ({ secret }: { secret: string }) =>
      (await ops('GET', '/operators', undefined, { key: secret })).status;
    await rows('operator_tokens').updateMany({ 'made_by.person': lead.id }, { $unset: { made_by: 1 } });
    await rows('audit').deleteOne({ action: 'token.made', object: second.id });
    expect([await status(first), await status(second)]).toEqual([200, 200]);
    await sweep();
    // Nothing says who made the second, so it ends.
    expect([await status(first), await status(second)]).toEqual([200, 401]);
    expect((await ops('DELETE', `/operators/${lead.id}`)).json).toMatchObject({ ended_tokens: [{ id: first.id }] });
    expect(await status(first)).toBe(401);
  });

  test('a token does not outlive the one that makes it', async () => {
    const lead = await operator();
    const soon = new Date(Date.now() + 3_600_000).toISOString();
    const made = await ops('POST', '/tokens', { name: randomUUID(), role: 'lead', expires_at: soon }, lead);
    const { secret } = made.json as { secret: string };
    const late = new Date(Date.now() + 7_200_000).toISOString();
    const wider = await ops('POST', '/tokens', { name: randomUUID(), role: 'lead', expires_at: late }, { key: secret });
    expect([wider.status, wider.text]).toEqual([422, expect.stringContaining(`must not be after ${soon}`)]);
    const same = await ops('POST', '/tokens', { name: randomUUID(), role: 'viewer' }, { key: secret });
    expect(same.json).toMatchObject({ token: { expires_at: soon } });
  });
});
