import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { aTlsHost } from '@cds/service/testing';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { type PostOutside, postUrl, SAFE_POST, safePost, thePostOutside } from './safe-post.js';

const PUBLIC = 'https://hooks.receivers.net/in';
const post = { body: '{"a":"ü"}', headers: { 'content-type': 'application/json' } };
const open = { ...post, loopback: true };

/** A world in which every name resolves to these addresses, and nothing is really sent. */
const world = (addresses: string[] | (() => Promise<string[]>)) => {
  const sent: [url: string, address: string][] = [];
  const outside: PostOutside = {
    resolve: typeof addresses === 'function' ? addresses : async () => addresses,
    send: async (url, address) => {
      sent.push([url.href, address]);
      return 204;
    },
  };
  return { outside, sent };
};

describe('a POST to a URL that somebody else chose (docs/reliability.md#outward-requests)', () => {
  test.each([
    'http://hooks.receivers.net/',
    'https://hooks.receivers.net:8443/',
    'https://user@hooks.receivers.net/',
    'https://127.0.0.1/',
    'https://[::1]/',
    'https://2130706433/',
    'https://localhost/',
    'https://cds-billing.internal/',
    'http://127.0.0.1:27017/',
    'file:///etc/passwd',
    'https://a b.net/',
    '',
  ])('%s is never sent to', async (url) => {
    const { outside, sent } = world(['93.184.215.14']);
    expect(await safePost(url, post, outside)).toEqual({ problem: 'not_allowed' });
    expect(sent).toEqual([]);
  });

  test.each([
    [['10.0.0.1']],
    [['127.0.0.1']],
    [['169.254.169.254']],
    [['::1']],
    [['::ffff:10.0.0.1']],
    [['fd00::1']],
    [['93.184.215.14', '192.168.0.1']],
    [['192.168.0.1', '93.184.215.14']],
    [['not an address']],
  ])('a name that resolves to %j is not connected to', async (addresses) => {
    const { outside, sent } = world(addresses);
    expect(await safePost(PUBLIC, post, outside)).toEqual({ problem: 'not_allowed' });
    expect(sent).toEqual([]);
  });

  test('a name that changes between two requests is checked again, and the checked address is connected to', async () => {
    const answers = [['93.184.215.14'], ['10.0.0.1'], ['93.184.215.15', '93.184.215.14']];
    const { outside, sent } = world(async () => answers.shift() ?? []);
    const ended = [];
    for (let n = 0; n < 4; n += 1) ended.push(await safePost(PUBLIC, post, outside));
    expect(ended).toEqual([{ status: 204 }, { problem: 'not_allowed' }, { status: 204 }, { problem: 'unreachable' }]);
    expect(sent).toEqual([
      [PUBLIC, '93.184.215.14'],
      [PUBLIC, '93.184.215.15'],
    ]);
  });

  test('a name server that never answers is a timeout', async () => {
    const { outside } = world(() => new Promise(() => undefined));
    expect(await safePost(PUBLIC, post, outside, 20)).toEqual({ problem: 'timeout' });
  });

  test.each(['http://127.0.0.1:8080/a', 'http://localhost/', 'https://[::1]:1/'])(
    'with loopback %s may be named',
    (url) => {
      expect(postUrl(url, true).href).toBe(new URL(url).href);
      expect(() => postUrl(url)).toThrow();
    },
  );

  test.each(['http://127.0.0.2/', 'http://ada@localhost/', 'ftp://localhost/', 'http://localhost.evil.net/'])(
    'with loopback %s may not',
    (url) => {
      expect(() => postUrl(url, true)).toThrow();
    },
  );

  test('over TLS the certificate must be that of the name, and is checked', async () => {
    const host = await aTlsHost();
    const there: PostOutside = {
      resolve: async () => ['93.184.215.14'],
      // The real sender, except for where it connects.
      send: (url, _address, sent, signal) =>
        thePostOutside.send(new URL(`https://localhost:${host.port}${url.pathname}`), '127.0.0.1', sent, signal),
    };
    expect(await safePost(`https://${host.name}/`, post, there)).toEqual({ problem: 'unreachable' });
    expect(host.asked).toEqual([]);
    await host.stop();
  });

  describe('to a server that', () => {
    let server: Server;
    let url: string;
    let received: string;
    let reply: (socket: Socket) => void;
    const sockets = new Set<Socket>();

    beforeAll(async () => {
      server = createServer((socket) => {
        sockets.add(socket);
        socket.once('close', () => sockets.delete(socket)).on('error', () => undefined);
        socket.on('data', (chunk) => {
          received += chunk.toString();
          if (received.endsWith(post.body)) reply(socket);
        });
      }).listen(0, '127.0.0.1');
      await once(server, 'listening');
      url = `http://127.0.0.1:${(server.address() as { port: number }).port}/in?a=1`;
    });
    afterEach(() => {
      received = '';
      for (const socket of sockets) socket.destroy();
    });
    afterAll(() => new Promise((resolve) => server.close(resolve)));

    const answers = (text: string) => (socket: Socket) => void socket.write(text);
    const OK = 'HTTP/1.1 200 OK\r\n';

    test('takes it, the body, its length and the headers arrive as they are', async () => {
      received = '';
      reply = answers(`${OK}content-length: 0\r\n\r\n`);
      expect(await safePost(url, open)).toEqual({ status: 200 });
      expect(received).toMatch(/^POST \/in\?a=1 HTTP\/1\.1\r\n/);
      expect(received).toMatch(/\r\ncontent-length: 10\r\n/i);
      expect(received).toMatch(/\r\ncontent-type: application\/json\r\n/i);
      expect(received).not.toMatch(/cookie|authorization|expect:/i);
    });

    test.each<[what: string, reply: string, ended: object]>([
      ['redirects', 'HTTP/1.1 307 x\r\nlocation: http://127.0.0.1:1/\r\n\r\n', { status: 307 }],
      ['says a longer length and closes', `${OK}content-length: 100\r\n\r\nabc`, { status: 200 }],
      ['sends an invalid chunk', `${OK}transfer-encoding: chunked\r\n\r\nzz\r\n`, { status: 200 }],
      ['sends more than its length', `${OK}content-length: 1\r\n\r\nabcdef`, { status: 200 }],
      ['sends two lengths', `${OK}content-length: 1\r\ncontent-length: 2\r\n\r\na`, { problem: 'unreachable' }],
      ['sends a status that is none', 'HTTP/1.1 abc\r\n\r\n', { problem: 'unreachable' }],
      ['sends another protocol', 'SSH-2.0-x\r\n', { problem: 'unreachable' }],
      [
        'switches the protocol',
        'HTTP/1.1 101 x\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n',
        { problem: 'unreachable' },
      ],
      ['sends headers of 100 KB', `${OK}x: ${'y'.repeat(100_000)}\r\n\r\n`, { problem: 'unreachable' }],
    ])('%s', async (_what, text, ended) => {
      received = '';
      reply = (socket) => socket.end(text);
      expect(await safePost(url, open)).toEqual(ended);
    });

    test('never ends its headers, or says 100 and nothing more, is a timeout, and the connection is closed', async () => {
      for (const text of [OK, 'HTTP/1.1 100 Continue\r\n\r\n', '']) {
        received = '';
        let closed: Promise<unknown> = Promise.resolve();
        reply = (socket) => {
          closed = once(socket, 'close');
          socket.write(text);
        };
        expect(await safePost(url, open, undefined, 300)).toEqual({ problem: 'timeout' });
        await closed;
      }
    });

    test('sends a body without end is read to a bound and closed', async () => {
      received = '';
      let written = 0;
      let closed: Promise<unknown> = Promise.resolve();
      reply = (socket) => {
        closed = once(socket, 'close');
        socket.write(`${OK}\r\n`);
        const more = (): void => {
          if (socket.destroyed) return;
          written += 1_024;
          socket.write('x'.repeat(1_024), () => setImmediate(more));
        };
        more();
      };
      expect(await safePost(url, open)).toEqual({ status: 200 });
      await closed;
      expect(written).toBeGreaterThanOrEqual(SAFE_POST.answerBytes);
      expect(written).toBeLessThan(100 * SAFE_POST.answerBytes);
    });
  });

  test('a port where nothing listens is unreachable', async () => {
    expect(await safePost('http://127.0.0.1:1/', open)).toEqual({ problem: 'unreachable' });
  });
});
