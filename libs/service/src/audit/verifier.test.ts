import { generateKeyPairSync } from 'node:crypto';
import { appendFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Deadline } from '../deadline/deadline.js';
import { inTx } from '../store/in-tx.js';
import { Lease } from '../store/lease.js';
import { testStore } from '../testing/store.js';
import { Audit } from './audit.js';
import { taskOf } from './audit-work.js';
import { CheckpointDirectory } from './checkpoint-sink.js';
import { Checkpointer } from './checkpointer.js';
import { Checkpoints } from './checkpoints.js';
import { AuditDuties } from './duties.js';
import { AuditHeads } from './heads.js';
import { Sealer } from './sealer.js';
import { AuditKey } from './signature.js';
import { type AuditFinding, Verifier } from './verifier.js';

/** Checkpoints outside the database, and the verifier that compares them with it (docs/reliability.md#audit). */
describe('the verifier', () => {
  let test: Awaited<ReturnType<typeof testStore>>;
  let directory: string;
  let audit: Audit;
  let heads: AuditHeads;
  let parts: { checkpoints: Checkpoints; duties: AuditDuties };
  const key = new AuditKey(generateKeyPairSync('ed25519').privateKey);
  const errors: unknown[] = [];
  const tasks: { workspace: string; findings: readonly AuditFinding[] }[] = [];
  const quiet = { hit: () => undefined, pause: async () => undefined };
  const file = () => join(directory, 'billing.jsonl');
  const rows = () => test.store.db.collection<{ _id: string }>('audit');

  const seal = () =>
    new Sealer({
      ...{ service: 'billing', store: test.store, audit, heads, failpoints: quiet },
      lease: new Lease(test.store, 'audit'),
    }).run();
  const sign = (hit: (point: string) => void = () => undefined) =>
    new Checkpointer({
      ...{ service: 'billing', store: test.store, heads, ...parts, key },
      sink: new CheckpointDirectory(directory, 'billing'),
      lease: new Lease(test.store, 'checkpoint'),
      failpoints: { hit, pause: async () => undefined },
    }).run(0);
  const verifier = (trusted = new Set([key.name])) =>
    new Verifier({
      ...{ service: 'billing', store: test.store, audit, heads, trusted, ...parts },
      log: { error: (fields: unknown) => void errors.push(fields), info: () => undefined } as never,
      sink: new CheckpointDirectory(directory, 'billing'),
      lease: new Lease(test.store, 'verifier'),
      openTask: async (workspace, findings) => void tasks.push({ workspace, findings }),
    });
  const expire = () => test.store.db.collection('leases').updateMany({}, { $set: { until: new Date(0) } });
  const act = async (...workspaces: string[]): Promise<void> => {
    const at = new Date(Date.UTC(2026, 10, 21));
    const entries = workspaces.map((ws, index) => ({
      ...{ ws, actor: 'system', action: 'test.act', object: `object-${index}`, reason: 'A reason.' },
      payload: { index },
    }));
    await inTx(test.store, Deadline.in(10_000), (tx) => audit.add(tx, entries, at));
    await expire();
    await seal();
    await expire();
  };
  const found = async (): Promise<AuditFinding[] | null> => {
    await expire();
    return verifier().verify();
  };

  beforeAll(async () => {
    test = await testStore('verifier');
    audit = new Audit(test.store);
    heads = new AuditHeads(test.store);
    parts = { checkpoints: new Checkpoints(test.store), duties: new AuditDuties(test.store) };
    new Lease(test.store, 'audit');
    await test.store.migrate();
  });
  beforeEach(async () => {
    for (const name of ['audit', 'audit_heads', 'leases', 'audit_checkpoints', 'audit_duties'])
      await test.store.db.collection(name).deleteMany({});
    directory = await mkdtemp(join(tmpdir(), 'cds-audit-'));
    errors.length = 0;
    tasks.length = 0;
    await act('a', 'b', 'a', 'a', 'b', 'a');
    await sign();
    await act('a', 'a');
  });
  afterAll(async () => {
    await rm(directory, { recursive: true, force: true });
    await test.drop();
  });

  it('finds nothing in what was only sealed', async () => {
    expect(await found()).toEqual([]);
    await expire();
    expect(await verifier().run(0)).toBe(0);
    expect([errors, tasks]).toEqual([[], []]);
  });

  it('signs the heads that grew, and no others', async () => {
    const signed = async () =>
      (await readFile(file(), 'utf8'))
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as { workspace: string; seq: number })
        .map(({ workspace, seq }) => `${workspace} ${seq}`)
        .sort();
    expect(await signed()).toEqual(['a 4', 'b 2']);
    await expire();
    expect(await sign()).toBe(1);
    expect(await signed()).toEqual(['a 4', 'a 6', 'b 2']);
    await expire();
    expect(await sign()).toBe(0);
    expect((await parts.checkpoints.between('a', 1, 6)).map(({ seq }) => seq)).toEqual([4, 6]);
  });

  it.each(['audit.signed', 'audit.appended', 'audit.copied'])('signs again after a death at %s', async (point) => {
    const dies = sign((at) => {
      if (at === point) throw new Error('died');
    });
    await expect(dies).rejects.toThrow('died');
    await expire();
    await sign();
    expect((await parts.checkpoints.between('a', 1, 6)).map(({ seq }) => seq)).toEqual([4, 6]);
    expect(await found()).toEqual([]);
  });

  it('continues after half a line that a crash left', async () => {
    await appendFile(file(), '{"at":"2026');
    await expire();
    expect(await sign()).toBe(1);
    await rows().updateOne({ ws: 'a', seq: 6 } as never, { $set: { actor: 'key:another' } });
    expect(await found()).toEqual([
      { problem: 'unreadable', workspace: '*', seq: 3, lines: 1 },
      { problem: 'edited', workspace: 'a', seq: 6 },
    ]);
  });

  const changes: [string, () => Promise<unknown>, AuditFinding[]][] = [
    ...['actor', 'action', 'object', 'reason', 'payload_hash', 'prev', 'hash'].map(
      (field): [string, () => Promise<unknown>, AuditFinding[]] => [
        `an edited ${field}`,
        () => rows().updateOne({ ws: 'a', seq: 2 } as never, { $set: { [field]: 'e'.repeat(64) } }),
        [{ problem: 'edited', workspace: 'a', seq: 2 }],
      ],
    ),
    [
      'an entry that is gone',
      () => rows().deleteOne({ ws: 'a', seq: 3 } as never),
      [{ problem: 'dropped', workspace: 'a', seq: 3, last: 3 }],
    ],
    [
      'a chain that ends early, with its head',
      async () => {
        await rows().deleteMany({ ws: 'a', seq: { $gt: 3 } } as never);
        const last = (await audit.chain('a', 2, 1))[0];
        const head = { $set: { seq: 3, hash: last?.hash } };
        await test.store.db.collection<{ _id: string }>('audit_heads').updateOne({ _id: 'a' }, head);
      },
      [{ problem: 'truncated', workspace: 'a', seq: 4, last: 4 }],
    ],
    [
      'a chain that is gone with its head',
      async () => {
        await rows().deleteMany({ ws: 'b' } as never);
        await test.store.db.collection<{ _id: string }>('audit_heads').deleteOne({ _id: 'b' });
      },
      [{ problem: 'truncated', workspace: 'b', seq: 1, last: 2 }],
    ],
    [
      'a head that was set back',
      () => test.store.db.collection<{ _id: string }>('audit_heads').updateOne({ _id: 'a' }, { $set: { seq: 5 } }),
      [{ problem: 'rewritten', workspace: 'a', seq: 5 }],
    ],
  ];
  it.each(changes)('finds %s', async (_what, change, findings) => {
    await change();
    expect(await found()).toEqual(findings);
  });

  it('finds a chain that was computed again from an edited entry on', async () => {
    for (const name of ['audit', 'audit_heads']) await test.store.db.collection(name).deleteMany({});
    await act('b', 'a', 'a', 'b', 'a', 'a', 'a', 'a');
    expect(await found()).toEqual([
      { problem: 'rewritten', workspace: 'a', seq: 4 },
      { problem: 'rewritten', workspace: 'b', seq: 2 },
    ]);
  });

  it('shows a restored backup as short chains', async () => {
    for (const name of ['audit', 'audit_heads']) await test.store.db.collection(name).deleteMany({});
    expect(await found()).toEqual([
      { problem: 'truncated', workspace: 'a', seq: 1, last: 4 },
      { problem: 'truncated', workspace: 'b', seq: 1, last: 2 },
    ]);
  });

  it('finds a checkpoint that no trusted key signed', async () => {
    const lines = (await readFile(file(), 'utf8')).replaceAll('"workspace":"b"', '"workspace":"c"');
    await writeFile(file(), lines);
    expect(await found()).toEqual([
      { problem: 'forged', workspace: 'c', seq: 2 },
      { problem: 'checkpoint_missing', workspace: 'b', seq: 2, last: 2 },
    ]);
    await expire();
    expect(await verifier(new Set(['another key'])).verify()).toHaveLength(4);
  });

  const missing = (workspace: string, seq: number) => ({
    ...{ problem: 'checkpoint_missing', workspace, seq, last: seq },
  });

  it('finds a file that is gone, and what it held after chains were signed again', async () => {
    await rm(file());
    expect(await found()).toEqual([missing('a', 4), missing('b', 2)]);
    await expire();
    await sign();
    expect(await found()).toEqual([missing('a', 4), missing('b', 2)]);
  });

  it.each(['audit_heads', 'audit_checkpoints'])('finds a gone file without %s', async (name) => {
    await rm(file());
    const rows = test.store.db.collection(name);
    await (name === 'audit_heads' ? rows.updateMany({}, { $set: { checkpointed: 0 } }) : rows.deleteMany({}));
    expect(await found()).toEqual([missing('a', 4), missing('b', 2)]);
  });

  it('finds a last line that was cut off, or in half', async () => {
    const [first = '', second = ''] = (await readFile(file(), 'utf8')).split('\n');
    const { workspace, seq } = JSON.parse(second) as { workspace: string; seq: number };
    for (const rest of ['', second.slice(0, 40)]) {
      await writeFile(file(), `${first}\n${rest}`);
      expect(await found()).toEqual([missing(workspace, seq)]);
    }
  });

  it('finds a line that cannot be read', async () => {
    const [first = '', second = ''] = (await readFile(file(), 'utf8')).split('\n');
    const { workspace, seq } = JSON.parse(first) as { workspace: string; seq: number };
    await writeFile(file(), `${first.replaceAll('"', "'")}\n${second}\n`);
    expect(await found()).toEqual([
      { problem: 'unreadable', workspace: '*', seq: 1, lines: 1 },
      missing(workspace, seq),
    ]);
  });

  it('seeks each workspace once by an index', async () => {
    const seeks = jest.spyOn(audit.rows, 'findOne');
    expect(await audit.workspaces()).toEqual(['a', 'b']);
    expect(seeks).toHaveBeenCalledTimes(3);
    seeks.mockRestore();
  });

  it('ends between pages when it is asked to stop', async () => {
    const stopping = verifier();
    stopping.stop();
    await rows().deleteOne({ ws: 'a', seq: 3 } as never);
    await expire();
    expect(await stopping.run(0)).toBe(0);
    expect(await parts.duties.due('verify', 1)).toBe(true);
  });

  it('opens another task for another first place', () => {
    const ids = [2, 2, 5].map(
      (seq) => taskOf('billing', 'a', [{ problem: 'edited', workspace: 'a', seq }], new Date()).aggregate,
    );
    expect([ids[0] === ids[1], ids[0] === ids[2]]).toEqual([true, false]);
  });

  it('raises an alarm and a task for each broken chain, once a day', async () => {
    await rows().updateOne({ ws: 'a', seq: 2 } as never, { $set: { actor: 'key:another' } });
    await rows().deleteOne({ ws: 'a', seq: 5 } as never);
    await expire();
    expect(await verifier().run()).toBe(2);
    expect(errors).toEqual([
      { alarm: 'audit_chain_broken', problem: 'edited', workspace: 'a', seq: 2 },
      { alarm: 'audit_chain_broken', problem: 'dropped', workspace: 'a', seq: 5, last: 5 },
    ]);
    expect(tasks.map(({ workspace, findings }) => [workspace, findings.length])).toEqual([['a', 2]]);
    await expire();
    expect(await verifier().run()).toBe(0);
  });
});
