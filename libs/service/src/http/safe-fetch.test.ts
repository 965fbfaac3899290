import { describe, expect, it } from '@jest/globals';
import { type Answered, type Outside, SAFE_FETCH, safeFetch, safeUrl, UnsafeFetch } from './safe-fetch.js';

/** Hosts of URLs that must never be fetched: the tricks of docs/reliability.md#outward-requests. */
const HOSTS: readonly string[] = [
  // Literal addresses, in every writing.
  ...['127.0.0.1', '169.254.169.254', '8.8.8.8', '127.1', '0', '2130706433', '0x7f000001', '0177.0.0.1', '1.1'],
  ...['0x7F.0x0.0x0.0x1', '127.0.0.1.', '１２７.０.０.１', '①②⑦.⓪.⓪.①', '127。0。0。1', '256.256.256.256', '1.2.3.4.5'],
  ...['[::1]', '[::ffff:127.0.0.1]', '[fd00:ec2::254]', '[64:ff9b::7f00:1]', '[2606:4700:4700::1111]', '[::1%25lo]'],
  ...['[v1.x]', '[', ']', '[]'],
  // Credentials and ports.
  ...['user@good.com', ':@good.com', '@good.com', 'good.com:80@127.0.0.1', 'a@b@good.com', 'good.com%40evil.com'],
  ...['80', '8080', '0', '65536', '-1', 'x', '27017', '+443', ' 443'].map((port) => `good.com:${port}`),
  // Names of a machine, a network, a cluster.
  ...['localhost', 'LOCALHOST', 'localhost.', 'foo.localhost', 'metadata', 'nats', 'com', 'printer.local'],
  ...['metadata.google.internal', 'x.lan', 'x.home', 'x.corp', 'gateway.cds.svc', '1.0.0.127.in-addr.arpa'],
  ...['x.test', 'x.invalid', 'x.example', 'abc.onion', 'host.docker.internal'],
  // Invalid names.
  ...['.good.com', 'good..com', 'good.com..', '-good.com', 'good-.com', 'go od.com', 'good.com%00.evil.com'],
  ...['good,com', 'good.com;evil.com', '*.good.com', 'good.c', 'good.1', '%zz.com', '<good>.com', 'good".com'],
  ...[`${'a'.repeat(64)}.com`, `${'a.'.repeat(130)}com`],
];
const TRICKS: readonly string[] = [
  ...HOSTS.map((host) => `https://${host}/`),
  ...['http', 'ftp', 'file', 'data', 'javascript', 'ws', 'blob'].map((scheme) => `${scheme}://good.com/`),
  ...['//good.com/', 'good.com', '/etc/passwd', '', 'https:', 'https:/good.com', 'https:good.com', 'https://'],
  ...['https:\\\\good.com', 'https:/\\good.com', 'https://good.com\\@evil.com', 'https://evil.com\\good.com'],
  ...['url:https://good.com/', 'https:https://good.com/', 'https://?@good.com/', 'https://#good.com/'],
  // Characters that parsers drop or split at, and a text that is too long.
  ...['https://good.com/\n', 'https://good.com/\r\nHost: evil', ' https://good.com/', 'https://go\tod.com/'],
  ...['ht\ntps://good.com/', 'https://good.com/\u0000', '\u00a0https://good.com/', '\ufeffhttps://good.com/'],
  ...['https:// good.com/', 'https://good.com/a b', `https://good.com/${'a'.repeat(2_100)}`],
];

const page = (over: Partial<Answered> & { text?: string } = {}): Answered => ({
  status: 200,
  headers: { 'content-type': 'text/html; charset=utf-8' },
  body: (async function* () {
    yield Buffer.from(over.text ?? 'hello');
  })(),
  ...over,
});

const outside = (over: Partial<Outside> & { asked?: string[] } = {}): Outside => ({
  resolve: async () => ['93.184.215.14'],
  connect: async (url, address) => {
    over.asked?.push(`${url.href} ${address}`);
    return page();
  },
  ...over,
});

describe('a URL to fetch', () => {
  it.each(TRICKS.map((trick) => [trick]))('is refused without a connection: %j', async (trick) => {
    const asked: string[] = [];
    const world = outside({
      asked,
      resolve: async (host) => {
        asked.push(host);
        return ['93.184.215.14'];
      },
    });
    await expect(safeFetch(trick, ['text/html'], world)).rejects.toThrow(UnsafeFetch);
    expect(asked).toEqual([]);
  });

  it.each([
    ['https://good.com/', 'https://good.com/'],
    ['https://GOOD.com', 'https://good.com/'],
    ['https://good.com:443/a?b=1', 'https://good.com/a?b=1'],
    ['https://www.müller.de/', 'https://www.xn--mller-kva.de/'],
    ['https://good.com/@name', 'https://good.com/@name'],
  ])('takes %s', (text, href) => {
    expect(safeUrl(text).href).toBe(href);
  });
});

