import type { Outside } from '@cds/service';
import { describe, expect, it } from '@jest/globals';
import { SafeTransport, XChannel } from './x-channel.js';

const TOKEN = 'a-token-that-nobody-else-may-see';
const SINCE = new Date('2026-10-20T03:00:00.123Z');
const AT = Date.parse('2026-11-19T03:00:00.000Z');

type Asked = { url: URL; headers: Readonly<Record<string, string>> };
type Answer = { status?: number; type?: string; location?: string; body?: unknown };

const aUser = (id: string) => ({
  id,
  username: `user_${id}`,
  name: `User ${id}`,
  created_at: '2020-01-01T00:00:00.000Z',
  public_metrics: { followers_count: 12_345, following_count: 1, tweet_count: 1, listed_count: 0 },
});
const aPost = (id: number, over: object = {}) => ({
  id: String(id),
  text: `Note ${id} on startup founders`,
  lang: 'en',
  conversation_id: String(id),
  created_at: new Date(AT - id * 60_000).toISOString(),
  public_metrics: { impression_count: 1_000, like_count: 10, reply_count: 1, repost_count: 2, quote_count: 0 },
  ...over,
});

/** An outside world where every host has a public address and answers as the test says; it records the requests. */
const aWorld = (answer: (url: URL) => Answer): { outside: Outside; asked: Asked[] } => {
  const asked: Asked[] = [];
  return {
    asked,
    outside: {
      resolve: async () => ['93.184.215.14'],
      connect: async (url, _address, _signal, headers) => {
        asked.push({ url, headers });
        const { status = 200, type = 'application/json; charset=utf-8', location, body = {} } = answer(url);
        return {
          status,
          headers: { 'content-type': type, ...(location === undefined ? {} : { location }) },
          body: (async function* () {
            yield Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
          })(),
        };
      },
    },
  };
};

/** X with these timelines, in pages. */
const anX = (timelines: Readonly<Record<string, readonly (readonly object[])[]>>) =>
  aWorld((url) => {
    if (url.pathname === '/2/users') {
      const ids = (url.searchParams.get('ids') ?? '').split(',');
      return { body: { data: ids.filter((id) => id in timelines).map(aUser) } };
    }
    const pages = timelines[/^\/2\/users\/(\d+)\/tweets$/.exec(url.pathname)?.[1] ?? ''] ?? [];
    const at = Number(url.searchParams.get('pagination_token') ?? 0);
    const next = at + 1 < pages.length ? { next_token: String(at + 1) } : {};
    return { body: { data: pages[at] ?? [], meta: next } };
  });

const read = ({ outside }: { outside: Outside }, ids: readonly string[]) =>
  new XChannel(TOKEN, outside).read(ids, SINCE);
const pathsOf = (asked: readonly Asked[]) => asked.map(({ url }) => url.pathname);
const withToken = (asked: readonly Asked[]) =>
  asked.filter(({ headers }) => JSON.stringify(headers).includes(TOKEN)).map(({ url }) => url.host);

