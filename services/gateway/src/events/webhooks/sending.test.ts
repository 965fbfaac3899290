import { createSecretKey, randomUUID } from 'node:crypto';
import type { Webhook, WebhookDelivery } from '@cds/contracts';
import { Deadline, inTx } from '@cds/service';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { Webhook as Verifier } from 'standardwebhooks';
import { type Brand, type EdgeApp, makeBrand, startEdgeApp, startReplica } from '../../test/edge-app.js';
import { signIn } from '../../test/people.js';
import { aPersonCtx } from '../../test/person.js';
import { aReceiver, type Received, type Receiver } from '../../test/receiver.js';
import { feedCursor } from '../feed/domain/feed-cursor.js';
import type { FeedEvent } from '../feed/store/feed.js';
import type { WebhookWork } from './deps.js';
import { WebhookFanOut } from './fan-out.js';
import { WebhookSender } from './sender.js';
import { Webhooks } from './store/webhooks.js';

type Made = { webhook: Webhook; secret: string };

const HOUR_MS = 3_600_000;

/** Deliveries to real receivers, verified by an implementation that is not ours (docs/domain/events.md#webhooks). */
describe('the delivery of webhooks', () => {
  let edge: EdgeApp;
  let brand: Brand;
  let receiver: Receiver;
  let sender: WebhookSender;
  let fanOut: WebhookFanOut;
  let versions: Map<string, number>;

  const workOf = (of: EdgeApp, over: Partial<WebhookWork> = {}): WebhookWork => ({
    shell: of.shell,
    ...of.deps.hooks,
    feed: of.deps.feed,
    people: of.deps.people,
    ...over,
  });
  const ws = () => brand.workspaces.live;
  const run = async <T>(name: string, input: object = {}): Promise<T> => {
    const answer = await edge.run(name, aPersonCtx(ws()), { ...input });
    if (answer.status >= 300) throw new Error(`${name}: ${JSON.stringify(answer.body)}`);
    return answer.body as T;
  };
  const make = (over: object = {}) => run<Made>('webhook_make', { url: receiver.url, ...over });
  const deliveriesOf = async (id: string, query: object = {}) =>
    (await run<{ deliveries: WebhookDelivery[] }>('webhook_deliveries', { id, ...query })).deliveries;
  const webhookOf = async (id: string) => {
    const found = (await run<{ webhooks: Webhook[] }>('webhooks_list')).webhooks.find((one) => one.id === id);
    if (found === undefined) throw new Error('the endpoint is not listed');
    return found;
  };

  /** Adds the next event of an aggregate to the feed. */
  const happens = async (id: string, kind: FeedEvent['kind'] = 'plan.changed', workspace = ws()): Promise<void> => {
    const version = (versions.get(id) ?? 0) + 1;
    versions.set(id, version);
    await inTx(edge.shell.store, Deadline.in(30_000), (tx) =>
      edge.deps.feed.add(tx, {
        ws: workspace,
        // Far ahead, since what is older than the feed is kept is not read.
        at: new Date('2099-11-21T12:00:00.000Z'),
        kind,
        aggregate: { type: 'plan', id },
        version,
        data: { id, total_cents: version * 100 },
      }),
    );
  };
  /** Makes deliveries of what has happened, and sends what is due. */
  const turn = async (with_: WebhookSender = sender): Promise<void> => {
    await fanOut.run();
    while ((await with_.begin()) > 0) await with_.idle();
  };
  const rows = <T extends object>(name: string) => edge.shell.store.db.collection<T & { _id: string }>(name);
  const lanes = () => rows<{ due_at: Date; first_at: Date | null; tries: number; paused: boolean }>('webhook_lanes');
  /** Lets time pass for what waits: everything is due, and was first tried so much earlier. */
  const passes = (ms = 0): Promise<unknown> =>
    lanes().updateMany({}, [
      {
        $set: {
          due_at: '$$NOW',
          claim: null,
          first_at: { $cond: [{ $eq: ['$first_at', null] }, null, { $subtract: ['$first_at', ms] }] },
        },
      },
    ]);
  /** The pause until the next attempt of the only lane, in whole seconds after which it is due. */
  const pauseS = async (): Promise<number> => {
    const [lane] = await lanes().find({}).toArray();
    return Math.ceil(((lane?.due_at.getTime() ?? 0) - (await edge.shell.store.now()).getTime()) / 1_000);
  };
  const verified = (secret: string, { headers, body }: Received) =>
    new Verifier(secret).verify(body, headers as Record<string, string>) as Record<string, unknown>;
  const dataOf = ({ body }: Received) =>
    (JSON.parse(body) as { data: { aggregate: { id: string }; version: number } }).data;
  const placesOf = (id: string) =>
    receiver.received.filter((one) => dataOf(one).aggregate?.id === id).map((one) => dataOf(one).version);

  beforeAll(async () => {
    edge = await startEdgeApp('gateway_webhooks');
  });
  afterAll(() => edge.stop());
  beforeEach(async () => {
    brand = await makeBrand(edge);
    for (const name of ['webhooks', 'webhook_lanes', 'webhook_deliveries', 'messages']) await rows(name).deleteMany({});
    versions = new Map();
    receiver = await aReceiver();
    sender = new WebhookSender(workOf(edge));
    fanOut = new WebhookFanOut(workOf(edge));
  });
  afterEach(async () => {
    await sender.stop();
    await fanOut.stop();
    await receiver.stop();
  });

  test('what was made of events begins at once, before the next sweep', async () => {
    const waking = new WebhookFanOut(workOf(edge), () => sender.wake());
    const sent = new Promise<void>((resolve) =>
      receiver.answer((response) => {
        response.writeHead(204).end();
        resolve();
      }),
    );
    await make();
    await happens(randomUUID());
    expect(await waking.run()).toBe(1);
    await sent;
    await waking.stop();
  });

  test('an event is sent as the feed has it, signed, and only from the making of the endpoint on', async () => {
    const plan = randomUUID();
    await happens(plan);
    const { webhook, secret } = await make();
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    await happens(plan);
    await turn();

    const [sent] = receiver.received;
    if (sent === undefined) throw new Error('nothing was sent');
    const event = (await edge.deps.feed.next({ ws: ws(), seq: 0 }, await edge.deps.feed.head(ws()), 100)).events.at(-1);
    expect(verified(secret, sent)).toEqual({
      type: 'plan.changed',
      timestamp: '2099-11-21T12:00:00.000Z',
      data: {
        id: event?.id,
        at: '2099-11-21T12:00:00.000Z',
        kind: 'plan.changed',
        aggregate: { type: 'plan', id: plan },
        version: 2,
        data: { id: plan, total_cents: 200 },
      },
    });
    expect(sent.headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': 'creator-distribution-webhooks/1',
    });
    expect(receiver.received).toHaveLength(1);
    const [delivery] = await deliveriesOf(webhook.id);
    expect(delivery).toMatchObject({
      id: sent.headers['webhook-id'],
      event_id: event?.id,
      body: sent.body,
      state: 'delivered',
      next_attempt_at: null,
      attempts: [{ status: 204, problem: null }],
    });
    expect(await lanes().countDocuments({})).toBe(0);
  });

  test('only the kinds that were asked for are sent, and another workspace’s events never', async () => {
    const other = await makeBrand(edge);
    await make({ kinds: ['plan.approved'] });
    const plan = randomUUID();
    await happens(plan);
    await happens(plan, 'plan.approved');
    await happens(randomUUID(), 'plan.approved', other.workspaces.live);
    await turn();
    expect(receiver.received.map(dataOf)).toMatchObject([{ aggregate: { id: plan }, version: 2 }]);
  });

  test('after a rotation both secrets sign for 24 hours, then the new one alone', async () => {
    const { webhook, secret: former } = await make();
    const { secret, webhook: after } = await run<Made>('webhook_rotate', { id: webhook.id });
    expect(secret).not.toBe(former);
    expect(after.secrets.map(({ ends_at }) => ends_at === null)).toEqual([true, false]);
    const plan = randomUUID();
    await happens(plan);
    await turn();
    const [both] = receiver.received;
    if (both === undefined) throw new Error('nothing was sent');
    expect(both.headers['webhook-signature']).toMatch(/^v1,\S+ v1,\S+$/);
    verified(secret, both);
    verified(former, both);

    await rows('webhooks').updateMany({}, { $set: { 'secrets.1.ends_at': new Date(Date.now() - 1) } });
    await happens(plan);
    await turn();
    const one = receiver.received.at(-1) as Received;
    verified(secret, one);
    expect(() => verified(former, one)).toThrow('No matching signature');
  });

  test('a secret that a former key sealed is sealed again by the next process, and still signs', async () => {
    const { webhook, secret } = await make();
    const { store } = edge.shell;
    const row = await edge.deps.hooks.webhooks.byId(ws(), webhook.id);
    const sealKeys = { 1: createSecretKey(Buffer.alloc(32, 3)), 2: createSecretKey(Buffer.alloc(32, 4)) };
    const newer = new Webhooks(store, sealKeys, true);
    await fanOut.stop();
    const reader = new WebhookFanOut(workOf(edge, { webhooks: newer }));
    await reader.run();
    await reader.stop();
    const after = await newer.byId(ws(), webhook.id);
    expect([row?.secrets[0]?.sealed.split('.')[0], after?.secrets[0]?.sealed.split('.')[0]]).toEqual(['1', '2']);
    if (after?.secrets[0] === undefined) throw new Error('the secret is gone');
    expect(newer.secretOf(after, after.secrets[0])).toBe(secret);
  });

  test('a later event of an aggregate waits for the earlier one, and others go on', async () => {
    const { webhook } = await make();
    const [stuck, free] = [randomUUID(), randomUUID()];
    receiver.answer((response, sent) => {
      response.writeHead(dataOf(sent).aggregate.id === stuck ? 500 : 200).end();
    });
    for (const id of [stuck, stuck, free, stuck, free]) await happens(id);
    await turn();
    await turn();
    expect(placesOf(stuck)).toEqual([1]);
    expect(placesOf(free)).toEqual([1, 2]);
    expect(await pauseS()).toBeGreaterThan(1);
    const [third, second, first] = await deliveriesOf(webhook.id, { state: 'waiting' });
    expect(first?.next_attempt_at).not.toBeNull();
    expect([second?.next_attempt_at, third?.next_attempt_at]).toEqual([null, null]);

    receiver.answer((response) => void response.writeHead(200).end());
    await passes();
    await turn();
    expect(placesOf(stuck)).toEqual([1, 1, 2, 3]);
    const ids = receiver.received
      .filter((one) => dataOf(one).aggregate.id === stuck)
      .map((one) => one.headers['webhook-id']);
    expect(ids[0]).toBe(ids[1]);
    expect(new Set(ids).size).toBe(3);
  });

  // The pauses between are a table beside the rule (domain/webhooks.test.ts).
  test('it is tried again after 5 s, and after three days it is disabled with a mail', async () => {
    const owner = await signIn(edge, brand, 'owner');
    const admin = await signIn(edge, brand, 'admin');
    await signIn(edge, brand, 'viewer');
    const { webhook } = await make();
    receiver.answer((response) => void response.writeHead(503).end());
    const plan = randomUUID();
    await happens(plan);
    await turn();
    expect(Math.abs((await pauseS()) - 5)).toBeLessThanOrEqual(2);
    await passes(72 * HOUR_MS);
    await turn();

    const after = await webhookOf(webhook.id);
    expect(after).toMatchObject({ state: 'disabled', disabled_because: 'failing', waiting: 1 });
    const mails = await rows<{ to: string; text: string; kind: string }>('messages')
      .find({ kind: 'webhook_disabled' })
      .toArray();
    expect(new Set(mails.map(({ to }) => to))).toEqual(new Set([owner.email, admin.email]));
    expect(mails).toHaveLength(2);
    expect(mails[0]?.text).toContain('tried for three days');
    expect(await rows('audit').countDocuments({ action: 'webhook.disabled', object: webhook.id })).toBe(1);

    // It keeps its place: nothing is lost, and nothing is sent before somebody enables it.
    const before = receiver.received.length;
    await happens(plan);
    await passes();
    await turn();
    expect(receiver.received).toHaveLength(before);
    receiver.answer((response) => void response.writeHead(200).end());
    expect(await run('webhook_enable', { id: webhook.id })).toMatchObject({ state: 'enabled', failing_since: null });
    await turn();
    expect(placesOf(plan).slice(-2)).toEqual([1, 2]);
  });

  test('410 Gone disables at once, also when several deliveries find it, and the admins get one mail each', async () => {
    await signIn(edge, brand, 'admin');
    const { webhook } = await make();
    receiver.answer((response) => void response.writeHead(410).end());
    for (let n = 0; n < 4; n += 1) await happens(randomUUID());
    await turn();
    expect(await webhookOf(webhook.id)).toMatchObject({ state: 'disabled', disabled_because: 'gone', waiting: 4 });
    expect(await rows('messages').countDocuments({ kind: 'webhook_disabled' })).toBe(1);
    expect(await lanes().countDocuments({ paused: false })).toBe(0);
  });

  test('a success ends the count of failures', async () => {
    const { webhook } = await make();
    receiver.answer((response, _sent, nth) => void response.writeHead(nth === 1 ? 500 : 200).end());
    await happens(randomUUID());
    await turn();
    expect((await webhookOf(webhook.id)).failing_since).not.toBeNull();
    await passes();
    await turn();
    expect((await webhookOf(webhook.id)).failing_since).toBeNull();
  });

  test.each<[what: string, problem: string, status: number | null, how: Parameters<Receiver['answer']>[0]]>([
    ['fails', 'status', 500, (response) => void response.writeHead(500).end('no')],
    ['redirects', 'redirect', 302, (response) => void response.writeHead(302, { location: receiver.url }).end()],
    ['breaks off before an answer', 'unreachable', null, (response) => void response.socket?.destroy()],
    ['answers no HTTP', 'unreachable', null, (response) => void response.socket?.end('hello\r\n\r\n')],
    [
      'asks for another protocol',
      'unreachable',
      null,
      (response) => void response.socket?.end('HTTP/1.1 101 Switching\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'),
    ],
    [
      'sends headers without end',
      'unreachable',
      null,
      (response) => void response.socket?.write(`HTTP/1.1 200 OK\r\n${`x: ${'y'.repeat(1_000)}\r\n`.repeat(100)}`),
    ],
  ])('a receiver that %s has not taken it: %s', async (_what, problem, status, how) => {
    const { webhook } = await make();
    receiver.answer(how);
    await happens(randomUUID());
    await turn();
    const [delivery] = await deliveriesOf(webhook.id);
    expect(delivery).toMatchObject({ state: 'waiting', attempts: [{ status, problem }] });
    expect(receiver.received).toHaveLength(1);
  });

  test.each<[what: string, how: Parameters<Receiver['answer']>[0]]>([
    [
      'says a wrong length',
      (response) =>
        void response.writeHead(200, { 'content-length': '9' }).write('x', () => response.socket?.destroy()),
    ],
    [
      'answers without end',
      (response) => {
        response.writeHead(200);
        const more = () => {
          while (!response.destroyed && response.write('x'.repeat(65_536)));
          if (!response.destroyed) response.once('drain', more);
        };
        more();
      },
    ],
    ['keeps the answer open', (response) => void response.writeHead(200).write('x')],
    [
      'answers in an encoding that it is not',
      (response) => void response.writeHead(200, { 'content-encoding': 'gzip' }).end('x'),
    ],
  ])('a receiver that %s has taken it all the same', async (_what, how) => {
    const { webhook } = await make();
    receiver.answer(how);
    await happens(randomUUID());
    await turn();
    expect(await deliveriesOf(webhook.id)).toMatchObject([{ state: 'delivered', attempts: [{ status: 200 }] }]);
  });

  test('a receiver that hangs holds up nobody else, and itself has few requests at once', async () => {
    const hanging = await aReceiver();
    hanging.answer(() => undefined);
    const hung = await make({ url: hanging.url });
    await make();
    for (let n = 0; n < 12; n += 1) await happens(randomUUID());
    await fanOut.run();
    const until = async (done: () => boolean): Promise<void> => {
      for (let n = 0; n < 400 && !done(); n += 1) {
        await sender.begin();
        await edge.shell.store.now();
      }
    };
    await until(() => receiver.received.length === 12 && hanging.received.length === 4);
    expect(receiver.received).toHaveLength(12);
    expect(hanging.open()).toBe(4);
    await hanging.stop();
    await sender.idle();
    const tried = (await deliveriesOf(hung.webhook.id)).flatMap(({ attempts }) => attempts);
    expect(tried.length).toBeGreaterThanOrEqual(4);
    expect(new Set(tried.map(({ problem }) => problem))).toEqual(new Set(['unreachable']));
  });

  test('a sweep and a wake at once keep the bounds, and a stop leaves nothing untracked', async () => {
    receiver.answer(() => undefined);
    await make();
    for (let round = 1; round <= 2; round += 1) {
      for (let plan = 0; plan < 4; plan += 1) await happens(randomUUID());
      await fanOut.run();
      await Promise.all([sender.begin(), sender.begin()]);
    }
    while (receiver.open() < 4) await edge.shell.store.now();
    await Promise.all([sender.begin(), sender.begin()]);
    expect(receiver.open()).toBe(4);
    await receiver.stop();
    await sender.stop();
    expect(receiver.open()).toBe(0);
  });

  test('a place that ends begins the next in line, without another sweep', async () => {
    await make();
    for (let plan = 0; plan < 12; plan += 1) await happens(randomUUID());
    await fanOut.run();
    await sender.begin();
    while ((await lanes().countDocuments({})) > 0);
    expect(receiver.received).toHaveLength(12);
  });

  test('of many replicas one sends each attempt, one at a time for each aggregate and in order', async () => {
    await make();
    const replicas = await Promise.all([startReplica(edge), startReplica(edge)]);
    const senders = [sender, ...replicas.map((one) => new WebhookSender(workOf(one)))];
    const plans = Array.from({ length: 5 }, () => randomUUID());
    for (let version = 0; version < 6; version += 1) for (const plan of plans) await happens(plan);
    const readers = replicas.map((one) => new WebhookFanOut(workOf(one)));
    await Promise.all(readers.map((one) => one.run()));
    while ((await lanes().countDocuments({})) > 0) {
      await Promise.all(senders.map((one) => one.begin()));
      await Promise.all(senders.map((one) => one.idle()));
    }
    expect(receiver.received).toHaveLength(30);
    for (const plan of plans) expect(placesOf(plan)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(receiver.atOnce((one) => dataOf(one).aggregate.id)).toBe(1);
    for (const one of [...senders, ...readers]) await one.stop();
    for (const one of replicas) await one.stop();
  }, 30_000);

  test('a crash between sending and recording sends it again under the same id', async () => {
    const { webhook, secret } = await make();
    const plan = randomUUID();
    await happens(plan);
    await happens(plan);
    edge.shell.failpoints.arm('webhook.sent=error');
    await turn();
    expect(receiver.received).toHaveLength(1);
    expect(await deliveriesOf(webhook.id, { state: 'delivered' })).toEqual([]);
    // Its lane is held until the lease ends; then any other process sends.
    await new WebhookSender(workOf(edge)).begin();
    expect(receiver.received).toHaveLength(1);
    await passes();
    await turn();
    expect(placesOf(plan)).toEqual([1, 1, 2]);
    const [first, again] = receiver.received as [Received, Received];
    expect(again.headers['webhook-id']).toBe(first.headers['webhook-id']);
    expect(verified(secret, again)).toEqual(verified(secret, first));
  });

  test('a replay sends everything after its cursor again under the same ids', async () => {
    const { webhook } = await make();
    const [one, two] = [randomUUID(), randomUUID()];
    const before = await edge.deps.feed.head(ws());
    for (const id of [one, two, one, two]) await happens(id);
    await turn();
    const ids = receiver.received.map(({ headers }) => headers['webhook-id']);
    expect(new Set(ids).size).toBe(4);

    await run('webhook_replay', { id: webhook.id, cursor: feedCursor(ws(), before + 2) });
    await turn();
    expect(placesOf(one)).toEqual([1, 2, 2]);
    expect(placesOf(two)).toEqual([1, 2, 2]);
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(4);

    await run('webhook_replay', { id: webhook.id });
    await turn();
    expect(placesOf(one)).toEqual([1, 2, 2, 1, 2]);
    const bad = (cursor: string) =>
      edge.run('webhook_replay', aPersonCtx(ws()), { id: webhook.id, cursor }).then(({ status }) => status);
    const at = (place: number) => bad(feedCursor(ws(), before + place));
    expect([await at(5), await bad('4'), await bad(feedCursor(randomUUID(), 1)), await at(4)]).toEqual([
      400, 400, 400, 200,
    ]);
  });

  test('a replay of what is no longer kept is refused', async () => {
    const { webhook } = await make();
    const before = await edge.deps.feed.head(ws());
    for (let n = 0; n < 3; n += 1) await happens(randomUUID());
    await rows<{ ws: string; seq: number }>('feed').deleteMany({ ws: ws(), seq: { $lte: before + 1 } });
    const replayed = await edge.run('webhook_replay', aPersonCtx(ws()), {
      id: webhook.id,
      cursor: feedCursor(ws(), 0),
    });
    expect(replayed).toMatchObject({ status: 400 });
    expect(JSON.stringify(replayed.body)).toContain('is older than what is kept');
    expect(await run('webhook_replay', { id: webhook.id, cursor: feedCursor(ws(), before + 1) })).toMatchObject({
      state: 'enabled',
    });
  });

  test('a test is sent once, signed, also to a disabled endpoint, and its failure changes nothing', async () => {
    const { webhook, secret } = await make();
    receiver.answer((response) => void response.writeHead(410).end());
    const sent = await run<WebhookDelivery>('webhook_test', { id: webhook.id });
    await turn();
    expect(await deliveriesOf(webhook.id)).toMatchObject([
      { id: sent.id, kind: 'webhook.test', event_id: null, state: 'failed', attempts: [{ status: 410 }] },
    ]);
    expect(await webhookOf(webhook.id)).toMatchObject({ state: 'enabled', failing_since: null });
    const [got] = receiver.received as [Received];
    expect(verified(secret, got)).toMatchObject({ type: 'webhook.test', data: { webhook_id: webhook.id } });
    await passes();
    await turn();
    expect(receiver.received).toHaveLength(1);

    await rows('webhooks').updateMany({}, { $set: { enabled: false, disabled_because: 'gone' } });
    receiver.answer((response) => void response.writeHead(200).end());
    await run('webhook_test', { id: webhook.id });
    await turn();
    expect(receiver.received).toHaveLength(2);
    expect((await webhookOf(webhook.id)).state).toBe('disabled');
  });

  test('a removed endpoint is sent nothing more, and leaves nothing', async () => {
    const { webhook } = await make();
    receiver.answer((response) => void response.writeHead(500).end());
    await happens(randomUUID());
    await turn();
    await run('webhook_remove', { id: webhook.id });
    await passes();
    await happens(randomUUID());
    await turn();
    expect(receiver.received).toHaveLength(1);
    expect(await lanes().countDocuments({})).toBe(0);
    for (let n = 0; n < 100 && (await rows('webhook_deliveries').countDocuments({})) > 0; n += 1);
    expect(await rows('webhook_deliveries').countDocuments({})).toBe(0);
  });

  test('from 1,000 waiting deliveries on, the events of an endpoint wait in the feed', async () => {
    const { webhook } = await make();
    const waiting = { ws: ws(), endpoint_id: webhook.id, state: 'waiting' };
    const deliveries = rows<{ ws: string; endpoint_id: string; state: string }>('webhook_deliveries');
    await deliveries.insertMany(
      Array.from({ length: 1_000 }, (_none, seq) => ({ ...waiting, _id: randomUUID(), lane: randomUUID(), seq })),
    );
    await happens(randomUUID());
    expect(await fanOut.run()).toBe(0);
    expect(await deliveries.countDocuments(waiting)).toBe(1_000);

    await deliveries.deleteOne(waiting);
    expect(await fanOut.run()).toBe(1);
    expect(await deliveries.countDocuments(waiting)).toBe(1_000);
  });

  test('an endpoint has half a megabyte of waiting deliveries at most, and of those that ended', async () => {
    const { webhook } = await make();
    const of = { ws: ws(), endpoint_id: webhook.id };
    const deliveries = rows<typeof of & { state: string; body: string; created_at: Date }>('webhook_deliveries');
    const large = (state: string) => (place: number) => ({
      ...of,
      _id: randomUUID(),
      lane: randomUUID(),
      seq: 0,
      state,
      body: 'x'.repeat(50_000),
      created_at: new Date(1_000 * place),
    });
    await deliveries.insertMany(Array.from({ length: 10 }, (_none, place) => large('waiting')(place)));
    await happens(randomUUID());
    expect(await fanOut.run()).toBe(0);
    await deliveries.deleteMany(of);

    await deliveries.insertMany(Array.from({ length: 15 }, (_none, place) => large('delivered')(place)));
    await deliveries.insertOne(large('waiting')(0));
    for (let place = 0; place < 50; place += 1) await happens(randomUUID());
    await fanOut.run();
    const ended = await deliveries
      .find({ ...of, state: 'delivered' })
      .sort({ created_at: 1 })
      .toArray();
    expect(ended.map((one) => one.created_at.getTime() / 1_000)).toEqual([6, 7, 8, 9, 10, 11, 12, 13, 14]);
    expect(await deliveries.countDocuments({ ...of, state: 'waiting' })).toBe(52);
  });

  test('a suspended brand’s events wait, and nothing is an attempt', async () => {
    const { webhook } = await make();
    await happens(randomUUID());
    await fanOut.run();
    const suspend = (suspended: boolean) => rows('workspaces').updateOne({ _id: ws() }, { $set: { suspended } });
    await suspend(true);
    await happens(randomUUID());
    await turn();
    expect(receiver.received).toEqual([]);
    expect(await deliveriesOf(webhook.id)).toMatchObject([{ state: 'waiting', attempts: [] }]);
    await suspend(false);
    await passes();
    await turn();
    expect(receiver.received).toHaveLength(2);
  });

  test('a name that resolves to an address of a local network is never connected to', async () => {
    const { webhook } = await make({ url: 'https://hooks.receivers.net/in' });
    let connections = 0;
    const send = async () => {
      connections += 1;
      return 200;
    };
    const answers = [['93.184.215.14', '10.0.0.7'], ['169.254.169.254'], ['93.184.215.14']];
    const rebinding = new WebhookSender(
      workOf(edge, { outside: { resolve: async () => answers.shift() ?? [], send } }),
    );
    await happens(randomUUID());
    for (let n = 0; n < 3; n += 1) {
      await turn(rebinding);
      await passes();
    }
    expect(connections).toBe(1);
    const [delivery] = await deliveriesOf(webhook.id);
    expect(delivery?.attempts.map(({ problem }) => problem)).toEqual(['not_allowed', 'not_allowed', null]);
    expect(delivery?.state).toBe('delivered');
  });

  test('three days of nothing but failures disable an endpoint, however young its events are', async () => {
    const { webhook } = await make();
    receiver.answer((response) => void response.writeHead(500).end());
    await rows('webhooks').updateMany({}, { $set: { failing_since: new Date(Date.now() - 73 * HOUR_MS) } });
    await happens(randomUUID());
    await turn();
    expect(await webhookOf(webhook.id)).toMatchObject({ state: 'disabled', disabled_because: 'failing' });
  });

  test('a success during an attempt keeps an endpoint, however long it had failed before', async () => {
    await signIn(edge, brand, 'admin');
    const { webhook } = await make();
    await rows('webhooks').updateMany({}, { $set: { failing_since: new Date(Date.now() - 73 * HOUR_MS) } });
    const [slow, quick] = [randomUUID(), randomUUID()];
    const [asked, answer] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    receiver.answer((response, sent) => {
      if (dataOf(sent).aggregate.id === quick) return void response.writeHead(200).end();
      asked.resolve();
      void answer.promise.then(() => response.writeHead(500).end());
    });
    await happens(slow);
    await fanOut.run();
    await sender.begin();
    await asked.promise;
    await happens(quick);
    const other = new WebhookSender(workOf(edge));
    await turn(other);
    expect(placesOf(quick)).toEqual([1]);
    answer.resolve();
    await sender.idle();

    const after = await webhookOf(webhook.id);
    expect(after).toMatchObject({ state: 'enabled', disabled_because: null, waiting: 1 });
    expect(Date.now() - Date.parse(after.failing_since ?? '')).toBeLessThan(HOUR_MS);
    expect(await rows('messages').countDocuments({ kind: 'webhook_disabled' })).toBe(0);
    const [waiting] = await deliveriesOf(webhook.id, { state: 'waiting' });
    expect(waiting?.attempts).toMatchObject([{ status: 500 }]);
    const next = await pauseS();
    expect(next).toBeGreaterThan(1);
    expect(next).toBeLessThanOrEqual(5);
  });

  test('who no longer holds the lane of an attempt disables nothing by it', async () => {
    await signIn(edge, brand, 'admin');
    const { webhook } = await make();
    receiver.answer((response) => {
      const taken = { $set: { claim: 'another process' } };
      void lanes()
        .updateMany({}, taken)
        .then(() => response.writeHead(410).end());
    });
    await happens(randomUUID());
    await turn();
    expect(await webhookOf(webhook.id)).toMatchObject({ state: 'enabled', waiting: 1 });
    expect(await deliveriesOf(webhook.id)).toMatchObject([{ state: 'waiting', attempts: [] }]);
    expect(await rows('messages').countDocuments({ kind: 'webhook_disabled' })).toBe(0);
  });

  test('an attempt that would begin long after its claim is left to another process', async () => {
    const { webhook } = await make();
    await happens(randomUUID());
    await fanOut.run();
    const { deliveries } = edge.deps.hooks;
    const clock = jest.spyOn(performance, 'now');
    const slow: WebhookWork['deliveries'] = Object.create(deliveries, {
      next: {
        value: async (...of: Parameters<typeof deliveries.next>) => {
          const next = await deliveries.next(...of);
          clock.mockReturnValue(performance.now() + 5_001);
          return next;
        },
      },
    });
    const late = new WebhookSender(workOf(edge, { deliveries: slow }));
    try {
      expect(await late.begin()).toBe(1);
      await late.idle();
      // It would look for further work, and might take what the other sender is to find.
      await late.stop();
    } finally {
      clock.mockRestore();
    }
    expect(receiver.received).toEqual([]);
    expect(await deliveriesOf(webhook.id)).toMatchObject([{ state: 'waiting', attempts: [] }]);

    await passes();
    await turn();
    expect(receiver.received).toHaveLength(1);
  });
});
