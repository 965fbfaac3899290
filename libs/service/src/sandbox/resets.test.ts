import { randomUUID } from 'node:crypto';
import type { Input } from '@cds/contracts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { Audit } from '../audit/audit.js';
import type { BusConnection } from '../bus/connection.js';
import type { Ctx } from '../bus/context.js';
import { change } from '../commands/change.js';
import { Commands } from '../commands/commands.js';
import { runWrite } from '../commands/run-write.js';
import { Deadline } from '../deadline/deadline.js';
import { consumerOf } from '../inbox/consumer.js';
import type { DeadLetter } from '../inbox/dead-letters.js';
import { Inbox } from '../inbox/inbox.js';
import { Outbox } from '../outbox/outbox.js';
import { uuid7 } from '../outbox/uuid7.js';
import type { Collection } from '../store/collection.js';
import { aCtx } from '../testing/context.js';
import { type TestStore, testStore } from '../testing/store.js';
import { bindResetOperation } from './reset-operation.js';
import type { SandboxResets } from './resets.js';

type Thing = { _id: string; ws: string; kind?: string };
type ResetRow = { _id: string; removals: number };
type Answer = { removed: number; running: number };

describe('a reset in one service (docs/reliability.md#sandbox-resets)', () => {
  let test_: TestStore;
  let commands: Commands;
  let resets: SandboxResets;
  let things: Collection<Thing>;
  let workspace: string;
  let at: Date;

  beforeAll(async () => {
    test_ = await testStore('sandbox_resets');
    commands = new Commands(test_.store);
    resets = commands.resets;
    new Outbox(test_.store);
    new Audit(test_.store);
    new Inbox('catalog', {} as BusConnection, test_.store, [], pino({ level: 'silent' }));
    things = test_.store.collection<Thing>({ name: 'things' });
    await test_.store.migrate();
  });
  afterAll(() => test_.drop());
  beforeEach(async () => {
    workspace = randomUUID();
    at = await test_.store.now();
  });

  const shell = () => ({
    store: test_.store,
    commands,
    outbox: new Outbox(test_.store),
    audit: new Audit(test_.store),
  });
  const asked = (
    over: Partial<Input<'billing_sandbox_reset'>> = {},
    deadline: Deadline = Deadline.in(20_000),
  ): Promise<Answer> => {
    const bound = bindResetOperation('billing', commands, { collections: ['things'] }).get('billing_sandbox_reset');
    const input = { workspace, number: 1, seed: 5, at: at.toISOString(), ends: false, ...over };
    return bound?.run({ ...aCtx(), deadline }, input) as Promise<Answer>;
  };
  const manyThings = (much: number) =>
    things.insertMany(Array.from({ length: much }, () => ({ _id: randomUUID(), ws: workspace })));
  const aThing = (ws = workspace) => things.insertOne({ _id: randomUUID(), ws });
  const resetRows = () => test_.store.db.collection<ResetRow>('sandbox_resets');
  const count = (ws = workspace): Promise<number> => things.countDocuments({ ws });
  const asking = (networkNow: Date): Ctx => ({
    ...aCtx({ workspace, sandbox: true, command: { id: randomUUID(), fp: 'fp' } }),
    networkNow,
  });
  const write = (ctx: Ctx, meanwhile: () => Promise<unknown> = async () => undefined) =>
    runWrite(shell(), ctx, 'a_write', 200, async () => {
      await meanwhile();
      return change(null, {
        save: async (tx) => void (await things.insertOne({ _id: randomUUID(), ws: workspace }, tx.options())),
      });
    });
  const after = (ms: number): Date => new Date(at.getTime() + ms);

  test('removes what the sandbox holds, and nothing of another workspace, as often as it is asked', async () => {
    const other = randomUUID();
    await Promise.all([aThing(), aThing(), aThing(other)]);
    expect(await asked()).toEqual({ removed: 2, running: 0 });
    await aThing();
    expect(await asked()).toEqual({ removed: 1, running: 0 });
    expect([await count(), await count(other)]).toEqual([0, 1]);
    expect(await resets.seedOf(workspace)).toBe(5);
    expect(await resets.seedOf(other)).toBeNull();
  });

  test('removes nothing once it is over, however late it is asked, nor under an older number', async () => {
    await asked();
    await asked({ ends: true, at: after(50).toISOString() });
    await aThing();
    expect(await asked()).toEqual({ removed: 0, running: 0 });
    await asked({ number: 2, seed: 6 });
    await asked({ number: 2, ends: true });
    await aThing();
    expect(await asked()).toEqual({ removed: 0, running: 0 });
    expect([await count(), await resets.seedOf(workspace)]).toEqual([1, 6]);
  });

  test('removes a large sandbox in several transactions, none of which is long', async () => {
    await manyThings(4_500);
    expect(await asked()).toEqual({ removed: 4_500, running: 0 });
    expect(await count()).toBe(0);
    expect(await resetRows().findOne({ _id: workspace })).toMatchObject({ removals: 3 });
  });

  test('keeps its progress when the time ends, continues when it is asked again, and stops when it is over', async () => {
    await manyThings(6_500);
    for (const left of [4_500, 2_500]) {
      // Too short for a second removal; on a busy machine for the first one too, which then removes nothing.
      while ((await count()) > left) await expect(asked({}, Deadline.in(900))).rejects.toThrow();
      expect(await count()).toBe(left);
    }
    await asked({ ends: true });
    expect(await asked()).toEqual({ removed: 0, running: 0 });
    expect(await count()).toBe(2_500);
  });

  test('removes only the documents of a collection that the service names', async () => {
    await things.insertMany(['signed', 'refused'].map((kind) => ({ _id: randomUUID(), ws: workspace, kind })));
    await resets.begin({ workspace, number: 1, seed: 5, at: at.toISOString() });
    const parts = { collections: [{ name: 'things', only: { kind: 'signed' } }] };
    expect(await resets.remove({ workspace, number: 1 }, parts, aCtx())).toBe(1);
    expect(await things.find({ ws: workspace }).toArray()).toMatchObject([{ kind: 'refused' }]);
  });

  test('waits for a write that is running, and removes what it made', async () => {
    let during: Answer | undefined;
    await aThing();
    await write(asking(after(-10)), async () => {
      during = await asked();
    });
    expect(during).toEqual({ removed: 0, running: 1 });
    expect(await count()).toBe(2);
    // The lease is released beside the answer.
    let last = await asked();
    for (let tries = 0; last.running > 0 && tries < 500; tries += 1) last = await asked();
    expect(last).toEqual({ removed: 2, running: 0 });
  });

  test('waits for a write that runs without a lease, as its service counts it', async () => {
    await aThing();
    let left = 1;
    const parts = { collections: ['things'], running: async (ws: string) => (ws === workspace ? left : 0) };
    const bound = bindResetOperation('billing', { resets, runningIn: async () => 0 }, parts).get(
      'billing_sandbox_reset',
    );
    const input = { workspace, number: 1, seed: 5, at: at.toISOString(), ends: false };
    const once = () => bound?.run({ ...aCtx(), deadline: Deadline.in(20_000) }, input);
    expect(await once()).toEqual({ removed: 0, running: 1 });
    left = 0;
    expect(await once()).toEqual({ removed: 1, running: 0 });
  });

  test('a write that was asked for before it and comes after it is 503, a later one is not', async () => {
    await asked();
    await expect(write(asking(at))).rejects.toMatchObject({ code: 'unavailable' });
    expect(await write(asking(after(1)))).toMatchObject({ ok: true });
    await asked({ ends: true, at: after(2).toISOString() });
    await expect(write(asking(after(2)))).rejects.toMatchObject({ code: 'unavailable' });
    expect(await write(asking(after(3)))).toMatchObject({ ok: true });
  });

  test('a late event counts as before the reset if it was committed by its end, and only in its sandbox', async () => {
    const old = new Date(at.getTime() - 5_000);
    await asked({ at: new Date(at.getTime() - 4_000).toISOString() });
    await asked({ ends: true, at: new Date(at.getTime() - 3_000).toISOString() });
    const ofHere = [old, new Date(at.getTime() - 3_000), new Date(at.getTime() - 2_900)];
    const events = ofHere.map((committedAt) => ({ workspace, committedAt }));
    expect(await resets.areOver([...events, { workspace: randomUUID(), committedAt: old }])).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });

  test('a late event from before a reset of its sandbox is ignored, whoever retries it', async () => {
    const { store } = test_;
    const applied: string[] = [];
    const consumer = consumerOf({
      event: 'plan.changed',
      project: async ({ aggregate }) => void applied.push(aggregate),
    });
    const inbox = new Inbox('catalog', {} as BusConnection, store, [consumer], pino({ level: 'silent' }));
    const retried = async (committedAt: Date): Promise<boolean> => {
      const [id, aggregate] = [randomUUID(), randomUUID()];
      const of = {
        campaign_id: aggregate,
        status: 'approved',
        terms_fingerprint: 'f',
        total_cents: 1,
        creator_ids: [],
      };
      await store.db.collection<DeadLetter>('dead_letters').insertOne({
        _id: id,
        fact: `catalog_from_planning|${uuid7(committedAt)}`,
        producer: 'planning',
        subject: 'evt.planning.plan.changed',
        text: JSON.stringify({ aggregate, version: 1, workspace, ...of }),
        reason: 'failed',
        error: 'planted',
        attempts: 6,
        state: 'parked',
        parked_at: at,
        tried_at: at,
        applied_at: null,
      });
      expect(await inbox.retries.retry(id)).toMatchObject({ state: 'applied' });
      return applied.includes(aggregate);
    };
    const ended = new Date(at.getTime() - 3_000);
    await asked({ at: new Date(at.getTime() - 4_000).toISOString() });
    await asked({ ends: true, at: ended.toISOString() });
    expect([await retried(new Date(at.getTime() - 9_000)), await retried(ended), await retried(after(-2_000))]).toEqual(
      [false, false, true],
    );
  });
});