describe('reading X (docs/domain/network.md#imports)', () => {
  it('returns one answer per creator, in order, with the posts of all pages', async () => {
    const x = anX({ '11': [[aPost(1), aPost(2)], [aPost(3)]], '12': [[aPost(4)]] });
    const answers = await read(x, ['12', '99', '11']);
    expect(answers.map(({ network_id, row }) => [network_id, row?.stated?.posts?.map(({ id }) => id)])).toEqual([
      ['12', ['4']],
      ['99', undefined],
      ['11', ['1', '2', '3']],
    ]);
    expect(answers[2]?.row?.stated).toMatchObject({ handle: 'user_11', followers: 12_345 });
  });

  it('requests no timeline for a user unknown to X', async () => {
    const x = anX({});
    expect(await read(x, ['99'])).toEqual([{ network_id: '99', row: null }]);
    expect(pathsOf(x.asked)).toEqual(['/2/users']);
  });

  it('takes an empty timeline to mean that there are no posts', async () => {
    const [answer] = await read(anX({ '11': [[]] }), ['11']);
    expect(answer?.row?.stated?.posts).toEqual([]);
  });

  it('requests posts since a whole second, without reposts', async () => {
    const x = anX({ '11': [[]] });
    await read(x, ['11']);
    const query = x.asked[1]?.url.searchParams;
    expect([query?.get('start_time'), query?.get('exclude')]).toEqual(['2026-10-20T03:00:00Z', 'retweets']);
  });

  it('attributes a timeline to its user, whatever its posts say', async () => {
    const x = anX({ '11': [[aPost(1, { author_id: '12' })]], '12': [[]] });
    const [ada, ben] = await read(x, ['11', '12']);
    expect([ada?.row?.stated?.posts?.length, ben?.row?.stated?.posts?.length]).toEqual([1, 0]);
  });

  it('reads at most five pages of a timeline', async () => {
    const x = anX({ '11': Array.from({ length: 9 }, (_none, at) => [aPost(at + 1)]) });
    const [answer] = await read(x, ['11']);
    expect(answer?.row?.stated?.posts).toHaveLength(5);
    expect(pathsOf(x.asked)).toHaveLength(1 + 5);
  });

  it.each([[''], [7], [null]])('ends the timeline at a next page named %j', async (next) => {
    const x = aWorld((url) =>
      url.pathname === '/2/users'
        ? { body: { data: [aUser('11')] } }
        : { body: { data: [], meta: { next_token: next } } },
    );
    expect((await read(x, ['11']))[0]?.row).not.toBeNull();
    expect(x.asked).toHaveLength(2);
  });

  it.each([
    ['a failure', { status: 503 }],
    ['no JSON', { body: '{' }],
    ['another content type', { type: 'text/html', body: '<p>' }],
    ['a malformed list', { body: { data: {} } }],
    ['a value that is not an object', { body: '[]' }],
  ] as [string, Answer][])('skips only that creator when its timeline is %s', async (_name, answer) => {
    const good = anX({ '11': [[aPost(1)]], '12': [[aPost(2)]] });
    const x = aWorld(() => ({}));
    x.outside.connect = (url, ...more) =>
      url.pathname === '/2/users/11/tweets'
        ? aWorld(() => answer).outside.connect(url, ...more)
        : good.outside.connect(url, ...more);
    const [ada, ben] = await read(x, ['11', '12']);
    expect([ada?.row, ben?.row?.stated?.posts?.length]).toEqual([null, 1]);
  });

  it.each([
    ['a failure', { status: 503 }],
    ['a refused token', { status: 401, body: { title: 'Unauthorized' } }],
    ['no JSON', { body: '{' }],
    ['another content type', { type: 'text/html', body: '<p>' }],
    ['a malformed list', { body: { data: 'x' } }],
  ] as [string, Answer][])(
    'raises when the users are %s, with an error that does not contain the token',
    async (_name, answer) => {
      const failure: unknown = await read(
        aWorld(() => answer),
        ['11'],
      ).catch((error: unknown) => error);
      expect(failure).toMatchObject({ message: expect.any(String) });
      const { message, stack, cause } = failure as Error;
      expect(JSON.stringify([message, stack, String(cause)])).not.toContain(TOKEN);
    },
  );
});

