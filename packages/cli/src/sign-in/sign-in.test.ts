import { mkdtemp, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { readLogin, type SignIn, saveLogin } from '../login-file.js';
import { run } from '../run.js';
import { aWorld, KEY, NOW, URL_OF_SERVICE } from '../test/fake-world.js';
import { Interrupted } from '../world.js';
import { listen } from './loopback.js';
import { challengeOf } from './proof.js';

const HOUR_MS = 3_600_000;
const REDIRECT = 'http://127.0.0.1:49152/callback';
const METADATA = 'GET /.well-known/oauth-authorization-server';
const TOKEN = 'POST /connect/token';
const REVOKE = 'POST /connect/revoke';
const USAGE = 'GET /api/keys/usage?limit=1';

const metadata = {
  issuer: URL_OF_SERVICE,
  authorization_endpoint: `${URL_OF_SERVICE}/connect`,
  token_endpoint: `${URL_OF_SERVICE}/connect/token`,
  revocation_endpoint: `${URL_OF_SERVICE}/connect/revoke`,
  registration_endpoint: `${URL_OF_SERVICE}/connect/register`,
};

const replies = {
  [METADATA]: { body: metadata },
  'POST /connect/register': { status: 201, body: { client_id: 'client-1' } },
  [TOKEN]: { body: { access_token: 'cds_api_2', refresh_token: 'cds_mcr_2', expires_in: 3_600, scope: 'brain:read' } },
  [REVOKE]: { body: '' },
  [USAGE]: { body: { requests: [], next: null } },
  'GET /api/v1/inventory': { body: { segments: [], channels: [] } },
};

const SIGNED_IN: SignIn = {
  url: URL_OF_SERVICE,
  clientId: 'client-1',
  accessToken: 'cds_api_1',
  endsAt: NOW + HOUR_MS,
  refreshToken: 'cds_mcr_1',
  scope: 'brain:read',
};

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cds-sign-in-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** A world whose browser brings back what `answer` makes of the page that was opened. */
const aBrowser = (
  answer: (page: URLSearchParams) => Record<string, string>,
  over: Parameters<typeof aWorld>[0] = {},
) => {
  const closed = { loopback: false };
  const all = aWorld({
    folder,
    key: null,
    replies,
    listen: async (accepts) => ({
      redirectUri: REDIRECT,
      answer: async () => {
        const page = new URL(all.opened.at(-1) ?? '').searchParams;
        const back = new URLSearchParams(answer(page));
        return accepts(back) ? back : Promise.reject(new Error('it waits on'));
      },
      close: async () => {
        closed.loopback = true;
      },
    }),
    ...over,
  });
  return { ...all, closed };
};

const allowed = (page: URLSearchParams) => ({ code: 'code-1', state: page.get('state') ?? '', iss: URL_OF_SERVICE });

const requestsOf = ({ sent }: ReturnType<typeof aWorld>) => sent.map(({ request }) => request);

describe('cds login by browser', () => {
  it('asks for the REST API alone, proves itself by S256, and saves the tokens for their owner alone', async () => {
    const all = aBrowser(allowed);
    expect(await run(['login'], all.world)).toBe(0);
    const page = new URL(all.opened[0] ?? '');
    expect(page.origin + page.pathname).toBe(`${URL_OF_SERVICE}/connect`);
    const asked = Object.fromEntries(page.searchParams);
    expect(asked).toMatchObject({
      response_type: 'code',
      client_id: 'client-1',
      redirect_uri: REDIRECT,
      code_challenge_method: 'S256',
      resource: `${URL_OF_SERVICE}/api/v1`,
    });
    expect(all.sent[1]?.body).toEqual({ client_name: 'cds on laptop', redirect_uris: [REDIRECT] });
    const redeemed = all.sent[2]?.body as Record<string, string>;
    expect(redeemed).toMatchObject({ code: 'code-1', client_id: 'client-1', resource: asked['resource'] });
    const verifier = redeemed['code_verifier'] ?? '';
    expect(challengeOf({ verifier, state: '' })).toBe(asked['code_challenge']);

    expect(await readLogin(folder)).toEqual({
      ...SIGNED_IN,
      accessToken: 'cds_api_2',
      refreshToken: 'cds_mcr_2',
      endsAt: NOW + HOUR_MS,
    });
    expect((await stat(join(folder, 'login.json'))).mode & 0o777).toBe(0o600);
    for (const secret of ['cds_api_2', 'cds_mcr_2', verifier])
      expect(all.said.out + all.said.err).not.toContain(secret);
    expect(all.closed.loopback).toBe(true);
  });

  it.each([
    ['a refusal', (page: URLSearchParams) => ({ ...allowed(page), code: '', error: 'access_denied' }), 5],
    ['an error', (page: URLSearchParams) => ({ ...allowed(page), error: 'server_error' }), 3],
    ['another issuer', (page: URLSearchParams) => ({ ...allowed(page), iss: 'https://evil.example' }), 3],
  ])('after %s it saves nothing and redeems nothing', async (_case, answer, exit) => {
    const all = aBrowser(answer);
    expect(await run(['login'], all.world)).toBe(exit);
    expect(requestsOf(all)).not.toContain(TOKEN);
    expect(await readLogin(folder)).toBeNull();
    expect(all.closed.loopback).toBe(true);
  });

  it.each([
    ['names another address', { ...metadata, issuer: 'https://app.example' }],
    ['takes tokens elsewhere', { ...metadata, token_endpoint: 'https://evil.example/token' }],
    ['is none', { hello: 'world' }],
  ])('sends nothing where the document %s', async (_case, body) => {
    const all = aBrowser(allowed, { replies: { ...replies, [METADATA]: { body } } });
    expect(await run(['login'], all.world)).toBe(2);
    expect(requestsOf(all)).toEqual([METADATA]);
  });

  it('says that the service is unavailable, and ends with Ctrl+C', async () => {
    const away = { status: 503, body: { error: 'temporarily_unavailable', error_description: 'Later.' } };
    const first = aBrowser(allowed, { replies: { ...replies, [TOKEN]: away } });
    expect(await run(['login'], first.world)).toBe(4);
    const second = aBrowser(allowed, {
      listen: async () => ({
        redirectUri: REDIRECT,
        close: async () => undefined,
        answer: (signal) => {
          second.interrupt.abort(new Interrupted());
          return Promise.reject(signal.reason);
        },
      }),
    });
    expect(await run(['login'], second.world)).toBe(130);
  });

  it('ends the sign-in that it replaces, also when a key does', async () => {
    for (const [args, over] of [
      [['login'], {}],
      [['login', '--key-stdin'], { input: KEY }],
    ] as const) {
      await saveLogin(folder, SIGNED_IN);
      const all = aBrowser(allowed, over);
      expect(await run(args, all.world)).toBe(0);
      expect(all.sent.at(-1)).toMatchObject({ request: REVOKE, body: { token: 'cds_mcr_1' } });
    }
    expect(await readLogin(folder)).toEqual({ url: URL_OF_SERVICE, key: KEY });
  });
});

describe('a saved sign-in', () => {
  const inventory = (over: Parameters<typeof aWorld>[0] = {}) => aWorld({ folder, key: null, replies, ...over });

  it('sends its token, to its own address alone', async () => {
    await saveLogin(folder, SIGNED_IN);
    const here = inventory();
    expect(await run(['inventory'], here.world)).toBe(0);
    expect(here.sent).toMatchObject([{ key: 'Bearer cds_api_1' }]);
    const elsewhere = inventory();
    expect(await run(['inventory', '--url', 'https://other.example'], elsewhere.world)).toBe(3);
    expect(elsewhere.sent).toEqual([]);
  });

  it('renews its token before it ends, and keeps the new pair', async () => {
    await saveLogin(folder, { ...SIGNED_IN, endsAt: NOW + 30_000 });
    const all = inventory();
    expect(await run(['inventory'], all.world)).toBe(0);
    expect(all.sent).toMatchObject([
      { request: METADATA },
      { request: TOKEN, body: { grant_type: 'refresh_token', refresh_token: 'cds_mcr_1' } },
      { key: 'Bearer cds_api_2' },
    ]);
    expect(await readLogin(folder)).toMatchObject({ refreshToken: 'cds_mcr_2', endsAt: NOW + HOUR_MS });
    expect((await stat(join(folder, 'login.json'))).mode & 0o777).toBe(0o600);
  });

  it('is renewed once by all commands that run at the same time', async () => {
    await saveLogin(folder, { ...SIGNED_IN, endsAt: 0 });
    const all = Array.from({ length: 8 }, () => inventory());
    expect(await Promise.all(all.map(({ world }) => run(['inventory'], world)))).toEqual(all.map(() => 0));
    expect(all.flatMap(requestsOf).filter((request) => request === TOKEN)).toHaveLength(1);
    expect(all.map(({ sent }) => sent.at(-1)?.key)).toEqual(all.map(() => 'Bearer cds_api_2'));
  });

  it('is renewed although a command died while it renewed', async () => {
    await saveLogin(folder, { ...SIGNED_IN, endsAt: 0 });
    const lock = join(folder, 'login.lock');
    await writeFile(lock, '');
    const longAgo = new Date(Date.now() - HOUR_MS);
    await utimes(lock, longAgo, longAgo);
    expect(await run(['inventory'], inventory().world)).toBe(0);
    await expect(stat(lock)).rejects.toThrow('ENOENT');
  });

  it('that has ended says so, and stays as it was', async () => {
    await saveLogin(folder, { ...SIGNED_IN, endsAt: 0 });
    const gone = { status: 400, body: { error: 'invalid_grant', error_description: 'grant request is invalid' } };
    const { world, said } = inventory({ replies: { ...replies, [TOKEN]: gone } });
    expect(await run(['inventory'], world)).toBe(3);
    expect(said.err).toContain('Sign in again: cds login');
    expect(await readLogin(folder)).toMatchObject({ refreshToken: 'cds_mcr_1' });
  });

  it('gives way to CDS_API_KEY', async () => {
    await saveLogin(folder, SIGNED_IN);
    const { world, sent } = inventory({ key: KEY });
    expect(await run(['inventory'], world)).toBe(0);
    expect(sent).toMatchObject([{ key: `Bearer ${KEY}` }]);
  });

  it('ends at the service with logout', async () => {
    await saveLogin(folder, SIGNED_IN);
    const all = inventory();
    expect(await run(['logout'], all.world)).toBe(0);
    expect(all.sent.at(-1)).toMatchObject({ request: REVOKE, body: { token: 'cds_mcr_1', client_id: 'client-1' } });
    expect(await readLogin(folder)).toBeNull();
  });

  it('is removed by logout even where the service does not answer, which it says', async () => {
    await saveLogin(folder, SIGNED_IN);
    const { world, said } = inventory({ replies: { ...replies, [REVOKE]: { status: 503, body: '' } } });
    expect(await run(['logout'], world)).toBe(4);
    expect(said.err).toContain('End it in Developers');
    expect(await readLogin(folder)).toBeNull();
  });

  it('shows who it is without any token', async () => {
    await saveLogin(folder, SIGNED_IN);
    const { world, said } = inventory({
      replies: {
        'GET /api/keys/usage?days=7': { body: { total: 5, days: [] } },
        'GET /api/v1/brain?section=name': { body: { value: 'Orbit' } },
        'GET /api/sandbox/clock': { status: 403, body: { error: { code: 'forbidden', message: 'No sandbox.' } } },
      },
    });
    expect(await run(['whoami', '--json'], world)).toBe(0);
    expect(JSON.parse(said.out)).toMatchObject({ workspace: 'live', key: null, scopes: ['brain:read'], from: 'login' });
    expect(said.out).not.toContain('cds_api_1');
  });

  it('is nothing that a damaged file holds', async () => {
    for (const text of ['', '{', '{"url":"https://cds.example","refreshToken":"x"}', 'null']) {
      await writeFile(join(folder, 'login.json'), text);
      expect(await readLogin(folder)).toBeNull();
    }
    expect(await readFile(join(folder, 'login.json'), 'utf8')).toBe('null');
  });
});

describe('the address on this machine', () => {
  const open = (url: string, method = 'GET') => fetch(url, { method });

  it('takes the answer that is accepted, and ends by no other request', async () => {
    const loopback = await listen((answer) => answer.get('state') === 'mine');
    const answer = loopback.answer(new AbortController().signal);
    expect(loopback.redirectUri).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/callback$/);
    for (const wrong of [
      `${loopback.redirectUri}?state=theirs&code=x`,
      loopback.redirectUri,
      loopback.redirectUri.replace('callback', 'other?state=mine'),
    ])
      expect((await open(wrong)).status).toBe(404);
    expect((await open(`${loopback.redirectUri}?state=mine`, 'POST')).status).toBe(404);
    const shown = await open(`${loopback.redirectUri}?state=mine&code=%3Cscript%3E`);
    expect(await shown.text()).not.toContain('script');
    expect((await answer).get('code')).toBe('<script>');
    await loopback.close();
  });

  it('ends with the signal', async () => {
    const loopback = await listen(() => true);
    const interrupt = new AbortController();
    const answer = loopback.answer(interrupt.signal);
    interrupt.abort(new Interrupted());
    await expect(answer).rejects.toThrow(Interrupted);
    await loopback.close();
  });
});
