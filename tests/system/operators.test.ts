// @night: what operators change has tests beside it; this one reads it as a brand.
import type { Task } from '@cds/contracts';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { MongoClient } from 'mongodb';
import { aBrand, ask, eventually, type Stack, secretOf, startWholeStack } from '../support/stack.js';

const DAY_MS = 86_400_000;

/** What operators change in the network, from their API to a brand's and back (docs/domain/access.md#operators). */
describe('the operators’ team', () => {
  let stack: Stack;
  let mongo: MongoClient;
  let key: string;
  let id: string;
  let asOf: number;

  const daysAgo = (days: number): string => new Date(asOf - days * DAY_MS).toISOString();
  /** Imports the one creator of this file, dated so many hours after the network's figures. */
  const sync = async (hours: number, over: object = {}): Promise<void> => {
    const creator = {
      network_id: '70001',
      handle: 'orla_builds',
      name: 'Orla',
      followers: 40_000,
      account_created_at: '2019-01-01T00:00:00Z',
      posts: Array.from({ length: 12 }, (_none, day) => ({
        id: `p${day}`,
        created_at: daysAgo(day + 2),
        text: day === 3 ? 'Good work @orbitlabs' : 'Notes on startup founders.',
        views: 5_000 + day,
        likes: 100,
      })),
      units: [{ format: 'post', ask_cents: 3_000 }],
      ...over,
    };
    const file = {
      version: 1,
      as_of: new Date(asOf + hours * 1_000).toISOString(),
      source: 'network',
      creators: [creator],
    };
    const report = await ask(stack, stack.opsToken, 'ops_creators_import', file as never);
    expect(report).toMatchObject({ status: 200, body: { refused: [], done: true } });
  };
  /** The creator as a brand reads it, once the database holds so many collaborations: a key has 20 reads a minute. */
  const openedWith = async (collabs: number) => {
    const creators = mongo.db(`${stack.prefix}cds_catalog`).collection<{ _id: string }>('creators');
    const end = performance.now() + 10_000;
    while ((await creators.countDocuments({ _id: id, collabs: { $size: collabs } })) === 0 && performance.now() < end)
      await new Promise((resolve) => setTimeout(resolve, 100));
    return ask(stack, key, 'creator_get', { id });
  };

  beforeAll(async () => {
    stack = await startWholeStack({ creators: 60 });
    mongo = await new MongoClient(stack.mongodbUri).connect();
    key = secretOf((await aBrand(stack)).live, 'full');
    const facts = (await ask(stack, stack.opsToken, 'dev_network', {})).body as { newest_synced_at: string };
    asOf = Date.parse(facts.newest_synced_at) - 60_000;
    await sync(0);
    const page = await ask(stack, stack.opsToken, 'ops_creators_list', { q: 'orla_builds' });
    id = (page.body as { creators: { id: string }[] }).creators[0]?.id ?? '';
    await ask(stack, stack.opsToken, 'ops_creator_vet', { id, decision: 'approved', reason: 'Good.' });
  }, 120_000);
  afterAll(async () => {
    await mongo?.close();
    await stack?.stop();
  });

  it('tracks a launch that a brand can read at once, and forgets it as fast', async () => {
    const launch = await ask(stack, stack.opsToken, 'ops_launch_add', {
      project: 'Orbit',
      brand: { name: 'Orbit Labs', handle: '@OrbitLabs' },
      date: daysAgo(5).slice(0, 10),
      reason: 'They launched.',
    });
    expect(launch.status).toBe(201);
    const opened = await openedWith(1);
    expect(opened.body).toMatchObject({ past_collabs: [{ project: 'Orbit', role: 'Launch post', url: null }] });
    await ask(stack, stack.opsToken, 'ops_launch_remove', { id: (launch.body as { id: string }).id });
    const gone = await openedWith(0);
    expect(gone.body).toMatchObject({ past_collabs: [] });
  });

  it('lists what a sync leaves to do as tasks, and closes them', async () => {
    await sync(1, { followers: 40_001, protected: true });
    const list = () => ask(stack, stack.opsToken, 'ops_tasks_list', {});
    const found = await eventually(list, ({ tasks }: { tasks: Task[] }) => tasks.length > 0);
    expect(found.body).toMatchObject({
      tasks: [{ kind: 'creator_to_review', about: { creator_id: id }, state: 'open' }],
      next: null,
    });
    const [task] = (found.body as { tasks: Task[] }).tasks;
    const done = await ask(stack, stack.opsToken, 'ops_task_done', { id: task?.id ?? '', reason: 'Declined.' });
    expect(done).toMatchObject({ status: 200, body: { state: 'done' } });
    expect((await list()).body).toMatchObject({ tasks: [] });
  });
});
