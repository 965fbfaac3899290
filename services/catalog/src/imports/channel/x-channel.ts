import { type Outside, safeFetch } from '@cds/service';
import { Client, HttpClient } from '@xdevplatform/xdk';
import { DAY_MS, WINDOW_DAYS } from '../../domain/constants.js';
import { fieldsOf, isFields } from '../../domain/import/formats/fields.js';
import { XPages } from '../../domain/import/formats/x-api.js';
import type { ChannelAnswer, ChannelSource } from './channel-source.js';

const X_API = 'https://api.x.com';
const POSTS_OF_A_PAGE = 100;
const PAGES_MAX = 5;

class NotReadable extends Error {
  constructor(what: string) {
    super(`X returned an unreadable answer: ${what}`);
    this.name = 'NotReadable';
  }
}

/** The raw answer, since the importers read X's own field names. */
const AS_SENT = { raw: true } as const;

type Sent = NonNullable<Parameters<HttpClient['request']>[1]>;

/** Only GETs, only to X, through `safeFetch` like every outgoing request (docs/reliability.md#outward-requests). */
export class SafeTransport extends HttpClient {
  constructor(private readonly outside: Outside | undefined) {
    super();
  }

  override async request(url: string, { method = 'GET', headers }: Sent = {}): Promise<Response> {
    if (method !== 'GET' || !url.startsWith(`${X_API}/2/`))
      throw new Error('the X client may only GET paths of its API');
    const authorization = new Headers(headers).get('authorization') ?? '';
    const { body } = await safeFetch(url, ['application/json'], this.outside, { authorization });
    return new Response(new Uint8Array(body), { headers: { 'content-type': 'application/json' } });
  }
}

class SafeClient extends Client {
  override readonly httpClient: HttpClient;

  constructor(bearerToken: string, outside: Outside | undefined) {
    super({ bearerToken, baseUrl: X_API, retry: false });
    this.httpClient = new SafeTransport(outside);
  }
}

const bodyOf = async (response: unknown): Promise<Record<string, unknown>> => {
  if (!(response instanceof Response)) throw new NotReadable('no response');
  const body: unknown = await response.json();
  return fieldsOf(body, 'body');
};

const listIn = (body: Record<string, unknown>): unknown[] => {
  const { data } = body;
  if (data === undefined) return [];
  if (!Array.isArray(data)) throw new NotReadable('data is not a list');
  return data;
};

/** Exists only with a configured token; without one nothing leaves the system. Tests pass another `outside`. */
export class XChannel implements ChannelSource {
  private readonly client: Client;

  constructor(bearerToken: string, outside?: Outside) {
    this.client = new SafeClient(bearerToken, outside);
  }

  async read(networkIds: readonly string[], since: Date): Promise<ChannelAnswer[]> {
    const users = await this.usersOf(networkIds);
    return Promise.all(
      networkIds.map(async (id): Promise<ChannelAnswer> => {
        const user = users.get(id);
        return { network_id: id, row: user === undefined ? null : await this.rowOf(id, user, since) };
      }),
    );
  }

  private async usersOf(ids: readonly string[]): Promise<Map<string, unknown>> {
    const response: unknown = await this.client.users.getByIds([...ids], {
      userFields: [
        'created_at',
        'description',
        'name',
        'parody',
        'profile_image_url',
        'protected',
        'public_metrics',
        'username',
        'verified',
        'withheld',
      ],
      requestOptions: AS_SENT,
    });
    return new Map(
      listIn(await bodyOf(response)).flatMap((user) => (isFields(user) ? [[String(user['id']), user]] : [])),
    );
  }

  private async rowOf(id: string, user: unknown, since: Date): Promise<ChannelAnswer['row']> {
    const pages = new XPages(new Date(since.getTime() + WINDOW_DAYS * DAY_MS));
    pages.take('data', 0, user);
    try {
      // The timeline belongs to the author, so its posts need not name them.
      for await (const post of this.postsOf(id, since))
        pages.take('data', 0, isFields(post) ? { ...post, author_id: id } : post);
    } catch {
      return null;
    }
    const [row] = pages.finish().rows;
    if (row?.stated == null) return null;
    // An empty timeline means that there are no posts, not that they are unknown.
    return { ...row, stated: { ...row.stated, posts: row.stated.posts ?? [] } };
  }

  private async *postsOf(id: string, since: Date): AsyncGenerator<unknown> {
    let next: string | undefined;
    for (let page = 0; page < PAGES_MAX; page += 1) {
      const response: unknown = await this.client.users.getPosts(id, {
        maxResults: POSTS_OF_A_PAGE,
        startTime: since.toISOString().replace(/\.\d{3}Z$/, 'Z'),
        exclude: ['retweets'],
        postFields: [
          'conversation_id',
          'created_at',
          'entities',
          'lang',
          'note_post',
          'paid_partnership',
          'public_metrics',
          'text',
        ],
        expansions: ['in_reply_to_user_id', 'referenced_posts'],
        ...(next === undefined ? {} : { paginationToken: next }),
        requestOptions: AS_SENT,
      });
      const body = await bodyOf(response);
      yield* listIn(body);
      const token = isFields(body['meta']) ? body['meta']['next_token'] : undefined;
      if (typeof token !== 'string' || token === '') return;
      next = token;
    }
  }
}
