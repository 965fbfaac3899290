import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ChangedMember, Member, Operator, OperatorToken, Principal } from '@cds/contracts';
import { SCOPES } from '@cds/contracts';
import { Deadline, inTx } from '@cds/service';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { mayRead } from '../../events/feed/may-read.js';
import { WebhookFanOut } from '../../events/webhooks/fan-out.js';
import { WebhookSender } from '../../events/webhooks/sender.js';
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
  type Tokens,
} from '../../test/mcp-client.js';
import { cookieOf, ELSEWHERE, type SignedIn, signIn, startSession } from '../../test/people.js';
import { aReceiver, type Receiver } from '../../test/receiver.js';
import { testEdge } from '../../test/suite.js';
import { rolesThatMay } from './domain/roles-that-may.js';

/** How a source ends or is reduced, in the words of the table. */
const CAUSES = {
  'the person is removed': 'member removed',
  'it stays ended when they are invited again': 'member invited again',
  'the person gets a lower role': 'member lowered',
  'the session ends': 'session ended',
  'the client ends': 'client ended',
  'the client expires': 'client expired',
  'the key is revoked': 'key revoked',
  'the key expires': 'key expired',
  'the key loses scopes': 'key reduced',
  'its mandate is lowered': 'mandate reduced',
  'the key may no longer make child keys': 'delegation taken',
  'the brand is suspended': 'brand suspended',
  'the brand is declined': 'brand declined',
  'the operator is removed': 'operator removed',
  'it stays ended when they are added again': 'operator taken back',
  'the token is revoked': 'token revoked',
  'the token expires': 'token expired',
} as const;
type Cause = (typeof CAUSES)[keyof typeof CAUSES];

/** The table of the documents (docs/domain/access.md#rights): each right, with each cause and what it does. */
const page = readFileSync(join(import.meta.dirname, '../../../../../docs/domain/access.md'), 'utf8');
const DERIVED = page
  .slice(page.indexOf('\n## Rights\n'), page.indexOf('\n## Developers area\n'))
  .split('\n')
  .filter((line) => line.startsWith('|'))
  .slice(2)
  .map((line) => {
    const [right = '', , ...fates] = line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim());
    const causes = fates.flatMap((cell, at) => {
      const fate = (['ends', 'narrows', 'refused', 'stays'] as const)[at] ?? 'stays';
      const words = cell === '' ? [] : cell.split('; ').flatMap((one) => one.split(': ')[0]?.split(' or ') ?? []);
      return words.map((one) => [CAUSES[one as keyof typeof CAUSES], fate] as const);
    });
    return { right, causes };
  });

/** What a right opens when it is tried. */
type State = 'works' | 'narrower' | 'refused' | 'ended';

/** A right that was made: how to try it, and who made it as the rows say. */
type Made = { tried: () => Promise<State>; id?: string };

const stateOf = ({ status, json }: HttpAnswer): State => {
  if (status < 300) return 'works';
  if (status === 401) return 'ended';
  const { details = {} } = (json as { error: { details?: object } }).error;
  if (status !== 403) throw new Error(`not an answer about a right: ${status} ${JSON.stringify(json)}`);
  return 'scope' in details || 'at_least' in details ? 'narrower' : 'refused';
};

const OPENS = { ends: 'ended', narrows: 'narrower', refused: 'refused', stays: 'works' } as const;

