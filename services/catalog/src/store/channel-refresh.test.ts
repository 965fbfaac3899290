import type { Collection } from '@cds/service';
import { testStore } from '@cds/service/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ChannelRefresh } from './channel-refresh.js';

type Row = { _id: string; due_at: Date; after: string | null; owner: string | null; lease_until: Date };

/**
 * The nightly refresh belongs to one replica at a time; no other ends or advances it (docs/reliability.md#deadlines).
 */
describe('the lease of a refresh', () => {
  let refresh: ChannelRefresh;
  let rows: Collection<Row>;
  let drop: () => Promise<void>;

  beforeAll(async () => {
    const test = await testStore('channel_refresh');
    refresh = new ChannelRefresh(test.store);
    rows = test.store.db.collection<Row>('channel_refresh');
    await test.store.migrate();
    drop = test.drop;
  });
  beforeEach(async () => {
    await rows.deleteMany({});
    await rows.insertOne({
      _id: 'nightly',
      due_at: new Date(0),
      after: 'm',
      owner: null,
      lease_until: new Date(0),
    });
  });
  afterAll(() => drop());

  /** The first owner was silent for too long, and another took over. */
  const takeOver = async (): Promise<Row | null> => {
    expect(await refresh.claim('slow')).toMatchObject({ after: 'm' });
    await rows.updateOne({ _id: 'nightly' }, { $set: { lease_until: new Date(0) } });
    expect(await refresh.claim('taker')).toMatchObject({ after: 'm' });
    return rows.findOne({ _id: 'nightly' });
  };

  it('is held by one at a time', async () => {
    expect(await refresh.claim('one')).toMatchObject({ after: 'm' });
    expect(await refresh.claim('two')).toBeNull();
    await refresh.proceed('one', 'n');
    expect(await refresh.claim('two')).toMatchObject({ after: 'n' });
  });

  it.each([
    ['renewed', (slow: ChannelRefresh) => slow.renew('slow')],
    ['moved on', (slow: ChannelRefresh) => slow.proceed('slow', 'z')],
    ['ended', (slow: ChannelRefresh) => slow.finish('slow', new Date(Date.now() + 86_400_000))],
  ])('is not %s by a replica that lost it', async (_name, act) => {
    const held = await takeOver();
    await act(refresh);
    expect(await rows.findOne({ _id: 'nightly' })).toEqual(held);
  });
});
