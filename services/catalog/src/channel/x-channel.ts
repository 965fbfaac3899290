import { Client } from '@xdevplatform/xdk';
import { fieldsOf, isFields } from '../domain/import/fields.js';
import { XPages } from '../domain/import/x-api.js';
import type { ChannelAnswer, ChannelSource } from './channel-source.js';

/** The one host that the official client speaks to. */
const X_API = 'https://api.x.com';
/** How long one request may take, its body included, in milliseconds (reliability 3.20). */
const REQUEST_MS = 5_000;
const POSTS_OF_A_PAGE = 100;
/** So many pages of posts are read of a creator at most. */
const PAGES_MAX = 5;

/** X answered something that is no answer of its API. */
class NotReadable extends Error {
  constructor(what: string) {
    super(`the answer of X cannot be read: ${what}`);
    this.name = 'NotReadable';
  }
}

/** How a request is sent: given up in time, its answer as it was sent, since importers read X's own names. */
const asSent = () => ({ raw: true, signal: AbortSignal.timeout(REQUEST_MS) });

const bodyOf = async (response: unknown): Promise<Record<string, unknown>> => {
  if (!(response instanceof Response)) throw new NotReadable('no response');
  const body: unknown = await response.json();
  return fieldsOf(body, 'body');
};

const listIn = (body: Record<string, unknown>): unknown[] => {
  const { data } = body;
  if (data === undefined) return [];
  if (!Array.isArray(data)) throw new NotReadable('data is no list');
  return data;
};

/**
 * X by its official client: users by id, then the timeline of each. `baseUrl` is another host for tests alone. It is made
 * only where a token is configured; without one nothing leaves the system. Source: domain 1-network 12.
 */
export class XChannel implements ChannelSource {
  private readonly client: Client;

  constructor(bearerToken: string, baseUrl: string = X_API) {
    this.client = new Client({ bearerToken, baseUrl, timeout: REQUEST_MS, retry: false });
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
      requestOptions: asSent(),
    });
    return new Map(
      listIn(await bodyOf(response)).flatMap((user) => (isFields(user) ? [[String(user['id']), user]] : [])),
    );
  }

  /** One creator as the importer reads it; null when its timeline or its profile cannot be read. */
  private async rowOf(id: string, user: unknown, since: Date): Promise<ChannelAnswer['row']> {
    const pages = new XPages();
    pages.take('includes.users', 0, user);
    try {
      // The timeline is the author's own, so its posts need not say whose they are.
      for await (const post of this.postsOf(id, since))
        pages.take('data', 0, isFields(post) ? { ...post, author_id: id } : post);
    } catch {
      return null;
    }
    const [row] = pages.finish().rows;
    if (row?.stated == null) return null;
    // A timeline that was read and is empty says that there are no posts.
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
          'lang',
          'note_post',
          'paid_partnership',
          'public_metrics',
          'text',
        ],
        expansions: ['in_reply_to_user_id', 'referenced_posts'],
        ...(next === undefined ? {} : { paginationToken: next }),
        requestOptions: asSent(),
      });
      const body = await bodyOf(response);
      yield* listIn(body);
      const token = isFields(body['meta']) ? body['meta']['next_token'] : undefined;
      if (typeof token !== 'string' || token === '') return;
      next = token;
    }
  }
}