describe('what is made with a right (I72)', () => {
  const edge = testEdge('derived_rights');
  let receiver: Receiver;
  beforeAll(async () => {
    receiver = await aReceiver();
    // The team always has a lead, so that each of the others can be removed.
    await written(ops('POST', '/operators', { email: 'stays@team.example', name: 'Grace', role: 'lead' }));
  });
  afterAll(() => receiver.stop());

  const rows = (name: string) => edge.shell.store.db.collection<{ _id: string } & Record<string, unknown>>(name);
  const written = async (sent: Promise<HttpAnswer>): Promise<HttpAnswer> => {
    const answer = await sent;
    if (answer.status >= 300) throw new Error(`${answer.status} ${answer.text}`);
    return answer;
  };
  const person = (who: { cookie: string }, method: string, path: string, body: object = {}) =>
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
  const inventory = async (key: string) => stateOf(await ask(edge.url, '/api/v1/inventory', { key }));
  const past = (): Date => new Date(Date.now() - 60_000);

  /** A brand with two owners, the first of whom made a key that may delegate; and a lead of the operator's team. */
  class World {
    brand!: Brand;
    boss!: SignedIn;
    one!: SignedIn;
    member = '';
    key = { id: '', secret: '' };
    client: { begun: BegunClient; tokens: Tokens; id: string } | null = null;
    lead = { id: '', email: '', cookie: '' };
    token = { id: '', secret: '' };
    /** What the operation that ended the source answered. */
    answer: unknown = null;

    /** The brand of worlds that leave it as it was, and how many more of their keys it may have. */
    static shared: { brand: Brand; boss: SignedIn; left: number } | null = null;

    static async brandFor(right: string, cause: Cause): Promise<{ brand: Brand; boss: SignedIn }> {
      const isOwn = right === 'a webhook endpoint' || cause.startsWith('brand');
      if (!isOwn && World.shared !== null && World.shared.left > 0) {
        World.shared.left -= 1;
        return World.shared;
      }
      const brand = await makeBrand(edge);
      const made = { brand, boss: await signIn(edge, brand, 'owner') };
      if (!isOwn) World.shared = { ...made, left: 15 };
      return made;
    }

    static async make(right: string, cause: Cause): Promise<World> {
      const world = new World();
      // What the operator's team makes needs no brand.
      if (/operator|team/.test(right)) return world;
      ({ brand: world.brand, boss: world.boss } = await World.brandFor(right, cause));
      world.one = await signIn(edge, world.brand, 'owner');
      const { members } = (await person(world.boss, 'GET', '/members')).json as {
        members: { id: string; email: string }[];
      };
      world.member = members.find(({ email }) => email === world.one.email)?.id ?? '';
      const made = await written(
        person(world.one, 'POST', '/keys', { name: 'agent', scopes: SCOPES, may_delegate: true }),
      );
      const { key, secret } = made.json as { key: { id: string }; secret: string };
      world.key = { id: key.id, secret };
      return world;
    }

    async withClient(): Promise<NonNullable<World['client']>> {
      const begun = await aClient(edge.url, {}, REST_RESOURCE);
      const code = await allowed(formBrowser(edge.url, this.one.cookie), begun, this.key.id);
      const tokens = (await written(redeem(begun, code))).json as Tokens;
      const grant = await rows('oauth_grants').findOne({ member_id: this.member }, { sort: { created_at: -1 } });
      this.client = { begun, tokens, id: grant?._id ?? '' };
      return this.client;
    }

    async withLead(): Promise<World['lead']> {
      const email = `lead-${randomUUID().slice(0, 8)}@team.example`;
      const { id } = (await written(ops('POST', '/operators', { email, name: 'Ada', role: 'lead' }))).json as Operator;
      this.lead = { id, email, cookie: await operatorSession(email) };
      return this.lead;
    }

    async withToken(as?: { cookie: string }, expires_at?: string): Promise<World['token']> {
      const body = { name: `script ${randomUUID().slice(0, 8)}`, role: 'lead', ...(expires_at && { expires_at }) };
      const made = await written(ops('POST', '/tokens', body, as));
      const { token, secret } = made.json as { token: OperatorToken; secret: string };
      this.token = { id: token.id, secret };
      return this.token;
    }
  }

  const operatorSession = async (email: string): Promise<string> => {
    const token = await edge.people.operators.auth.linkFor(email, ELSEWHERE);
    return cookieOf((await written(ask(edge.url, '/api/ops/session', { method: 'POST', body: { token } }))).headers);
  };
  const team = async (key: string) => stateOf(await ops('GET', '/operators', undefined, { key }));
  const principalOf = async (as: { key: string } | { cookie: string }): Promise<Principal> => {
    edge.sent.length = 0;
    await written(ask(edge.url, '/api/v1/inventory', as));
    const principal = edge.sent.find(({ name }) => name === 'inventory')?.ctx.principal;
    if (principal === undefined) throw new Error('the request went nowhere');
    return principal;
  };
  /** Tries each of several that are equal once, since a try uses it up. */
  const inTurn = async (make: () => Promise<() => Promise<State>>): Promise<Made> => {
    const left = [await make(), await make(), await make()];
    return { tried: async () => (await left.shift()?.()) ?? 'ended' };
  };

  const mandateEnds = new Date(Date.now() + 43_200_000).toISOString();
  const mandate = (max_plan_cents: number) => ({
    max_plan_cents,
    monthly_cap_cents: 900_000,
    channels: ['x_creators'],
    may_approve: false,
    expires_at: mandateEnds,
  });
  const setMandate = ({ boss, key }: World, cents: number) =>
    written(person(boss, 'PUT', `/keys/${key.id}/mandate`, mandate(cents)));
  /** Whether a credential may still spend what its mandate allowed at first. */
  const mandated = async (key: string): Promise<State> =>
    (await principalOf({ key })).mandate?.max_plan_cents === 100_000 ? 'works' : 'narrower';

  const STREAM_BY: Partial<Record<Cause, 'session' | 'client'>> = {
    'member removed': 'session',
    'session ended': 'session',
    'client ended': 'client',
    'client expired': 'client',
  };

  const MADE: Record<string, (world: World, cause: Cause) => Promise<Made>> = {
    "a person's session": async ({ one }) => ({ tried: async () => stateOf(await person(one, 'GET', '/keys')) }),
    'a sign-in link': ({ one }) =>
      inTurn(async () => {
        const token = await edge.people.auth.linkFor(one.email, ELSEWHERE);
        return async () => {
          const started = await ask(edge.url, '/api/brand/session', { method: 'POST', body: { token } });
          if (started.status === 401) return 'ended';
          return stateOf(await person({ cookie: cookieOf(started.headers) }, 'GET', '/keys'));
        };
      }),
    'an invitation that nobody accepted': ({ one }) =>
      inTurn(async () => {
        const email = `invited-${randomUUID().slice(0, 8)}@people.example`;
        await written(person(one, 'POST', '/members', { email, role: 'member' }));
        return async () => {
          const cookie = await startSession(edge, email).catch(() => null);
          return cookie === null ? 'ended' : stateOf(await person({ cookie }, 'GET', '/members'));
        };
      }),
    'a member whom an owner invited': async ({ one }) => {
      const email = `joined-${randomUUID().slice(0, 8)}@people.example`;
      const { id } = (await written(person(one, 'POST', '/members', { email, role: 'member' }))).json as Member;
      const cookie = await startSession(edge, email);
      return { id, tried: async () => stateOf(await person({ cookie }, 'GET', '/members')) };
    },
    'a signed-in client, with its tokens': async (world, cause) => {
      if (cause === 'mandate reduced') await setMandate(world, 100_000);
      const { begun, tokens } = await world.withClient();
      if (cause === 'mandate reduced') return { tried: () => mandated(tokens.access_token) };
      const tried = async () => {
        const state = await inventory(tokens.access_token);
        const renewed = state === 'ended' ? await refresh(begun, tokens.refresh_token) : null;
        if (renewed?.status === 200) throw new Error('the client is refused, and gets new tokens');
        return state;
      };
      return { tried };
    },
    "a client's unfinished sign-in": (world) =>
      inTurn(async () => {
        const begun = await aClient(edge.url, {}, REST_RESOURCE);
        const code = await allowed(formBrowser(edge.url, world.one.cookie), begun, world.key.id);
        return async () => ((await redeem(begun, code)).status === 200 ? 'works' : 'ended');
      }),
    'a key, live or test': async ({ key }) => ({ id: key.id, tried: () => inventory(key.secret) }),
    'a child key': async (world, cause) => {
      const spends = cause === 'mandate reduced';
      if (spends) await setMandate(world, 100_000);
      const { tokens, id: grant } = await world.withClient();
      const asked = {
        name: 'helper',
        scopes: ['inventory:read', 'campaigns:read'],
        expires_at: new Date(Date.now() + 86_400_000).toISOString(),
        ...(spends && { mandate: mandate(100_000) }),
      };
      const sent = {
        method: 'POST',
        key: tokens.access_token,
        headers: { 'idempotency-key': freshKey() },
        body: asked,
      };
      const { key, secret } = (await written(ask(edge.url, '/api/v1/keys/children', sent))).json as {
        key: { id: string };
        secret: string;
      };
      expect(await rows('keys').findOne({ key_id: key.id } as never)).toMatchObject({ made_by_grant: grant });
      return { id: key.id, tried: () => (spends ? mandated(secret) : inventory(secret)) };
    },
    'a webhook endpoint': async ({ one, brand }) => {
      const made = await written(person(one, 'POST', '/webhooks', { url: receiver.url }));
      const { webhook } = made.json as { webhook: { id: string } };
      const work = { shell: edge.shell, ...edge.deps.hooks, feed: edge.deps.feed, people: edge.deps.people };
      const tried = async (): Promise<State> => {
        const [sender, fanOut] = [new WebhookSender(work), new WebhookFanOut(work)];
        const id = randomUUID();
        const event = { kind: 'plan.changed', aggregate: { type: 'plan', id }, version: 1, data: { id } } as const;
        await inTx(edge.shell.store, Deadline.in(30_000), (tx) =>
          edge.deps.feed.add(tx, { ws: brand.workspaces.live, at: new Date('2099-11-21T12:00:00.000Z'), ...event }),
        );
        try {
          await fanOut.run();
          while ((await sender.begin()) > 0) await sender.idle();
          return receiver.received.some(({ body }) => body.includes(id)) ? 'works' : 'refused';
        } finally {
          await Promise.all([fanOut.stop(), sender.stop()]);
        }
      };
      return { id: webhook.id, tried };
    },
    'an open stream or wait': async (world, cause) => {
      const by = STREAM_BY[cause] ?? 'key';
      const principal =
        by === 'session'
          ? await principalOf({ cookie: world.one.cookie })
          : await principalOf({
              key: by === 'key' ? world.key.secret : (await world.withClient()).tokens.access_token,
            });
      return { tried: async () => ((await mayRead(principal, edge.deps)) ? 'works' : 'ended') };
    },
    "an operator's session": async (world) => {
      const { cookie } = await world.withLead();
      return { tried: async () => stateOf(await ops('GET', '/operators', undefined, { cookie })) };
    },
    "an operator's sign-in link": async (world) => {
      const { email } = await world.withLead();
      return inTurn(async () => {
        const token = await edge.people.operators.auth.linkFor(email, ELSEWHERE);
        return async () => stateOf(await ask(edge.url, '/api/ops/session', { method: 'POST', body: { token } }));
      });
    },
    'an operator token': async (world, cause) => {
      const by = cause.startsWith('token') ? { key: (await world.withToken()).secret } : await world.withLead();
      const source = world.token;
      const first = await world.withToken('cookie' in by ? { cookie: by.cookie } : (by as never));
      // A token may make others: they end with the first source, too.
      const second = await world.withToken({ key: first.secret } as never);
      if (source.id !== '') world.token = source;
      const tried = async () => {
        const states = [await team(first.secret), await team(second.secret)];
        if (states[0] !== states[1]) throw new Error(`a token and the one that it made differ: ${states}`);
        return states[0] ?? 'ended';
      };
      return { id: first.id, tried };
    },
    'a member of the team': async (world, cause) => {
      const by = cause.startsWith('token')
        ? { key: (await world.withToken()).secret }
        : { cookie: (await world.withLead()).cookie };
      const email = `added-${randomUUID().slice(0, 8)}@team.example`;
      const { id } = (await written(ops('POST', '/operators', { email, name: 'Eve', role: 'viewer' }, by)))
        .json as Operator;
      const cookie = await operatorSession(email);
      return { id, tried: async () => stateOf(await ops('GET', '/me', undefined, { cookie })) };
    },
  };

  const removed = async ({ boss, member }: World) => (await written(person(boss, 'DELETE', `/members/${member}`))).json;
  const takenAway = async ({ lead }: World) => (await written(ops('DELETE', `/operators/${lead.id}`))).json;

  /** The ways in which each source ends or is reduced. */
  const CAUSED: Record<Cause, Record<string, (world: World) => Promise<unknown>>> = {
    'member removed': { 'by an owner': removed },
    'member invited again': {
      'as an owner': async (world) => {
        await removed(world);
        await written(person(world.boss, 'POST', '/members', { email: world.one.email, role: 'owner' }));
      },
    },
    'member lowered': {
      'to a viewer': async ({ boss, member }) =>
        (await written(person(boss, 'PATCH', `/members/${member}`, { role: 'viewer' }))).json,
    },
    'session ended': {
      'by signing out': async ({ one, lead }) => {
        if (lead.cookie !== '') return written(ops('DELETE', '/session', undefined, { cookie: lead.cookie }));
        return written(ask(edge.url, '/api/brand/session', { method: 'DELETE', cookie: one.cookie }));
      },
    },
    'client ended': {
      'by an admin': ({ boss, client }) => written(person(boss, 'DELETE', `/clients/${client?.id}`)),
      'by the client': async ({ client }) =>
        client === null ? null : written(revoke(client.begun, client.tokens.refresh_token)),
      'by a refresh token that was used twice': async ({ client }) => {
        if (client === null) return;
        await written(refresh(client.begun, client.tokens.refresh_token));
        await refresh(client.begun, client.tokens.refresh_token);
      },
    },
    'client expired': {
      'by time': ({ client }) =>
        rows('oauth_grants').updateOne({ _id: client?.id ?? '' }, { $set: { expires_at: past() } }),
    },
    'key revoked': {
      'by an admin': ({ boss, key }) => written(person(boss, 'POST', `/keys/${key.id}/revoke`)),
      'by a lead': ({ key }) => written(ops('POST', `/keys/${key.id}/revoke`, { reason: 'a test' })),
      'by a report': ({ key }) =>
        written(ask(edge.url, '/api/keys/report', { method: 'POST', body: { key: key.secret } })),
    },
    'key expired': {
      'by time': ({ key }) => edge.changeKeys({ key_id: key.id }, { expires_at: past() }),
    },
    'key reduced': {
      'by a scope': ({ boss, key }) =>
        written(person(boss, 'PATCH', `/keys/${key.id}`, { scopes: ['campaigns:read'] })),
    },
    'mandate reduced': { 'by an admin': (world) => setMandate(world, 50_000) },
    'delegation taken': {
      'by an admin': ({ boss, key }) => written(person(boss, 'PATCH', `/keys/${key.id}`, { may_delegate: false })),
    },
    'brand suspended': {
      'by a lead': async ({ brand }) => {
        const id = (await edge.people.workspaces.byId(brand.workspaces.live))?.brand_id;
        await written(ops('POST', `/brands/${id}/suspend`, { reason: 'a test' }));
        return id;
      },
    },
    'brand declined': {
      'by a lead': async (world) => {
        const email = `applicant-${randomUUID().slice(0, 8)}@people.example`;
        const applied = { company: email, website: 'https://example.com', name: 'Ada', email };
        await written(ask(edge.url, '/api/signup', { method: 'POST', body: applied }));
        const brand = await rows('brands').findOne({ 'applicant.email': email } as never);
        await written(ops('POST', `/brands/${brand?._id}/decline`, { reason: 'a test' }));
        world.one = { ...world.one, email };
      },
    },
    'operator removed': { 'by a lead': takenAway },
    'operator taken back': {
      'as a lead': async (world) => {
        await takenAway(world);
        await written(ops('POST', '/operators', { email: world.lead.email, name: 'Ada', role: 'lead' }));
      },
    },
    'token revoked': { 'by a lead': async ({ token }) => (await written(ops('DELETE', `/tokens/${token.id}`))).json },
    'token expired': {
      'by time': ({ token }) =>
        rows('operator_tokens').updateOne({ token_id: token.id } as never, { $set: { expires_at: past() } }),
    },
  };

  beforeEach(async () => {
    edge.counters.reset();
    await rows('quotas').deleteMany({});
  });

  const cells = DERIVED.flatMap(({ right, causes }) =>
    causes.flatMap(([cause, fate]) =>
      Object.keys(CAUSED[cause]).map((way) => [`${right}: ${cause} ${way}`, fate, right, cause, way] as const),
    ),
  );

  test('the table names every right and every cause that is known here', () => {
    expect(DERIVED.map(({ right }) => right)).toEqual(Object.keys(MADE));
    const causes = DERIVED.flatMap((one) => one.causes.map(([cause]) => cause));
    expect(new Set(causes)).toEqual(new Set(Object.values(CAUSES)));
  });

  test('whoever may make keys connects clients, and owners invite', () => {
    expect(rolesThatMay('client')).toEqual(['admin', 'owner']);
    expect(rolesThatMay('invitation')).toEqual(['owner']);
  });

  test.each(cells)('%s, %s', async (_cell, fate, name, cause, way) => {
    const world = await World.make(name, cause);
    const make = MADE[name];
    if (make === undefined) throw new Error(`nobody makes ${name}`);
    if (cause === 'brand declined') {
      await CAUSED[cause][way]?.(world);
      return expect(await (await make(world, cause)).tried()).toBe('ended');
    }
    const made = await make(world, cause);
    expect(await made.tried()).toBe('works');

    const answer = await CAUSED[cause][way]?.(world);
    expect(await made.tried()).toBe(OPENS[fate]);

    // What is only refused comes back with its source.
    if (fate === 'refused') {
      await written(ops('POST', `/brands/${answer}/reinstate`, { reason: 'a test' }));
      expect(await made.tried()).toBe('works');
    }
    // What stays though its person or token ended is named in the answer.
    const { stays = [], added = [] } = (answer ?? {}) as Partial<ChangedMember & { added: { id: string }[] }>;
    if (fate === 'stays' && /^(member|operator|token)/.test(cause))
      expect([...stays, ...added].map(({ id }) => id)).toContain(made.id);
  });
});