describe('the address of a host', () => {
  it.each([
    ['one private among public ones', ['93.184.215.14', '10.0.0.1']],
    ['a mapped one', ['::ffff:127.0.0.1']],
    ['none', []],
  ])('%s is refused before anything connects', async (_name, addresses) => {
    const asked: string[] = [];
    await expect(
      safeFetch('https://good.com/', ['text/html'], outside({ asked, resolve: async () => addresses })),
    ).rejects.toThrow(UnsafeFetch);
    expect(asked).toEqual([]);
  });

  it('is the checked one, whatever the name resolves to a moment later', async () => {
    const asked: string[] = [];
    let turn = 0;
    const resolve = async () => [turn++ === 0 ? '93.184.215.14' : '127.0.0.1'];
    await safeFetch('https://good.com/', ['text/html'], outside({ asked, resolve }));
    expect(asked).toEqual(['https://good.com/ 93.184.215.14']);
  });
});

describe('redirects', () => {
  const leading = (targets: readonly string[], asked: string[]): Outside => {
    let at = 0;
    return outside({
      connect: async (url, address) => {
        asked.push(`${url.href} ${address}`);
        const location = targets[at++];
        return location === undefined ? page() : page({ status: 302, headers: { location } });
      },
    });
  };

  it('are followed three times, each host checked again', async () => {
    const asked: string[] = [];
    const done = await safeFetch(
      'https://a.com/',
      ['text/html'],
      leading(['https://b.com/', '/x', '//c.com/y'], asked),
    );
    expect(done).toMatchObject({ url: 'https://c.com/y', contentType: 'text/html' });
    expect(asked).toHaveLength(4);
    await expect(safeFetch('https://a.com/', ['text/html'], leading(['/1', '/2', '/3', '/4'], []))).rejects.toThrow(
      'too often',
    );
  });

  it.each([
    'http://good.com/',
    'https://127.0.0.1/',
    'https://user@good.com/',
    'https://good.com:8443/',
    'file:///etc/passwd',
    'https://x.internal/',
    '//localhost/',
  ])('to %s end there', async (location) => {
    const asked: string[] = [];
    await expect(safeFetch('https://a.com/', ['text/html'], leading([location], asked))).rejects.toThrow(UnsafeFetch);
    expect(asked).toHaveLength(1);
  });
});

describe('headers of a request', () => {
  const own = { authorization: 'Bearer secret', cookie: 'c' };
  /** The headers that each request of a fetch carries that is redirected to these targets in turn. */
  const sentTo = async (...targets: readonly string[]) => {
    const sent: unknown[] = [];
    const connect: Outside['connect'] = async (_url, _address, _signal, headers) => {
      sent.push(headers);
      const location = targets[sent.length - 1];
      return location === undefined ? page() : page({ status: 302, headers: { location } });
    };
    await safeFetch('https://a.com/', ['text/html'], outside({ connect }), own);
    return sent;
  };

  it('go only to the named host, wherever it redirects to', async () => {
    expect(await sentTo('/two', 'https://b.com/', 'https://a.com/three')).toEqual([own, own, {}, own]);
  });

  it.each([
    ['ends alike', 'https://evila.com/'],
    ['begins alike', 'https://a.com.evil.com/'],
    ['is a subdomain', 'https://evil.a.com/'],
    ['is a parent domain', 'https://com.com/'],
    ['only looks alike', 'https://\u0430.com/'],
  ])('stay behind on the way to a host that %s', async (_name, target) => {
    expect(await sentTo(target)).toEqual([own, {}]);
  });

  it.each(['https://A.com/two', 'https://a.com:443/two', '//a.com/two'])(
    'go along to the same host in the writing %s',
    async (target) => {
      expect(await sentTo(target)).toEqual([own, own]);
    },
  );
});

describe('a response', () => {
  const given = (answered: Answered) =>
    safeFetch('https://good.com/', ['text/html', 'image/png'], outside({ connect: async () => answered }));

  it('is read in full', async () => {
    expect((await given(page({ text: 'abc' }))).body.toString()).toBe('abc');
  });

  it.each([
    ['another content type', page({ headers: { 'content-type': 'application/json' } })],
    ['no content type', page({ headers: {} })],
    ['a failure', page({ status: 500 })],
    ['a redirect that leads nowhere', page({ status: 302, headers: {} })],
    [
      'a length above the limit',
      page({ headers: { 'content-type': 'text/html', 'content-length': String(SAFE_FETCH.bytes + 1) } }),
    ],
    ['a body above the limit', page({ text: 'x'.repeat(SAFE_FETCH.bytes + 1) })],
  ])('is refused for %s', async (_name, answered) => {
    await expect(given(answered)).rejects.toThrow(UnsafeFetch);
  });
});
