import { describe, expect, it } from '@jest/globals';
import { isPublicAddress } from './public-address.js';
import { type Answered, type Outside, SAFE_FETCH, safeFetch, safeUrl, UnsafeFetch } from './safe-fetch.js';

/** URLs that must never be fetched: the tricks of docs/reliability.md#outward-requests. */
const TRICKS: readonly string[] = [
  // Other schemes, and none.
  ...[
    'http',
    'ftp',
    'file',
    'gopher',
    'data',
    'javascript',
    'ws',
    'wss',
    'blob',
    'jar',
    'dict',
    'ldap',
    'tftp',
    'ssh',
  ].map((scheme) => `${scheme}://good.com/`),
  ...[
    '//good.com/',
    'good.com',
    '/etc/passwd',
    '',
    'https:',
    'https:/good.com',
    'https:good.com',
    'https:///good.com',
    'https://',
  ],
  ...[
    'https:\\\\good.com',
    'https:/\\good.com',
    'https://good.com\\@evil.com',
    'https://good.com\\.evil.com',
    'https://evil.com\\good.com',
  ],
  // Literal addresses, in every writing.
  ...[
    '127.0.0.1',
    '0.0.0.0',
    '10.0.0.1',
    '172.16.0.1',
    '192.168.0.1',
    '169.254.169.254',
    '100.64.0.1',
    '8.8.8.8',
    '1.1.1.1',
  ].map((host) => `https://${host}/`),
  ...[
    '127.1',
    '127.0.1',
    '0',
    '1',
    '2130706433',
    '4294967295',
    '0x7f000001',
    '0x7f.0.0.1',
    '0x7f.1',
    '0177.0.0.1',
    '017700000001',
  ].map((host) => `https://${host}/`),
  ...[
    '0x7F.0x0.0x0.0x1',
    '0300.0250.0.1',
    '0xc0.0xa8.0.1',
    '3232235521',
    '0xA9FEA9FE',
    '2852039166',
    '0251.0376.0251.0376',
    '127.0.0.1.',
    '１２７.０.０.１',
    '①②⑦.⓪.⓪.①',
    '127。0。0。1',
    '127.0.0.0x1',
    '0x7f.0.0.01',
    '00000177.0.0.1',
    '256.256.256.256',
    '1.2.3.4.5',
  ].map((host) => `https://${host}/`),
  ...[
    '[::1]',
    '[::]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[0:0:0:0:0:0:0:1]',
    '[fe80::1]',
    '[fc00::1]',
    '[fd00:ec2::254]',
    '[64:ff9b::7f00:1]',
    '[2002:7f00:1::]',
    '[2606:4700:4700::1111]',
    '[::1%25lo]',
    '[fe80::1%25eth0]',
    '[::127.0.0.1]',
    '[ff02::1]',
    '[::ffff:169.254.169.254]',
    '[0000::1]',
    '[v1.x]',
    '[',
    ']',
    '[]',
  ].map((host) => `https://${host}/`),
  // Credentials.
  ...[
    'user@good.com',
    'user:pass@good.com',
    ':@good.com',
    '@good.com',
    'good.com@127.0.0.1',
    'good.com:80@127.0.0.1',
    'a@b@good.com',
    '127.0.0.1@good.com',
    '%40@good.com',
    'good.com%40evil.com',
    'user:@good.com',
  ].map((authority) => `https://${authority}/`),
  // Ports.
  ...['80', '8080', '22', '25', '0', '65535', '65536', '-1', 'x', '444', '8443', '27017', '4222', '+443', ' 443'].map(
    (port) => `https://good.com:${port}/`,
  ),
  // Names of a machine, a network, a cluster.
  ...[
    'localhost',
    'LOCALHOST',
    'localhost.',
    'localhost.localdomain',
    'foo.localhost',
    'metadata',
    'intranet',
    'db',
    'mongodb',
    'nats',
    'router',
    'good',
    'com',
  ].map((host) => `https://${host}/`),
  ...[
    'printer.local',
    'api.internal',
    'metadata.google.internal',
    'x.lan',
    'x.home',
    'x.corp',
    'x.intranet',
    'kubernetes.default.svc',
    'gateway.cds.svc',
    '1.0.0.127.in-addr.arpa',
    'x.test',
    'x.invalid',
    'x.example',
    'abc.onion',
    'ip6.arpa',
    'metadata.internal',
    'host.docker.internal',
  ].map((host) => `https://${host}/`),
  // Invalid hosts.
  ...[
    '.good.com',
    'good..com',
    'good.com..',
    '-good.com',
    'good-.com',
    'go od.com',
    'good.com%00.evil.com',
    'good.com%2f',
    'good.com%0d%0a',
    'good,com',
    'good.com;evil.com',
    'good.com|x',
    '*.good.com',
    'good.c',
    'good.1',
    'good.0x1',
    `${'a'.repeat(64)}.com`,
    `${'a.'.repeat(130)}com`,
    '%',
    '%zz.com',
    '<good>.com',
    'good.com^',
    '{good}.com',
    '`good`.com',
    "good'.com",
    'good".com',
  ].map((host) => `https://${host}/`),
  // Characters that parsers drop or split at.
  ...[
    'https://good.com/\n',
    'https://good.com/\r\nHost: evil',
    'https://good.com/\tx',
    ' https://good.com/',
    'https://good.com/ ',
    'https://go\tod.com/',
    'ht\ntps://good.com/',
    'https://good.com/\u0000',
    '\u0001https://good.com/',
    'https://good.com/\u007f',
    'https://good.com/a b',
    '\u00a0https://good.com/',
    '\ufeffhttps://good.com/',
    'https ://good.com/',
    'https:// good.com/',
  ],
  ...[
    'https://good.com:443@evil.com/',
    'https://good.com#@evil.com:80@x/'.replace('#', ':1/'),
    'https://?@good.com/',
    'https://#good.com/',
    'https://good.com:/:80@x/'.replace(':/:', ':80/:'),
    'url:https://good.com/',
    'view-source:https://good.com/',
    'https:https://good.com/',
    `https://good.com/${'a'.repeat(2_100)}`,
  ],
  ...[
    'https://1.1/',
    'https://10.1/',
    'https://0x0a.1/',
    'https://012.1/',
    'https://192.168.1/',
    'https://0xc0a80001/',
    'https://030052000001/',
    'https://[::ffff:0:127.0.0.1]/',
    'https://[0:0:0:0:0:ffff:7f00:0001]/',
    'https://[::ffff:c0a8:1]/',
    'https://[100::1]/',
    'https://[2001:db8::1]/',
    'https://127.127.127.127/',
    'https://224.0.0.1/',
    'https://255.255.255.255/',
    'https://198.18.0.1/',
    'https://203.0.113.9/',
    'https://192.0.2.9/',
    'https://198.51.100.9/',
    'https://240.0.0.1/',
  ],
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
  it('is tested with at least 200 tricks', () => {
    expect(new Set(TRICKS).size).toBeGreaterThanOrEqual(200);
  });

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
    ...[
      '0.0.0.0',
      '10.1.2.3',
      '100.64.0.1',
      '100.127.255.255',
      '127.0.0.1',
      '127.255.255.255',
      '169.254.169.254',
      '172.16.0.1',
      '172.31.255.255',
      '192.0.0.1',
      '192.0.2.1',
      '192.88.99.1',
      '192.168.1.1',
      '198.18.0.1',
      '198.19.255.255',
      '198.51.100.1',
      '203.0.113.1',
      '224.0.0.1',
      '240.0.0.1',
      '255.255.255.255',
    ],
    ...[
      '::',
      '::1',
      '::ffff:127.0.0.1',
      '::ffff:10.0.0.1',
      '::ffff:a9fe:a9fe',
      '::127.0.0.1',
      '64:ff9b::7f00:1',
      '64:ff9b::10.0.0.1',
      '64:ff9b:1::1',
      '100::1',
      '2001::1',
      '2001:db8::1',
      '2002:7f00:1::',
      '3fff::1',
      'fc00::1',
      'fd00:ec2::254',
      'fe80::1',
      'fe80::1%eth0',
      'fec0::1',
      'ff02::1',
      '4000::1',
    ],
    ...['0177.0.0.1', '0x7f.0.0.1', '127.1', '2130706433', '', 'good.com'],
  ])('%s is not public', (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });

  it.each([
    '8.8.8.8',
    '93.184.215.14',
    '100.63.255.255',
    '100.128.0.1',
    '172.15.0.1',
    '172.32.0.1',
    '2606:4700:4700::1111',
    '::ffff:8.8.8.8',
    '64:ff9b::808:808',
  ])('%s is public', (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });

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
  it('go only to the named host, wherever it redirects to', async () => {
    const sent: [string, unknown][] = [];
    const targets = ['/two', 'https://b.com/', 'https://a.com/three'];
    await safeFetch(
      'https://a.com/',
      ['text/html'],
      outside({
        connect: async (url, _address, _signal, headers) => {
          sent.push([url.href, headers]);
          const location = targets[sent.length - 1];
          return location === undefined ? page() : page({ status: 302, headers: { location } });
        },
      }),
      { authorization: 'Bearer secret' },
    );
    const own = { authorization: 'Bearer secret' };
    expect(sent).toEqual([
      ['https://a.com/', own],
      ['https://a.com/two', own],
      ['https://b.com/', {}],
      ['https://a.com/three', own],
    ]);
  });

  it.each([
    ['ends alike', 'https://evila.com/'],
    ['ends alike after a hyphen', 'https://evil-a.com/'],
    ['begins alike', 'https://a.com.evil.com/'],
    ['is a subdomain', 'https://evil.a.com/'],
    ['is a parent domain', 'https://com.com/'],
    ['has another ending', 'https://a.co/'],
    ['only looks alike', 'https://\u0430.com/'],
  ])('stay behind on the way to a host that %s', async (_name, target) => {
    const sent: unknown[] = [];
    await safeFetch(
      'https://a.com/',
      ['text/html'],
      outside({
        connect: async (_url, _address, _signal, headers) => {
          sent.push(headers);
          return sent.length > 1 ? page() : page({ status: 302, headers: { location: target } });
        },
      }),
      { authorization: 'Bearer secret', cookie: 'c' },
    );
    expect(sent).toEqual([{ authorization: 'Bearer secret', cookie: 'c' }, {}]);
  });

  it.each(['https://A.com/two', 'https://a.com:443/two', '//a.com/two', '/two'])(
    'go along to the same host in the writing %s',
    async (target) => {
      const sent: unknown[] = [];
      await safeFetch(
        'https://a.com/',
        ['text/html'],
        outside({
          connect: async (_url, _address, _signal, headers) => {
            sent.push(headers);
            return sent.length > 1 ? page() : page({ status: 302, headers: { location: target } });
          },
        }),
        { authorization: 'Bearer secret' },
      );
      expect(sent).toEqual([{ authorization: 'Bearer secret' }, { authorization: 'Bearer secret' }]);
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
