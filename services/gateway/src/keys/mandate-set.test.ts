import { createSecretKey } from 'node:crypto';
import { unavailable } from '@cds/contracts';
import { RowRunner } from '@cds/service';
import { aCtx } from '@cds/service/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { KeyChanges } from '../store/key-changes.js';
import { Keys } from '../store/keys.js';
import { Mandates } from '../store/mandates.js';
import { Workspaces } from '../store/workspaces.js';
import { type Brand, type EdgeApp, makeBrand, startEdgeApp } from '../test/edge-app.js';
import { keyMake } from './key-make.js';
import { mandateRemove, mandateSet } from './mandate-set.js';
import { pendingKeyChanges } from './pending-key-changes.js';
import { termsAccept } from './terms-accept.js';

const PEPPERS = { 1: createSecretKey(Buffer.alloc(32, 1)) };
const mandate = {
  max_plan_cents: 100,
  monthly_cap_cents: 200,
  channels: ['x_creators' as const],
  may_approve: true,
  expires_at: '2026-12-21T12:00:00.000Z',
};
const by = { person: 'p1', email: 'owner@example.com', address: '192.0.2.1', userAgent: 'test' };

describe('a person’s changes of a mandate (docs/domain/orders.md#mandate, docs/reliability.md#authority)', () => {
  let edge: EdgeApp;
  let brand: Brand;
  let keys: Keys;
  let mandates: Mandates;
  let keyChanges: KeyChanges;
  beforeAll(async () => {
    edge = await startEdgeApp('gateway_mandates');
    keys = new Keys(edge.shell.store);
    mandates = new Mandates(edge.shell.store);
    keyChanges = new KeyChanges(edge.shell.store, keys);
  });
  afterAll(() => edge.stop());
  beforeEach(async () => {
    brand = await makeBrand(edge);
  });

  const deps = () => ({ shell: edge.shell, keys, keyChanges, mandates, billing: edge.shell.calls });
  const of = (name: string) => ({ ws: brand.workspaces.live, keyId: brand.ids[name] ?? '', actor: 'p1' });
  const stored = (name: string) => keys.byKeyId(brand.workspaces.live, brand.ids[name] ?? '');

  test('a new version is in force, stored permanently and gated before the answer', async () => {
    const before = edge.sent.length;
    const set = await mandateSet(aCtx(), { ...of('full'), mandate }, deps());
    expect(set).toMatchObject({ version: 3, max_plan_cents: 100, terms_version: '2026-11-01' });
    expect(await stored('full')).toMatchObject({ mandate_version: 3, mandate: { version: 3 } });
    expect((await mandates.of(brand.workspaces.live, brand.ids['full'] ?? '')).map((row) => row.version)).toEqual([
      1, 2, 3,
    ]);
    expect(edge.sent.slice(before)).toMatchObject([
      { name: 'gate_raise', input: { key_id: brand.ids['full'], version: 3 } },
    ]);
    expect(
      await edge.shell.store.db.collection('outbox').countDocuments({ aggregate: brand.ids['full'], version: 3 }),
    ).toBe(1);
  });

  /** The process crashes between the commit and the key. */
  const crashing = () => {
    const lost = new KeyChanges(edge.shell.store, keys);
    lost.apply = () => Promise.reject(new Error('crashed here'));
    return { ...deps(), keyChanges: lost };
  };
  /** Runs the sweep over all workspaces, or over one, and returns how many changes it applied. */
  const sweep = (only: string | null, changes = keyChanges) =>
    pendingKeyChanges(changes, new RowRunner(edge.shell.store, edge.shell.log)).run({} as never, only);

  test('a version decides even before its key is changed, and the sweep changes the key', async () => {
    await expect(mandateSet(aCtx(), { ...of('full'), mandate }, crashing())).rejects.toThrow('crashed here');
    expect(await stored('full')).toMatchObject({ mandate_version: 2 });

    const next = await mandateSet(aCtx(), { ...of('full'), mandate: { ...mandate, max_plan_cents: 150 } }, deps());
    expect(next).toMatchObject({ version: 4, max_plan_cents: 150 });
    expect(await sweep(null)).toBe(1);
    expect(await stored('full')).toMatchObject({ mandate_version: 4, mandate: { version: 4, max_plan_cents: 150 } });

    await expect(mandateRemove(aCtx(), of('full'), crashing())).rejects.toThrow('crashed here');
    expect(await sweep(brand.workspaces.live)).toBe(1);
    expect(await stored('full')).toMatchObject({ mandate_version: 5, mandate: null });
    expect(await sweep(null)).toBe(0);
  });

  test('a change that fails does not stop the others, and is tried again', async () => {
    await expect(mandateSet(aCtx(), { ...of('full'), mandate }, crashing())).rejects.toThrow('crashed here');
    await expect(mandateSet(aCtx(), { ...of('bare'), mandate }, crashing())).rejects.toThrow('crashed here');
    const half = new KeyChanges(edge.shell.store, {
      apply: (one) =>
        one.kind === 'mandate' && one.key_id === brand.ids['full'] ? Promise.reject(new Error('no')) : keys.apply(one),
    });
    expect(await sweep(null, half)).toBe(1);
    expect(await edge.shell.store.db.collection('put_off').findOne({ sweep: 'key changes' })).toMatchObject({
      failures: 1,
    });
    expect((await stored('bare'))?.mandate).toMatchObject({ max_plan_cents: 100 });
    expect(await sweep(brand.workspaces.live)).toBe(1);
    expect((await stored('full'))?.mandate).toMatchObject({ max_plan_cents: 100 });
  });

  test('while billing is unavailable it is 503, and the event in the outbox raises the gate later', async () => {
    edge.answer('gate_raise', () => {
      throw unavailable('m');
    });
    await expect(mandateSet(aCtx(), { ...of('bare'), mandate }, deps())).rejects.toMatchObject({ code: 'unavailable' });
    edge.answer('gate_raise', () => ({ min_mandate_version: 1 }));
    expect(await stored('bare')).toMatchObject({ mandate_version: 1 });
    expect(await edge.shell.store.db.collection('outbox').countDocuments({ aggregate: brand.ids['bare'] })).toBe(1);
  });

  test.each([
    ['may sign without the scope', 'reader', {}, 'may_approve'],
    ['ends in the past', 'full', { expires_at: '2020-01-01T00:00:00Z' }, 'expires_at'],
    ['ends too late', 'full', { expires_at: '2028-01-01T00:00:00Z' }, 'expires_at'],
  ])('is 422 when it %s', async (_name, key, over, field) => {
    await expect(mandateSet(aCtx(), { ...of(key), mandate: { ...mandate, ...over } }, deps())).rejects.toMatchObject({
      code: 'unprocessable',
      details: { problems: [{ field, message: expect.any(String) }] },
    });
  });

  test('a removal is a version without limits, and numbering goes on', async () => {
    await mandateRemove(aCtx(), of('full'), deps());
    expect(await stored('full')).toMatchObject({ mandate: null, mandate_version: 3 });
    expect(await mandateSet(aCtx(), { ...of('full'), mandate }, deps())).toMatchObject({
      version: 4,
      terms_version: null,
    });
  });

  test('two changes at once are two versions', async () => {
    const both = await Promise.all(
      [1, 2].map((cents) =>
        mandateSet(aCtx(), { ...of('full'), mandate: { ...mandate, max_plan_cents: cents } }, deps()),
      ),
    );
    expect(both.map((one) => one.version).sort()).toEqual([3, 4]);
  });

  test('a foreign key and an absent one get the same answer', async () => {
    const other = await makeBrand(edge);
    for (const keyId of [other.ids['full'] ?? '', '0b6cbb3e-6f0a-4f5e-9d5e-6a1b7b1b7b1b'])
      await expect(mandateSet(aCtx(), { ...of('full'), keyId, mandate }, deps())).rejects.toMatchObject({
        code: 'not_found',
      });
  });

  test('accepting the current terms is a version with a record of who and how', async () => {
    await mandateSet(aCtx(), { ...of('bare'), mandate }, deps());
    const accepted = await termsAccept(aCtx(), { ...of('bare'), version: '2026-11-01', by }, deps());
    expect(accepted).toMatchObject({
      version: 2,
      terms_version: '2026-11-01',
      terms_accepted_email: 'owner@example.com',
    });
    expect(
      await edge.shell.store.db.collection('terms_acceptances').findOne({ key_id: brand.ids['bare'] }),
    ).toMatchObject({
      mandate_version: 2,
      terms_version: '2026-11-01',
      text_sha256: 'a1',
      person: 'p1',
      address: '192.0.2.1',
      user_agent: 'test',
    });
  });

  test.each([
    ['another version', 'full', '2026-01-01', 'terms_superseded'],
    ['a key that may not sign', 'muted', '2026-11-01', 'approval_not_allowed'],
    ['a key without a mandate', 'bare', '2026-11-01', 'approval_not_allowed'],
  ])('%s cannot be accepted', async (_name, key, version, reason) => {
    await expect(termsAccept(aCtx(), { ...of(key), version, by }, deps())).rejects.toMatchObject({
      code: 'conflict',
      details: expect.objectContaining({ reason }),
    });
  });

  test('a new key authenticates, and the fifty-first active key is refused', async () => {
    const made = { shell: edge.shell, keys, workspaces: new Workspaces(edge.shell.store), peppers: PEPPERS };
    const input = {
      ws: brand.workspaces.live,
      name: 'mine',
      scopes: ['inventory:read' as const],
      expiresAt: null,
      actor: 'p1',
    };
    const { text } = await keyMake(aCtx(), input, made);
    const answer = await fetch(`${edge.url}/api/v1/inventory`, { headers: { authorization: `Bearer ${text}` } });
    expect(answer.status).toBe(200);

    for (let active = 7; active < 50; active += 1) await keyMake(aCtx(), input, made);
    await expect(keyMake(aCtx(), input, made)).rejects.toMatchObject({ details: { reason: 'too_many_keys' } });
  });
});
