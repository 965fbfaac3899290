import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DAY_MS } from '../domain/constants.js';
import type { Creator } from '../domain/creator.js';
import type { SyncMessage } from '../store/operator-messages.js';
import { aCreator, anId, aPost } from '../test/builders.js';
import { aNetwork, NOW, type TestNetwork } from '../test/network.js';

const ADA = anId(0xe1);

describe('a sync', () => {
  let network: TestNetwork;
  const stored = () => network.store.db.collection<Creator>('creators').findOne({ _id: ADA });
  const told = () => network.store.db.collection<SyncMessage>('operator_messages').find({}).toArray();
  const later = (days: number): string => new Date(Date.parse(NOW) + days * DAY_MS).toISOString();
  const facts = { network_id: 'sync-1', handle: 'sync_1', url: 'https://example.com/sync_1' };
  const hidden = [0, 1].map((at) => aPost({ ageDays: at - 1, text: 'Partnered with @acme on this.' }));
  const plain = Array.from({ length: 10 }, (_none, at) => aPost({ ageDays: at }));

  beforeAll(async () => {
    network = await aNetwork('sync');
    await network.take([aCreator({ ...facts, id: ADA, posts: plain })]);
  });
  afterAll(() => network.drop());

  it('proposes nothing against a creator whose posts are plain', async () => {
    expect((await stored())?.sync_review?.checks).toEqual(
      expect.arrayContaining([
        { check: 'undisclosed_paid_posts', result: 'pass', figure: 0 },
        { check: 'unsafe_content', result: 'pass', figure: 'none' },
      ]),
    );
    expect(await told()).toEqual([]);
  });

  it('warns of words that a person is to read, and moves nobody for them', async () => {
    const posts = [...plain, aPost({ text: 'How a pump and dump works' })];
    await network.take([{ ...aCreator({ ...facts, posts }), generated: null }], later(1));
    expect(await stored()).toMatchObject({ status: 'approved' });
    expect((await stored())?.sync_review?.checks).toContainEqual({
      check: 'unsafe_content',
      result: 'warn',
      figure: 'to_be_read',
    });
  });

  it('moves an approved creator to borderline when a check fails, and tells the team once', async () => {
    const failing = [{ ...aCreator({ ...facts, posts: [...plain, ...hidden] }), generated: null }];
    await network.take(failing, later(2));
    await network.take(failing, later(2));
    await network.take(failing, later(3));
    expect(await stored()).toMatchObject({ status: 'borderline', sync_review: { concern: 'undisclosed paid posts' } });
    expect(await told()).toEqual([
      {
        _id: `creator_to_review:${ADA}:${later(2)}`,
        kind: 'creator_to_review',
        creator_id: ADA,
        at: new Date(later(2)),
      },
    ]);
  });

  it('keeps what a person decides while it is under way', async () => {
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
});
