import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Outside } from '@cds/service';

type Entry = Record<string, unknown>;

/** The part of the X API v2 that we read, on loopback. `outside` is a world in which it is X. */
export const anX = async (token: string) => {
  const users = new Map<string, Entry>();
  const posts = new Map<string, Entry[]>();
  const asked: string[] = [];
  /** Paths that return a status instead. */
  const failing = new Map<string, number>();

  const answerOf = (url: URL): { status: number; body: unknown } => {
    if (url.pathname === '/2/users') {
      const ids = (url.searchParams.get('ids') ?? '').split(',');
      const missing = ids.filter((id) => !users.has(id));
      return {
        status: 200,
        body: {
          data: ids.flatMap((id) => users.get(id) ?? []),
          ...(missing.length === 0
            ? {}
            : { errors: missing.map((value) => ({ title: 'Not Found Error', resource_type: 'user', value })) }),
        },
      };
    }
    const author = /^\/2\/users\/(\d+)\/tweets$/.exec(url.pathname)?.[1];
    if (author === undefined) return { status: 404, body: { title: 'Not Found' } };
    const size = Number(url.searchParams.get('max_results') ?? 10);
    const from = Number(url.searchParams.get('pagination_token') ?? 0);
    const all = posts.get(author) ?? [];
    const page = all.slice(from, from + size);
    const next = from + size < all.length ? { next_token: String(from + size) } : {};
    return {
      status: 200,
      body: { ...(page.length > 0 && { data: page }), meta: { result_count: page.length, ...next } },
    };
  };

  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://x.test');
    asked.push(`${request.method} ${url.pathname}`);
    const status = request.headers.authorization === `Bearer ${token}` ? failing.get(url.pathname) : 401;
    const answer = status === undefined ? answerOf(url) : { status, body: { title: 'Refused', status } };
    response.writeHead(answer.status, { 'content-type': 'application/json; charset=utf-8' });
    response.end(JSON.stringify(answer.body));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;

  const outside: Outside = {
    resolve: async (host) => (host === 'api.x.com' ? ['104.244.42.2'] : []),
    connect: (url, _address, signal, headers) =>
      new Promise((resolve, reject) => {
        const sent = request(
          { host: '127.0.0.1', port, path: `${url.pathname}${url.search}`, signal, agent: false, headers },
          (response) => {
            const contentType = { 'content-type': response.headers['content-type'] };
            resolve({ status: response.statusCode ?? 0, headers: contentType, body: response });
          },
        );
        sent.once('error', reject);
        sent.end();
      }),
  };

  return {
    outside,
    asked,
    failing,
    /** Adds a user with its posts, newest first. */
    put: (user: Entry & { id: string }, timeline: Entry[] = []) => {
      users.set(user.id, user);
      posts.set(user.id, timeline);
    },
    remove: (id: string) => users.delete(id),
    stop: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
};
export type SimulatedX = Awaited<ReturnType<typeof anX>>;