describe('the token of X (docs/reliability.md#outward-requests)', () => {
  it('is sent to api.x.com over https, in one header and with nothing else', async () => {
    const x = anX({ '11': [[aPost(1)], [aPost(2)]] });
    await read(x, ['11']);
    expect(x.asked).toHaveLength(3);
    for (const { url, headers } of x.asked) {
      expect([url.origin, url.pathname.startsWith('/2/')]).toEqual(['https://api.x.com', true]);
      expect(url.href).not.toContain(TOKEN);
      expect(headers).toEqual({ authorization: `Bearer ${TOKEN}` });
    }
  });

  it.each([
    ['another host', 'https://evil.com/2/users'],
    ['a host with the same ending', 'https://evilapi.x.com/2/users'],
    ['a host with the same ending after a hyphen', 'https://evil-api.x.com/2/users'],
    ['a host with the same beginning', 'https://api.x.com.evil.com/2/users'],
    ['a host below', 'https://evil.api.x.com/2/users'],
    ['the host above', 'https://x.com/2/users'],
    ['a host beside', 'https://upload.x.com/2/users'],
    ['another top-level domain', 'https://api.x.co/2/users'],
    ['an address without a scheme', '//evilapi.x.com/2/users'],
  ])('is not sent along when X redirects to %s', async (_name, location) => {
    const x = aWorld((url) => (url.host === 'api.x.com' ? { status: 302, location } : { body: { data: [] } }));
    await read(x, ['11']);
    expect(x.asked.map(({ url }) => url.host)).toEqual(['api.x.com', new URL(location, 'https://api.x.com').host]);
    expect(x.asked[1]?.headers).toEqual({});
    expect(withToken(x.asked)).toEqual(['api.x.com']);
  });

  it.each([
    ['plain http', 'http://api.x.com/2/users'],
    ['another port', 'https://api.x.com:8443/2/users'],
    ['a name before the host', 'https://api.x.com@evil.com/2/users'],
    ['a dot after the host', 'https://api.x.com./2/users'],
    ['an inner name', 'https://api.x.com.internal/2/users'],
    ['an address', 'https://93.184.215.14/2/users'],
  ])('is not sent anywhere when X redirects to %s', async (_name, location) => {
    const x = aWorld(() => ({ status: 307, location }));
    await expect(read(x, ['11'])).rejects.toThrow('was not fetched');
    expect(x.asked).toHaveLength(1);
  });

  it('is not sent along from a timeline either, except to X itself', async () => {
    const x = aWorld((url) => {
      if (url.pathname === '/2/users') return { body: { data: [aUser('11')] } };
      if (url.host === 'evilapi.x.com') return { status: 302, location: 'https://api.x.com/2/again' };
      if (url.pathname === '/2/again') return { body: { data: [] } };
      return { status: 302, location: 'https://evilapi.x.com/' };
    });
    await read(x, ['11']);
    expect(x.asked.map(({ url }) => url.host)).toEqual(['api.x.com', 'api.x.com', 'evilapi.x.com', 'api.x.com']);
    expect(withToken(x.asked)).toEqual(['api.x.com', 'api.x.com', 'api.x.com']);
  });

  it.each(['11/../../../1.1/users', '11?x=1', '11#x', '../tweets', '@evil.com/', '%2e%2e'])(
    'an id of %j stays on the same path',
    async (id) => {
      const x = aWorld((url) =>
        url.pathname === '/2/users' ? { body: { data: [{ ...aUser('11'), id }] } } : { body: { data: [] } },
      );
      await read(x, [id]).catch(() => undefined);
      for (const { url } of x.asked) {
        expect(url.origin).toBe('https://api.x.com');
        expect(url.pathname).toMatch(/^\/2\/users(\/[^/]+\/tweets)?$/);
      }
    },
  );

  it.each([
    ['another method', 'https://api.x.com/2/users', 'POST'],
    ['another host', 'https://evil.com/2/users', 'GET'],
    ['a host with the same beginning', 'https://api.x.com.evil.com/2/users', 'GET'],
    ['a host after a user name', 'https://api.x.com@evil.com/2/users', 'GET'],
    ['another version', 'https://api.x.com/1.1/users', 'GET'],
    ['plain http', 'http://api.x.com/2/users', 'GET'],
  ])('is not sent by the official client to %s', async (_name, url, method) => {
    const x = aWorld(() => ({}));
    const headers = { authorization: `Bearer ${TOKEN}` };
    await expect(new SafeTransport(x.outside).request(url, { method, headers })).rejects.toThrow('may only GET');
    expect(x.asked).toEqual([]);
  });
});
