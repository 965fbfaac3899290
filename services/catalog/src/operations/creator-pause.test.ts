import type { EventPayload, Output } from '@cds/contracts';
import { type Change, type Ctx, inTx } from '@cds/service';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Creator } from '../domain/creator/creator.js';
import { aCreator, anId } from '../test/builders.js';
import { aRequest, NOW } from '../test/network.js';
import { testNetwork } from '../test/suite.js';
import { creatorApplied } from './creator-applied.js';
import { creatorPause, creatorResume } from './creator-pause.js';
import { creatorTerms } from './creator-terms.js';
import { opsCreatorPause, opsCreatorResume } from './operators/ops-creator-switch.js';

const ADA = anId(0xc1);

/** docs/domain/pages.md#creator-links, docs/domain/network.md#applications. */
describe('a creator’s own acts', () => {
  const network = testNetwork('creator_pause');
  beforeAll(async () => {
    await network.take([aCreator({ id: ADA, handle: 'demo_ada', url: 'https://example.com/demo_ada' })]);
  });

  const terms = async (unit_id: string | null, price_cents = 0): Promise<Output<'creator_terms'>> =>
    (await creatorTerms(aRequest(), { creator_id: ADA, unit_id, price_cents }, network)) as Output<'creator_terms'>;
  const asCreator = (sandbox = false, id = ADA): Ctx => {
    const ctx = aRequest();
    const creator = { id, proposal: anId(1), line: anId(2), attempt: 1 };
    return { ...ctx, principal: { ...ctx.principal, audience: 'creator', sandbox, key: '', creator } };
  };
  const commit = async <T>(decided: Change<T>): Promise<T> => {
    await inTx(network.store, aRequest().deadline, (tx) => decided.parts.save(tx));
    return decided.answer;
  };
  const listed = async () => {
    await network.memory.follow(NOW.slice(0, 10));
    return network.memory.counts(new Date(NOW)).approved;
  };

  it('is paid the ask that led to the price of the line, where one is on file', async () => {
    const creator = await network.operated.byId(ADA);
    const unit = creator?.units.find(({ price }) => price !== null);
    const unitId = unit?.unit_id ?? '';
    const allIn = unit?.price?.price_cents ?? 0;
    const ask = Math.floor((allIn * 75) / 100);
    expect(await terms(unitId, allIn)).toEqual({ payout_cents: ask, proposals: 'open' });
    expect(await terms(unitId, allIn + 500)).toMatchObject({ payout_cents: null });
    expect(await terms(null)).toMatchObject({ payout_cents: null });

    // A newer ask that leads to the same price is what the creator wants now.
    const prices = network.store.db.collection<{ _id: string }>('prices');
    const row = await prices.findOne({ unit_id: unitId });
    await prices.insertOne({ ...row, _id: 'newer', as_of: '2099-01-01', net_ask_cents: ask - 1 } as { _id: string });
    expect(await terms(unitId, allIn)).toMatchObject({ payout_cents: ask - 1 });
  });

  it('stops and reopens new proposals, each time to the same end', async () => {
    const before = await listed();
    for (const _again of [1, 2]) {
      expect(await commit(await creatorPause(asCreator(), {}, network))).toEqual({ proposals: 'paused' });
      expect([await listed(), (await terms(null)).proposals]).toEqual([before - 1, 'paused']);
    }
    for (const _again of [1, 2]) {
      expect(await commit(await creatorResume(asCreator(), {}, network))).toEqual({ proposals: 'open' });
      expect([await listed(), (await terms(null)).proposals]).toEqual([before, 'open']);
    }
  });

  it('stays paused after the next sync', async () => {
    const bo = { ...aCreator({ handle: 'bo_writes', url: 'https://x.com/bo_writes' }), generated: null };
    await network.take([bo]);
    const stored = () => network.store.db.collection<Creator>('creators').findOne({ network_id: bo.network_id });
    await commit(await creatorPause(asCreator(false, (await stored())?._id), {}, network));
    await network.take([bo], '2026-11-28T12:00:00.000Z');
    expect(await stored()).toMatchObject({ active: false, own_pause: true });
  });

  it('ends no pause of the team, which may take over that of a creator', async () => {
    const input = { id: ADA, reason: 'a test' };
    const closed = { details: { reason: 'closed' } };
    await commit(await creatorPause(asCreator(), {}, network));
    await commit(await opsCreatorPause(aRequest(), input, network));
    expect((await terms(null)).proposals).toBe('closed');
    await expect(creatorResume(asCreator(), {}, network)).rejects.toMatchObject(closed);
    await expect(creatorPause(asCreator(), {}, network)).rejects.toMatchObject(closed);
    await commit(await opsCreatorResume(aRequest(), input, network));
    expect((await terms(null)).proposals).toBe('open');
  });

  it('applies once as somebody new, and changes nothing when the network knows the handle', async () => {
    const tasks = async () => {
      const rows = await network.store.db.collection('outbox').find({ name: 'catalog_task.opened' }).toArray();
      return rows.map(({ payload }) => payload as EventPayload<'catalog_task.opened'>);
    };
    const apply = async (handle: string, ask_cents: number) => {
      const input = { handle, followers: 12_000, units: [{ format: 'post' as const, ask_cents }], consent: 'v1' };
      const decided = (await creatorApplied(aRequest(), input, network)) as Change<{ received: true }>;
      expect(await commit(decided)).toEqual({ received: true });
      const [task] = (decided.parts.events ?? []).map(({ payload }) => payload as EventPayload<'catalog_task.opened'>);
      return task;
    };
    const creatorOf = async (handle: string) => {
      const [identity] = await network.identities.holding([handle]);
      return network.operated.byId(identity?._id ?? '');
    };
    const first = await apply('Cy_Posts', 45_000);
    const cy = await creatorOf('cy_posts');
    expect(cy).toMatchObject({ status: 'not_reviewed', followers: 12_000, active: true });
    expect(cy?.units.map(({ price }) => price?.price_cents)).toEqual([60_000]);
    expect(first).toMatchObject({ kind: 'creator_applied', about: { creator_id: cy?._id } });
    expect(first?.note).toBe('It is new. States 12,000 followers, all-in prices: Post $600.');

    expect((await apply('cy_posts', 90_000))?.note).toContain('It is in the network already, and stays as it is.');
    expect(await creatorOf('cy_posts')).toEqual(cy);
    const ada = await creatorOf('demo_ada');
    await apply('DEMO_ADA', 1_000);
    expect(await creatorOf('demo_ada')).toEqual(ada);
    expect(JSON.stringify([await tasks(), first])).not.toMatch(/cy_posts|demo_ada/i);
  });

  it('changes nothing with the link of a sandbox', async () => {
    await expect(creatorPause(asCreator(true), {}, network)).rejects.toMatchObject({ details: { reason: 'closed' } });
    expect((await terms(null)).proposals).toBe('open');
  });
});
