import { inspect } from 'node:util';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { DAY_MS } from '../domain/constants.js';
import type { Creator, Identity } from '../domain/creator/creator.js';
import type { OpenedTask } from '../domain/import/tasks.js';
import { aCreator, anId, aPost, aUnit } from '../test/builders.js';
import { NOW } from '../test/network.js';
import { testNetwork } from '../test/suite.js';
import { Importer } from './importer.js';
import { KnownCreators } from './known-creators.js';

const ADA = anId(0xe1);
const BEN = anId(0xe3);

describe('a sync', () => {
  const network = testNetwork('sync');
  const stored = () => network.store.db.collection<Creator>('creators').findOne({ _id: ADA });
  const tasks = async (): Promise<OpenedTask[]> =>
    (await network.store.db.collection<{ payload: OpenedTask }>('outbox').find({}).toArray()).map(
      ({ payload }) => payload,
    );
  const later = (days: number): string => new Date(Date.parse(NOW) + days * DAY_MS).toISOString();
  const facts = { network_id: 'sync-1', handle: 'sync_1', url: 'https://example.com/sync_1' };
  const hidden = [0, 1].map((at) => aPost({ ageDays: at - 1, text: 'Partnered with @acme on this.' }));
  const plain = Array.from({ length: 10 }, (_none, at) => aPost({ ageDays: at }));

  beforeAll(async () => {
    await network.take([aCreator({ ...facts, id: ADA, posts: plain })]);
  });

  it('finds no concern with ordinary posts', async () => {
    expect((await stored())?.sync_review?.checks).toEqual(
      expect.arrayContaining([
        { check: 'undisclosed_paid_posts', result: 'pass', figure: 0 },
        { check: 'unsafe_content', result: 'pass', figure: 'none' },
      ]),
    );
    expect(await tasks()).toEqual([]);
  });

  it('warns of words to be reviewed, without changing a status', async () => {
    const posts = [...plain, aPost({ text: 'How a pump and dump works' })];
    await network.take([{ ...aCreator({ ...facts, posts }), generated: null }], later(1));
    expect(await stored()).toMatchObject({ status: 'approved' });
    expect((await stored())?.sync_review?.checks).toContainEqual({
      check: 'unsafe_content',
      result: 'warn',
      figure: 'to_be_read',
    });
  });

  it('moves an approved creator to borderline when a check fails, and opens one task', async () => {
    const failing = [{ ...aCreator({ ...facts, posts: [...plain, ...hidden] }), generated: null }];
    await network.take(failing, later(2));
    await network.take(failing, later(2));
    await network.take(failing, later(3));
    expect(await stored()).toMatchObject({ status: 'borderline', sync_review: { concern: 'undisclosed paid posts' } });
    expect(await tasks()).toEqual([
      {
        aggregate: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-8/),
        version: 1,
        kind: 'creator_to_review',
        about: { creator_id: ADA },
        note: 'Found: undisclosed paid posts.',
        opened_at: later(2),
      },
    ]);
  });

  it('detects a jump of followers that grew a little each night', async () => {
    const grown = { ...facts, network_id: 'sync-2', handle: 'sync_2', id: BEN };
    for (let day = 0; day <= 6; day += 1)
      await network.take(
        [
          {
            ...aCreator({
              ...grown,
              followers: Math.round(10_000 * 1.05 ** day),
              posts: plain.map((post) => ({ ...post, id: `${post.id}-${day}` })),
            }),
            ...(day === 0 ? {} : { generated: null }),
          },
        ],
        later(day),
      );
    const ben = await network.store.db.collection<Creator>('creators').findOne({ _id: BEN });
    expect(ben).toMatchObject({
      status: 'borderline',
      sync_review: { concern: 'followers jumped by more than 25% in 7 days' },
    });
  });

  it('gives up on repeated collisions without naming the handle', async () => {
    const identities = network.identityStore.db.collection<Identity>('identities');
    const [held] = await identities.find({}).limit(1).toArray();
    const met: unknown = await identities
      .insertOne({ ...held, _id: anId(0xe2) } as Identity)
      .catch((err: unknown) => err);
    const importer = new Importer(
      new KnownCreators(network.creators, network.identities, { ofCreators: async () => new Map() }, network.departed),
      { write: () => Promise.reject(met) },
      network.launches,
    );
    const source = { asOf: new Date(NOW), recordedAt: new Date(NOW), viewsSource: 'network', setBy: 'test' } as const;
    const ended: unknown = await importer
      .importCreators([aCreator({ handle: 'someone_new' })], source)
      .catch((err: unknown) => err);
    expect(String(met)).toContain(held?.handle_lower);
    expect(inspect(ended)).not.toContain(held?.handle_lower);
    expect(String(ended)).toContain('11000');
  });

  it('keeps a decision made while it runs', async () => {
    const { byNetworkIds } = network.creators;
    let first = true;
    network.creators.byNetworkIds = async (ids) => {
      const read = await byNetworkIds.call(network.creators, ids);
      if (first)
        await network.store.db
          .collection<Creator>('creators')
          .updateOne({ _id: ADA }, { $set: { notes: 'Call first.', network_version: await network.state.next() } });
      first = false;
      return read;
    };
    await network.take([{ ...aCreator({ ...facts, posts: [...plain] }), generated: null }], later(4));
    network.creators.byNetworkIds = byNetworkIds;
    expect(await stored()).toMatchObject({ notes: 'Call first.', synced_at: new Date(later(4)) });
  });

  describe('of an ask beside a price set by the team', () => {
    const price = (usd: number, over: object = {}) => aUnit({ usd, ...over });
    const units = async () =>
      (await stored())?.units.map(({ price: held, asked_cents }) => [held?.price_cents, asked_cents]);
    const rows = () => network.store.db.collection('prices').countDocuments({ creator_id: ADA });
    const opened = async () => (await tasks()).filter(({ kind }) => kind === 'ask_under_team_price');
    let day = 10;
    const ask = async (usd: number, over: object = {}) => {
      day += 1;
      await network.take(
        [{ ...aCreator({ ...facts, posts: plain, units: [price(usd, over)] }), generated: null }],
        later(day),
      );
    };

    it('keeps the team’s price and opens one task per ask', async () => {
      await ask(150, { byTeam: true, asOf: '2026-11-21' });
      const before = await rows();
      await ask(120, { asOf: '2026-11-22' });
      expect(await units()).toEqual([[15_000, 9_000]]);
      expect(await rows()).toBe(before + 1);
      expect(await opened()).toMatchObject([
        {
          about: { creator_id: ADA, unit_id: (await stored())?.units[0]?.unit_id },
          note: 'Post: asked $120 all-in as of 2026-11-22; the team’s price is $150.',
        },
      ]);
      await ask(120, { asOf: '2026-11-22' });
      await ask(120, { asOf: '2026-11-25' });
      expect(await rows()).toBe(before + 1);
      expect(await opened()).toHaveLength(1);
    });
  });
});

describe('a sync that brings another price', () => {
  const network = testNetwork('sync_price');

  it('emits the unit, and nothing for a new creator', async () => {
    const facts = { network_id: 'sync-2', handle: 'sync_2', url: 'https://example.com/sync_2', generated: null };
    const emitted = async () =>
      (await network.store.db.collection<{ subject: string; payload: unknown }>('outbox').find({}).toArray()).map(
        ({ subject, payload }) => ({ subject, payload }),
      );
    await network.take([{ ...aCreator({ ...facts, units: [aUnit({ usd: 100 })] }), generated: null }]);
    expect(await emitted()).toEqual([]);

    const later = new Date(Date.parse(NOW) + DAY_MS);
    await network.take(
      [{ ...aCreator({ ...facts, units: [aUnit({ usd: 130, asOf: '2026-11-22' })] }), generated: null }],
      later.toISOString(),
    );
    const held = await network.store.db.collection<Creator>('creators').findOne({ network_id: 'sync-2' });
    expect(await emitted()).toEqual([
      {
        subject: 'evt.catalog.price.changed',
        payload: { aggregate: held?._id, version: later.getTime(), unit_ids: [held?.units[0]?.unit_id] },
      },
    ]);
  });
});
