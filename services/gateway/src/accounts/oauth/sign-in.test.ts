import { beforeAll, describe, expect, jest, test } from '@jest/globals';
import { type Brand, makeBrand, startReplica } from '../../test/edge-app.js';
import { formBrowser, formTokenIn } from '../../test/forms.js';
import { ask } from '../../test/http.js';
import {
  aClient,
  allowed,
  answerTo,
  authorizePath,
  MCP_RESOURCE,
  openSignIn,
  REDIRECT,
  REST_RESOURCE,
  redeem,
  refresh,
  register,
  revoke,
  signedIn,
  type Tokens,
} from '../../test/mcp-client.js';
import { type SignedIn, signIn } from '../../test/people.js';
import { testEdge } from '../../test/suite.js';
import { hashOf } from './token-format.js';

describe('sign-in of MCP clients', () => {
  const edge = testEdge('gateway_oauth');
  let brand: Brand;
  let owner: SignedIn;
  beforeAll(async () => {
    brand = await makeBrand(edge);
    owner = await signIn(edge, brand);
  });

  const browser = () => formBrowser(edge.url, owner.cookie);
  const keyId = (name: string) => brand.ids[name] ?? '';

  const tools = (token: string) =>
    ask(edge.url, '/api/mcp', {
      method: 'POST',
      key: token,
      body: { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} },
    });

  test('a client that a person allows gets tokens that act as the chosen key', async () => {
    const client = await aClient(edge.url);
    const code = await allowed(browser(), client, keyId('full'));
    const answer = await redeem(client, code);
    expect(answer).toMatchObject({ status: 200, json: { token_type: 'Bearer', expires_in: 3_600 } });
    const tokens = answer.json as Tokens;
    expect(tokens.access_token).toMatch(/^cds_mcp_/);
    expect((await tools(tokens.access_token)).status).toBe(200);

    const next = await refresh(client, tokens.refresh_token);
    expect(next).toMatchObject({ status: 200, json: { expires_in: 3_600 } });
  });

  test('a code opens once: the second time it ends what the first has got', async () => {
    const client = await aClient(edge.url);
    const code = await allowed(browser(), client, keyId('full'));
    const first = await redeem(client, code);
    const { access_token } = first.json as Tokens;
    expect((await tools(access_token)).status).toBe(200);

    expect(await redeem(client, code)).toMatchObject({ status: 400, json: { error: 'invalid_grant' } });
    expect((await tools(access_token)).status).toBe(401);
  });

  test('of twenty who redeem a code at once, on two gateways, at most one gets tokens', async () => {
    const replica = await startReplica(edge);
    try {
      const client = await aClient(edge.url);
      const code = await allowed(browser(), client, keyId('full'));
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, at) => redeem({ ...client, url: at % 2 === 0 ? edge.url : replica.url }, code)),
      );
      const got = answers.filter(({ status }) => status === 200);
      expect(got.length).toBeLessThanOrEqual(1);
      expect(answers.filter(({ status }) => status === 400)).toHaveLength(20 - got.length);
    } finally {
      await replica.stop();
    }
  });

  test.each([-30, 2, 30, 24 * 60])('a gateway whose clock is %i minutes off signs clients in', async (minutes) => {
    const client = await aClient(edge.url);
    const [person, code] = [browser(), await allowed(browser(), client, keyId('full'))];
    const path = await openSignIn(person, client);
    const now = Date.now.bind(Date);
    const clock = jest.spyOn(Date, 'now').mockImplementation(() => now() + minutes * 60_000);
    try {
      const form_token = formTokenIn((await person.get(path)).text, path);
      const decided = await person.post(path, { form_token, key: keyId('full') });
      expect((await answerTo(person, decided)).get('code')).toEqual(expect.any(String));
      const first = await redeem(client, code);
      expect(first).toMatchObject({ status: 200, json: { expires_in: 3_600 } });
      const next = await refresh(client, (first.json as Tokens).refresh_token);
      expect(next).toMatchObject({ status: 200, json: { expires_in: 3_600 } });
      clock.mockRestore();
      expect((await tools((next.json as Tokens).access_token)).status).toBe(200);
    } finally {
      clock.mockRestore();
    }
  });

  test('a code needs its verifier, its client and its address', async () => {
    const client = await aClient(edge.url);
    const other = await aClient(edge.url);
    const wrong: [string, Record<string, string>][] = [
      ['verifier', { code_verifier: other.verifier }],
      ['no verifier', { code_verifier: '' }],
      ['client', { client_id: other.clientId }],
      ['address', { redirect_uri: 'http://127.0.0.1:49152/other' }],
    ];
    for (const [what, over] of wrong) {
      const code = await allowed(browser(), client, keyId('full'));
      expect([what, (await redeem(client, code, over)).json]).toMatchObject([what, { error: 'invalid_grant' }]);
    }
  });

  test('a sign-in needs a proof by S256, an address of the client and our own resource', async () => {
    const client = await aClient(edge.url);
    const wrong: [Record<string, string>, string][] = [
      [{ code_challenge: '' }, 'invalid_request'],
      [{ code_challenge_method: 'plain', code_challenge: client.verifier }, 'invalid_request'],
      [{ resource: 'https://another.example/api/mcp' }, 'invalid_target'],
      [{ resource: 'http://app.test/api' }, 'invalid_target'],
      [{ resource: 'http://app.test/api/v1/' }, 'invalid_target'],
    ];
    for (const [over, error] of wrong) {
      const answer = await browser().get(authorizePath(client, over));
      const location = new URL(answer.headers.get('location') ?? 'http://none.test');
      expect([over, location.origin, location.searchParams.get('error')]).toEqual([
        over,
        new URL(REDIRECT).origin,
        error,
      ]);
      expect(location.searchParams.get('iss')).toBe('http://app.test');
    }
    for (const over of [{ redirect_uri: 'https://evil.example/callback' }, { client_id: 'nobody' }]) {
      const answer = await browser().get(authorizePath(client, over));
      expect([answer.status, answer.headers.get('location')]).toEqual([400, null]);
      expect(answer.text).toContain('<h1>Invalid request</h1>');
      expect(answer.text).toMatch(/cannot be used: (?:redirect_uri|client).+Start the sign-in again in the agent/);
    }
  });

  /** What a REST endpoint answers a token. */
  const rest = async (token: string, path = '/api/v1/events') => (await ask(edge.url, path, { key: token })).status;
  const mcp = async (token: string) => (await tools(token)).status;

  test('a token for MCP opens MCP alone', async () => {
    const { access_token: token } = await signedIn(browser(), await aClient(edge.url), keyId('full'));
    for (const path of [
      '/api/v1/inventory',
      '/api/v1/limits',
      '/api/v1/events',
      '/api/keys/usage?days=7',
      '/api/brand/me',
      '/api/ops/me',
      '/api/sandbox/clock',
    ])
      expect([path, await rest(token, path)]).toEqual([path, 401]);
    expect(await mcp(token)).toBe(200);
  });

  test('a token for REST opens what a key opens by REST, and MCP never', async () => {
    const client = await aClient(edge.url, {}, REST_RESOURCE);
    const tokens = await signedIn(browser(), client, keyId('full'));
    expect(tokens.access_token).toMatch(/^cds_api_/);
    for (const path of ['/api/v1/events', '/api/keys/usage?days=7'])
      expect([path, await rest(tokens.access_token, path)]).toEqual([path, 200]);
    for (const path of ['/api/brand/me', '/api/ops/me'])
      expect([path, await rest(tokens.access_token, path)]).toEqual([path, 401]);
    const refused = await tools(tokens.access_token);
    expect(refused.status).toBe(401);
    expect(refused.headers.get('www-authenticate')).toContain('error="invalid_token"');

    const next = (await refresh(client, tokens.refresh_token)).json as Tokens;
    expect(next.access_token).toMatch(/^cds_api_/);
    expect([await rest(next.access_token), await mcp(next.access_token)]).toEqual([200, 401]);
    expect((await revoke(client, next.refresh_token)).status).toBe(200);
    expect(await rest(next.access_token)).toBe(401);
  });

  test('a token for REST acts as its key: within its scopes, counted and logged with it', async () => {
    const client = await aClient(edge.url, {}, REST_RESOURCE);
    const { access_token: token } = await signedIn(browser(), client, keyId('narrow'));
    const refused = await ask(edge.url, '/api/v1/campaigns', { key: token });
    expect(refused.status).toBe(403);
    expect(refused.headers.get('www-authenticate')).toBe('Bearer error="insufficient_scope", scope="campaigns:read"');
    const left = async (key: string) =>
      Number((await ask(edge.url, '/api/keys/usage?days=7', { key })).headers.get('ratelimit-remaining'));
    const before = await left(token);
    expect(await left(brand.live['narrow'] ?? '')).toBe(before - 1);
  });

  test('a sign-in is for one resource, from its code to its last token', async () => {
    for (const [own, other] of [
      [MCP_RESOURCE, REST_RESOURCE],
      [REST_RESOURCE, MCP_RESOURCE],
    ] as const) {
      const client = await aClient(edge.url, {}, own);
      const code = await allowed(browser(), client, keyId('full'));
      expect(await redeem(client, code, { resource: other })).toMatchObject({ json: { error: 'invalid_target' } });
      const tokens = await signedIn(browser(), client, keyId('full'));
      // What is refused uses nothing up: the client may ask again for what is its own.
      expect(await refresh(client, tokens.refresh_token, { resource: other })).toMatchObject({
        json: { error: 'invalid_target', error_description: `this sign-in is for ${own}` },
      });
      expect((await refresh(client, tokens.refresh_token, { resource: own })).status).toBe(200);
    }
    const client = await aClient(edge.url);
    const both = `${authorizePath(client)}&resource=${encodeURIComponent(REST_RESOURCE)}`;
    const refused = new URL((await browser().get(both)).headers.get('location') ?? 'http://none.test');
    expect(refused.searchParams.get('error')).toBe('invalid_target');
  });

  test('the person reads what the client will work with', async () => {
    for (const [resource, words] of [
      [MCP_RESOURCE, 'With the tools of the MCP endpoint'],
      [REST_RESOURCE, 'By calls of the REST API'],
    ] as const) {
      const one = browser();
      const shown = await one.get(await openSignIn(one, await aClient(edge.url, {}, resource)));
      expect(shown.text).toContain(words);
    }
  });

  test.each([
    ['MCP', MCP_RESOURCE, REST_RESOURCE, mcp],
    ['REST', REST_RESOURCE, MCP_RESOURCE, rest],
  ] as const)('a token for %s of another audience, or whose grant is gone, opens nothing', async (...row) => {
    const [, own, other, open] = row;
    const { rows } = edge.edge.oauth;
    const { access_token: token } = await signedIn(browser(), await aClient(edge.url, {}, own), keyId('full'));
    const _id = hashOf(token);
    const stored = await rows.tokens.findOne({ _id });
    await rows.tokens.updateOne({ _id }, { $set: { audience: other } });
    expect(await open(token)).toBe(401);
    await rows.tokens.updateOne({ _id }, { $set: { audience: stored?.audience ?? null } });
    expect(await open(token)).toBe(200);
    await rows.grants.deleteOne({ _id: stored?.grant_id ?? '' });
    expect(await open(token)).toBe(401);
  });

  test('a token that has expired opens nothing', async () => {
    const { rows } = edge.edge.oauth;
    const { access_token: token } = await signedIn(browser(), await aClient(edge.url), keyId('full'));
    await rows.tokens.updateOne({ _id: hashOf(token) }, { $set: { expires_at: new Date() } });
    const refused = await tools(token);
    expect(refused.status).toBe(401);
    expect(refused.headers.get('www-authenticate')).toContain('error="invalid_token"');
  });

  test('a client gives up its sign-in with either token', async () => {
    for (const which of ['access_token', 'refresh_token'] as const) {
      const client = await aClient(edge.url);
      const tokens = await signedIn(browser(), client, keyId('full'));
      expect((await revoke(client, tokens[which])).status).toBe(200);
      expect((await tools(tokens.access_token)).status).toBe(401);
      expect((await refresh(client, tokens.refresh_token)).status).toBe(400);
    }
  });

  test('the end of a sign-in is in the audit once, with who ended it', async () => {
    const ends = async (name: string) => {
      const connected = await edge.edge.oauth.rows.grants.findOne({ client_name: name });
      const before = await edge.shell.store.db.collection('audit').countDocuments({ action: 'client.ended' });
      return { id: connected?._id, before };
    };
    const entries = async (before: number) =>
      (await edge.shell.store.db.collection('audit').find({ action: 'client.ended' }).sort({ _id: 1 }).toArray()).slice(
        before,
      );

    const leaving = await aClient(edge.url, { client_name: 'Agent that leaves' });
    const tokens = await signedIn(browser(), leaving, keyId('full'));
    const left = await ends('Agent that leaves');
    await revoke(leaving, tokens.refresh_token);
    await revoke(leaving, tokens.access_token);
    expect(await entries(left.before)).toMatchObject([{ actor: `client:${left.id}`, object: keyId('full') }]);

    const robbed = await aClient(edge.url, { client_name: 'Agent that was robbed' });
    const { refresh_token: stale } = await signedIn(browser(), robbed, keyId('full'));
    await refresh(robbed, stale);
    const { before } = await ends('Agent that was robbed');
    await refresh(robbed, stale);
    await refresh(robbed, stale);
    expect(await entries(before)).toMatchObject([{ actor: 'system', object: keyId('full') }]);
  });

  test('a client cannot give up the sign-in of another', async () => {
    const client = await aClient(edge.url);
    const tokens = await signedIn(browser(), client, keyId('full'));
    const other = await aClient(edge.url);
    for (const which of ['access_token', 'refresh_token'] as const) await revoke(other, tokens[which]);
    expect((await tools(tokens.access_token)).status).toBe(200);
    expect((await refresh(client, tokens.refresh_token)).status).toBe(200);
  });

  test('a tool beyond the scopes of the key sends the client to sign in again', async () => {
    const { access_token: token } = await signedIn(browser(), await aClient(edge.url), keyId('narrow'));
    const call = { name: 'campaigns_list', arguments: {} };
    const answer = await ask(edge.url, '/api/mcp', {
      method: 'POST',
      key: token,
      body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: call },
    });
    expect(answer.status).toBe(403);
    expect(answer.headers.get('www-authenticate')).toBe(
      'Bearer error="insufficient_scope", scope="campaigns:read", resource_metadata="http://app.test/.well-known/oauth-protected-resource/api/mcp"',
    );
  });

  test('no row holds a code or token', async () => {
    const client = await aClient(edge.url);
    const code = await allowed(browser(), client, keyId('full'));
    const tokens = (await redeem(client, code)).json as Tokens;
    const { rows } = edge.edge.oauth;
    const stored = JSON.stringify([
      await rows.tokens.find().toArray(),
      await rows.grants.find().toArray(),
      await rows.requests.find().toArray(),
    ]);
    for (const secret of [code, tokens.access_token, tokens.refresh_token]) expect(stored).not.toContain(secret);
  });

  test('a person refuses, and the client hears of it', async () => {
    const client = await aClient(edge.url);
    const one = browser();
    const path = await openSignIn(one, client);
    const answer = await answerTo(one, await one.submit(path, `${path}/refuse`));
    expect(Object.fromEntries(answer)).toMatchObject({
      error: 'access_denied',
      state: client.state,
      iss: 'http://app.test',
    });
  });

  test.each([
    ['allows', ''],
    ['refuses', '/refuse'],
  ])(
    'a person who %s a client after the sign-in has ended reads that, and nothing is connected',
    async (_what, step) => {
      const client = await aClient(edge.url);
      const one = browser();
      const path = await openSignIn(one, client);
      const form_token = formTokenIn((await one.get(path)).text, `${path}${step}`);
      const { rows } = edge.edge.oauth;
      const connected = () => edge.shell.store.db.collection('audit').countDocuments({ action: 'client.connected' });
      const before = await connected();
      const read = rows.request.bind(rows);
      // It ends once the page has read it.
      const ending = jest.spyOn(rows, 'request').mockImplementation(async (uid) => {
        const row = await read(uid);
        await rows.dropRequest(uid);
        return row;
      });
      try {
        const answer = await one.post(`${path}${step}`, { form_token, key: keyId('full') });
        expect(answer.status).toBe(404);
        expect(answer.text).toContain('This sign-in has ended');
      } finally {
        ending.mockRestore();
      }
      expect(await connected()).toBe(before);
      expect(await rows.grants.countDocuments({ client_id: client.clientId })).toBe(0);
    },
  );

  test('a decision that is sent again leaves the grant as the client has renewed it', async () => {
    const client = await aClient(edge.url);
    const one = browser();
    const path = await openSignIn(one, client);
    const form_token = formTokenIn((await one.get(path)).text, path);
    const decide = () => one.post(path, { form_token, key: keyId('full') });
    const connected = () => edge.shell.store.db.collection('audit').countDocuments({ action: 'client.connected' });
    const before = await connected();
    expect((await decide()).status).toBe(200);
    const { grants } = edge.edge.oauth.rows;
    const ofClient = { client_id: client.clientId };
    const [renewed_at, expires_at] = [new Date(), new Date(Date.now() + 30 * 86_400_000)];
    await grants.updateOne(ofClient, { $set: { renewed_at, expires_at } });
    const grant = await grants.findOne(ofClient);

    expect((await decide()).status).toBe(200);
    expect(await grants.find(ofClient).toArray()).toEqual([grant]);
    expect(await connected()).toBe(before + 1);
  });

  test('a role that may not make keys connects no client', async () => {
    const member = await signIn(edge, brand, 'member');
    const client = await aClient(edge.url);
    const one = formBrowser(edge.url, member.cookie);
    const path = await openSignIn(one, client);
    const shown = await one.get(path);
    expect(shown.text).toContain('Your role cannot connect it');
    expect(shown.text).not.toContain('value="Allow"');
    const answer = await answerTo(one, await one.submit(path, `${path}/refuse`));
    expect(answer.get('error')).toBe('access_denied');
  });

  test('nobody decides a sign-in that was begun in another browser', async () => {
    const client = await aClient(edge.url);
    const path = await openSignIn(browser(), client);
    expect((await browser().get(path)).status).toBe(404);
  });

  test('a key of another workspace is no choice', async () => {
    const other = await makeBrand(edge);
    const client = await aClient(edge.url);
    const one = browser();
    const path = await openSignIn(one, client);
    const answer = await one.submit(path, path, { key: other.ids['full'] ?? '' });
    expect(answer.status).toBe(422);
    expect(answer.text).toContain('Choose one of these keys.');
  });

  test('an admin sees who is signed in as a key, and signs them out', async () => {
    const client = await aClient(edge.url, { client_name: 'Agent to sign out' });
    const tokens = await signedIn(browser(), client, keyId('full'));
    const listed = await ask(edge.url, '/api/brand/clients', { cookie: owner.cookie });
    const { clients } = listed.json as { clients: { id: string; key_id: string; name: string }[] };
    expect(clients.find(({ name }) => name === 'Agent to sign out')).toMatchObject({
      key_id: keyId('full'),
      answers_go_to: 'a program on this device',
      connected_by: `person:${owner.person_id}`,
    });

    const one = browser();
    const path = `/developers/keys/${keyId('full')}`;
    const shown = await one.get(path);
    const form = shown.text.split('<form').find((one) => one.includes('<b>Agent to sign out<')) ?? '';
    const [, action = ''] = /action="([^"]+)"/.exec(form) ?? [];
    expect((await one.submit(path, action)).headers.get('location')).toBe(`${path}?done=client`);
    expect((await tools(tokens.access_token)).status).toBe(401);
    expect((await refresh(client, tokens.refresh_token)).status).toBe(400);

    const actions = await edge.shell.store.db
      .collection('audit')
      .find({ object: keyId('full') })
      .toArray();
    const named = actions.map((entry) => (entry as unknown as { action: string }).action);
    expect(named).toEqual(expect.arrayContaining(['client.connected', 'client.ended']));
  });

  test('what a client says of itself is kept as far as it can be shown', async () => {
    const said = await register(edge.url, {
      client_name: ' Agent\u202e\u0000 of  a brand ',
      token_endpoint_auth_method: 'client_secret_post',
      logo_uri: 'https://logo.example/logo.png',
    });
    expect(said).toMatchObject({
      status: 201,
      json: { client_name: 'Agent of a brand', token_endpoint_auth_method: 'none', redirect_uris: [REDIRECT] },
    });
    expect(said.text).not.toContain('logo');
    expect(said.text).not.toContain('secret');
    for (const redirect of ['http://evil.example/', 'javascript:alert(1)', 'https://u:p@a.example/', 'myapp://back', 7])
      expect([redirect, (await register(edge.url, { redirect_uris: [redirect] })).json]).toMatchObject([
        redirect,
        { error: 'invalid_redirect_uri' },
      ]);
    const { error_description } = (await register(edge.url, { redirect_uris: ['myapp://back'] })).json as {
      error_description: string;
    };
    expect(error_description).toContain('such as com.example.app:/oauth/callback');
    for (const redirect of [
      'https://a.example/back',
      'http://localhost:1/',
      'http://[::1]:8/x',
      'cursor://anysphere/x',
      'com.example.app:/oauth/callback',
    ])
      expect([redirect, (await register(edge.url, { redirect_uris: [redirect] })).status]).toEqual([redirect, 201]);
  });

  test('a client whose id is an address is what the document there says', async () => {
    const url = 'https://agent.example.com/client.json';
    const fetched: string[] = [];
    edge.edge.oauth.fetchDocument = async (asked) => {
      fetched.push(asked);
      const document = { client_id: url, client_name: 'Described agent', redirect_uris: ['http://127.0.0.1/callback'] };
      return { url: asked, body: Buffer.from(JSON.stringify(document)) };
    };
    const client = { ...(await aClient(edge.url)), clientId: url };
    const one = browser();
    const path = await openSignIn(one, client);
    const shown = await one.get(path);
    expect(shown.text).toContain('Described agent');
    expect(shown.text).toContain('agent.example.com');
    expect(fetched).toEqual([url]);
    const tokens = await signedIn(browser(), client, keyId('full'));
    expect((await tools(tokens.access_token)).status).toBe(200);
  });

  test('a document that an open redirect leads to describes no client, so no host lends it its name', async () => {
    const url = 'https://well-known.example.com/redirect?to=evil';
    const before = edge.edge.oauth.fetchDocument;
    edge.edge.oauth.fetchDocument = async () => {
      const document = { client_id: url, client_name: 'Described agent', redirect_uris: [REDIRECT] };
      return { url: 'https://evil.example.net/client.json', body: Buffer.from(JSON.stringify(document)) };
    };
    try {
      const answer = await browser().get(authorizePath({ ...(await aClient(edge.url)), clientId: url }));
      expect([answer.status, answer.headers.get('location')]).toEqual([400, null]);
    } finally {
      edge.edge.oauth.fetchDocument = before;
    }
  });

  test('the documents name each other', async () => {
    for (const path of ['/.well-known/oauth-protected-resource/api/mcp', '/.well-known/oauth-protected-resource'])
      expect(await ask(edge.url, path)).toMatchObject({
        status: 200,
        json: {
          resource: 'http://app.test/api/mcp',
          authorization_servers: ['http://app.test'],
          bearer_methods_supported: ['header'],
        },
      });
    expect((await ask(edge.url, '/.well-known/oauth-protected-resource/api/v1')).json).toMatchObject({
      resource: 'http://app.test/api/v1',
    });
    expect(await ask(edge.url, '/.well-known/oauth-authorization-server')).toMatchObject({
      status: 200,
      json: {
        issuer: 'http://app.test',
        authorization_endpoint: 'http://app.test/connect',
        token_endpoint: 'http://app.test/connect/token',
        code_challenge_methods_supported: ['S256'],
        token_endpoint_auth_methods_supported: ['none'],
        authorization_response_iss_parameter_supported: true,
        client_id_metadata_document_supported: true,
      },
    });
  });

  test('the refusal of a registration that cannot be read says what is wrong with it', async () => {
    expect(await ask(edge.url, '/connect/register', { method: 'POST', body: [] })).toMatchObject({
      status: 400,
      json: { error: 'invalid_request', error_description: 'body must be a JSON object' },
    });
  });

  test('opened by hand, the page says how to connect an agent', async () => {
    const shown = await formBrowser(edge.url).get('/connect');
    expect(shown.status).toBe(200);
    for (const text of ['Claude Code', 'Cursor', 'VS Code', 'Codex', 'Gemini CLI', 'http://app.test/api/mcp'])
      expect(shown.text).toContain(text);
  });
});
