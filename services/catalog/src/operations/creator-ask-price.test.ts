import { randomUUID } from 'node:crypto';
import { type AppError, notFound, type Output } from '@cds/contracts';
import { Audit, Change, Commands, type Ctx, Outbox, runWrite } from '@cds/service';
import { proves } from '@cds/service/testing';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { mongo } from 'mongoose';
import { bookRead } from '../metering/book-read.js';
import type { PriceAsk } from '../store/price-asks.js';
import { aCreator, anId, aUnit } from '../test/builders.js';
import { aRequest, NOW } from '../test/network.js';
import { testNetwork } from '../test/suite.js';
import { creatorAskPrice } from './creator-ask-price.js';

const UNPRICED = Array.from({ length: 25 }, (_none, at) => anId(0xb00 + at));
const FIRST = UNPRICED[0] ?? '';
const BOOKABLE = anId(0xa1);
const DECLINED = anId(0xa2);
const FLAGGED = anId(0xa3);
const CAMPAIGN = randomUUID();

describe('creator_ask_price', () => {
  const network = testNetwork('ask_price');
  let shell: Parameters<typeof runWrite>[0];
  const planning = {
    campaign_texts: async (_ctx: unknown, { id }: { id: string }) => {
      if (id !== CAMPAIGN) throw notFound('campaign');
      return { product: null, audience: null, geography: null };
    },
  };

  /** One request, run as the shell does; `over` replaces dependencies. */
  const ask = async (
    ctx: Ctx,
    id: string,
    input: { campaign_id?: string } = {},
    over: object = {},
  ): Promise<Output<'creator_ask_price'>> => {
    const outcome = await runWrite(shell, ctx, 'creator_ask_price', 200, async () => {
      const decided = await creatorAskPrice(ctx, { id, ...input }, { ...network, planning, ...over });
      if (!(decided instanceof Change)) throw new Error('a write decides a change');
      return decided;
    });
    if (!outcome.ok) throw new Error('refused');
    return JSON.parse(String(outcome.json));
  };
  const asksOf = (ws: string): Promise<PriceAsk[]> =>
    network.store.db.collection<PriceAsk>('price_asks').find({ ws }).toArray();
  const messagesOf = (ws: string) => network.store.db.collection('operator_messages').find({ ws }).toArray();
  const meterOf = async (ws: string) =>
    network.store.db
      .collection<{ _id: string; asks: unknown[]; ws: { opened: mongo.Binary } }>('read_meters')
      .findOne({ _id: ws });
  const answered = (ws: string, status: 'priced' | 'closed') =>
    network.store.db.collection('price_asks').updateMany({ ws }, { $set: { status, answered_at: new Date(NOW) } });

  beforeAll(async () => {
    const { store } = network;
    shell = { store, commands: new Commands(store), outbox: new Outbox(store), audit: new Audit(store) };
    await store.migrate();
    await network.take([
      ...UNPRICED.map((id) => aCreator({ id, units: [] })),
      aCreator({ id: BOOKABLE }),
      aCreator({ id: DECLINED, status: 'declined', units: [] }),
      aCreator({ id: FLAGGED, flag_inactive: true, units: [aUnit()] }),
    ]);
  });

  it('sends an ask to the team once, and opens the creator', async () => {
    proves('asks.sent', 'asks.already', 'asks.opens');
    const ctx = aRequest();
    const ws = ctx.principal.workspace;
    const sent = { requested: true, already: false, status: 'requested', requested_at: NOW };
    expect(await ask(ctx, FIRST.toUpperCase(), { campaign_id: CAMPAIGN })).toEqual(sent);
    expect(await ask(aRequest({ workspace: ws }), FIRST)).toEqual({ ...sent, already: true });

    const [kept] = await asksOf(ws);
    expect(kept).toMatchObject({ creator_id: FIRST, campaign_id: CAMPAIGN, status: 'requested' });
    expect(await messagesOf(ws)).toMatchObject([{ _id: kept?._id, kind: 'price_ask', creator_id: FIRST }]);
    expect(await meterOf(ws)).toMatchObject({
      asks: [{ id: kept?._id, until: null }],
      ws: { opened: new mongo.Binary(new mongo.UUID(FIRST).buffer) },
    });
  });

  it('refuses a creator that is on sale, and books nothing', async () => {
    proves('asks.already-priced');
    const ctx = aRequest();
    await expect(ask(ctx, BOOKABLE)).rejects.toMatchObject({ code: 'conflict', details: { reason: 'already_priced' } });
    expect(await meterOf(ctx.principal.workspace)).toBeNull();
  });

  it.each([
    ['a declined creator', DECLINED],
    ['an unknown one', randomUUID()],
    ['a malformed id', 'not-an-id'],
  ])('does not find %s', async (_name, id) => {
    proves('asks.not-approved-404');
    await expect(ask(aRequest(), id)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('does not find another workspace’s campaign', async () => {
    await expect(ask(aRequest(), FIRST, { campaign_id: randomUUID() })).rejects.toMatchObject({ code: 'not_found' });
  });

  it('answers what is known before the meter of opens is checked', async () => {
    const ctx = aRequest();
    const ws = ctx.principal.workspace;
    await ask(ctx, FIRST);
    await ask(aRequest({ workspace: ws }), FLAGGED);
    await network.store.db
      .collection('price_asks')
      .updateOne({ ws, creator_id: FLAGGED }, { $set: { status: 'priced', answered_at: new Date(NOW) } });
    const ids = Array.from({ length: 60 }, (_none, at) => new mongo.UUID(anId(0xc00 + at)).buffer);
    const full = new mongo.Binary(Buffer.concat(ids));
    await network.store.db
      .collection<{ _id: string; n: number }>('read_meters')
      .updateOne(
        { _id: ws },
        { $set: { 'ws.opened': full, [`keys.${ctx.principal.key}.opened`]: full }, $inc: { n: 1 } },
      );

    expect(await ask(aRequest({ workspace: ws }), FIRST)).toMatchObject({ already: true, status: 'requested' });
    expect(await ask(aRequest({ workspace: ws }), FLAGGED)).toMatchObject({ requested: false, status: 'priced' });
    await expect(ask(aRequest({ workspace: ws }), UNPRICED[1] ?? '')).rejects.toMatchObject({
      code: 'rate_limited',
      details: { reason: 'daily_reveals' },
    });
    expect((await meterOf(ws))?.ws.opened.length()).toBe(60 * 16);
  });

  it('reports an answered ask as priced while the price is fresh and the creator is off sale', async () => {
    const ctx = aRequest();
    const ws = ctx.principal.workspace;
    expect(await ask(ctx, FLAGGED)).toMatchObject({ requested: true, already: false });
    await answered(ws, 'priced');
    expect(await ask(aRequest({ workspace: ws }), FLAGGED)).toEqual({
      requested: false,
      already: false,
      status: 'priced',
      requested_at: NOW,
    });
    await answered(ws, 'closed');
    expect(await ask(aRequest({ workspace: ws }), FLAGGED)).toMatchObject({ requested: true, already: false });
  });

  it('accepts three asks for one creator in a day', async () => {
    proves('asks.limits', 'asks.limit-details');
    const workspace = randomUUID();
    for (let time = 0; time < 3; time += 1) {
      expect(await ask(aRequest({ workspace }), FIRST)).toMatchObject({ already: false });
      await answered(workspace, 'closed');
    }
    await expect(ask(aRequest({ workspace }), FIRST)).rejects.toMatchObject({
      code: 'rate_limited',
      message: expect.stringContaining('sent 3 price requests for this creator in the last 24 hours'),
      details: {
        reason: 'daily_limit',
        scope: 'workspace',
        limit: 3,
        creator_id: FIRST,
        retry_after: expect.any(Number),
        resets_at: expect.any(String),
      },
    });
  });

  it('accepts twenty asks in a day', async () => {
    const workspace = randomUUID();
    for (const id of UNPRICED.slice(0, 20))
      expect(await ask(aRequest({ workspace }), id)).toMatchObject({ already: false });
    const refused = await ask(aRequest({ workspace }), UNPRICED[20] ?? '').catch((error: AppError) => error.body());
    expect(refused).toMatchObject({
      code: 'rate_limited',
      message: expect.stringContaining('sent 20 price requests in the last 24 hours'),
      details: { reason: 'daily_limit', scope: 'workspace', limit: 20 },
    });
    expect((refused as { details: object }).details).not.toHaveProperty('creator_id');
    expect(await asksOf(workspace)).toHaveLength(20);
  });

  describe('from a sandbox', () => {
    /** A request of the live workspace, or of a sandbox of its brand whose reads are booked there. */
    const of = (live: string, sandbox?: string): Ctx =>
      sandbox === undefined
        ? aRequest({ workspace: live })
        : aRequest({ workspace: sandbox, readsWorkspace: live, sandbox: true });

    it('is counted apart from the live workspace and from a second sandbox', async () => {
      const [live, one, two] = [randomUUID(), randomUUID(), randomUUID()];
      for (const workspace of [one, live, two])
        for (let time = 0; time < 3; time += 1) {
          const ctx = of(live, workspace === live ? undefined : workspace);
          expect(await ask(ctx, FIRST).catch(String)).toMatchObject({ already: false });
          await answered(workspace, 'closed');
        }
      for (const ctx of [of(live), of(live, one), of(live, two)])
        await expect(ask(ctx, FIRST)).rejects.toMatchObject({ details: { reason: 'daily_limit', limit: 3 } });
    });

    it('is a separate ask, and opens the creator for the brand', async () => {
      const [live, sandbox] = [randomUUID(), randomUUID()];
      expect(await ask(of(live, sandbox), FIRST)).toMatchObject({ already: false });
      expect(await ask(of(live), FIRST)).toMatchObject({ already: false });
      expect(await ask(of(live, sandbox), FIRST)).toMatchObject({ already: true });
      expect(await messagesOf(sandbox)).toMatchObject([{ sandbox: true }]);
      expect(await messagesOf(live)).toMatchObject([{ sandbox: false }]);
      expect(await meterOf(sandbox)).toBeNull();
      expect(await meterOf(live)).toMatchObject({ ws: { opened: new mongo.Binary(new mongo.UUID(FIRST).buffer) } });
    });

    it('does not delay an ask of the live workspace', async () => {
      const [live, sandbox] = [randomUUID(), randomUUID()];
      const creators = [FIRST];
      for (const askId of ['one', 'two', 'three'])
        await bookRead(of(live, sandbox), network.meters, { kind: 'ask', creators, askId });
      expect(await network.meters.isSendingAsk(live, sandbox, new Date(NOW))).toBe(true);
      expect(await network.meters.isSendingAsk(live, null, new Date(NOW))).toBe(false);
      expect(await ask(of(live), FIRST)).toMatchObject({ already: false });
    });
  });

  it('stores and counts nothing when the team cannot be reached', async () => {
    proves('asks.undelivered-502');
    const ctx = aRequest();
    const ws = ctx.principal.workspace;
    const broken = { messages: { ...network.messages, deliver: () => Promise.reject(new Error('queue down')) } };
    await expect(ask(ctx, FIRST, {}, broken)).rejects.toMatchObject({ code: 'unavailable', status: 502 });
    expect(await asksOf(ws)).toEqual([]);
    expect(await meterOf(ws)).toMatchObject({ asks: [], ws: { opened: new mongo.Binary(Buffer.alloc(0)) } });
    expect(await ask(aRequest({ workspace: ws }), FIRST)).toMatchObject({ already: false });
  });

  it('stores, counts and sends nothing when its hold expired while it was sent', async () => {
    const ctx = aRequest();
    const ws = ctx.principal.workspace;
    const late = Object.create(network.meters) as typeof network.meters;
    late.confirmAsk = async () => false;
    await expect(ask(ctx, FIRST, {}, { meters: late })).rejects.toMatchObject({ code: 'unavailable', status: 502 });
    expect([await asksOf(ws), await messagesOf(ws)]).toEqual([[], []]);
    expect(await meterOf(ws)).toMatchObject({ asks: [], ws: { opened: new mongo.Binary(Buffer.alloc(0)) } });
  });

  it('reports the database as unavailable rather than the team, and gives its place back', async () => {
    const ctx = aRequest();
    const ws = ctx.principal.workspace;
    const gone = { messages: { deliver: () => Promise.reject(new mongo.MongoNetworkError('of the test')) } };
    await expect(ask(ctx, FIRST, {}, gone)).rejects.toBeInstanceOf(mongo.MongoNetworkError);
    expect(await meterOf(ws)).toMatchObject({ asks: [], ws: { opened: new mongo.Binary(Buffer.alloc(0)) } });
  });

  it('opens one ask for many concurrent requests', async () => {
    const workspace = randomUUID();
    const answers = await Promise.all(Array.from({ length: 8 }, () => ask(aRequest({ workspace }), FIRST)));
    expect(answers.filter(({ already }) => !already)).toHaveLength(1);
    expect(await asksOf(workspace)).toHaveLength(1);
    expect(await messagesOf(workspace)).toHaveLength(1);
    expect((await meterOf(workspace))?.asks).toHaveLength(1);
  });

  it('is not refused for places that others are giving back', async () => {
    const workspace = randomUUID();
    const held = [1, 2, 3].map(() => randomUUID());
    for (const askId of held)
      await bookRead(aRequest({ workspace }), network.meters, { kind: 'ask', creators: [FIRST], askId });
    const meters = Object.create(network.meters) as typeof network.meters;
    meters.isSendingAsk = async (of, asker, now) => {
      for (const askId of held) await network.meters.releaseAsk(of, askId);
      return network.meters.isSendingAsk(of, asker, now);
    };
    expect(await ask(aRequest({ workspace }), FIRST, {}, { meters })).toMatchObject({
      requested: true,
      already: false,
    });
  });

  it('waits for asks in flight without booking', async () => {
    const workspace = randomUUID();
    const held = [1, 2, 3].map(() => randomUUID());
    for (const askId of held)
      await bookRead(aRequest({ workspace }), network.meters, { kind: 'ask', creators: [FIRST], askId });
    const meters = Object.create(network.meters) as typeof network.meters;
    let [booked, looked] = [0, 0];
    meters.book = (...of) => {
      booked += 1;
      return network.meters.book(...of);
    };
    meters.isSendingAsk = async (of, asker, now) => {
      looked += 1;
      if (looked === 5) for (const askId of held) await network.meters.releaseAsk(of, askId);
      return network.meters.isSendingAsk(of, asker, now);
    };
    expect(await ask(aRequest({ workspace }), FIRST, {}, { meters })).toMatchObject({ already: false });
    expect([booked, looked]).toEqual([2, 5]);
  });

  it('does not wait for an ask whose process died', async () => {
    const workspace = randomUUID();
    const askId = randomUUID();
    await bookRead(aRequest({ workspace }), network.meters, { kind: 'ask', creators: [FIRST], askId });
    expect(await network.meters.isSendingAsk(workspace, null, new Date(NOW))).toBe(true);
    await network.store.db
      .collection<{ _id: string; n: number }>('read_meters')
      .updateOne({ _id: workspace }, { $set: { 'asks.$[].until': new Date(0) }, $inc: { n: 1 } });
    expect(await network.meters.isSendingAsk(workspace, null, new Date(NOW))).toBe(false);
  });
});
