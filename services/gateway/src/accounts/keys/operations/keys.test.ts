import { randomUUID } from 'node:crypto';
import { proves } from '@cds/contracts/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type Brand, type EdgeApp, makeBrand, startEdgeApp } from '../../../test/edge-app.js';
import { ask, freshKey } from '../../../test/http.js';
import { aPersonCtx } from '../../../test/person.js';

type Made = { key: { id: string; public_id: string; name: string }; secret: string };

describe('a person’s keys (docs/domain/access.md#developers-area, docs/domain/access.md#keys)', () => {
  let edge: EdgeApp;
  let brand: Brand;
  beforeAll(async () => {
    edge = await startEdgeApp('gateway_keys');
  });
  afterAll(() => edge.stop());
  beforeEach(async () => {
    brand = await makeBrand(edge);
  });

  const ctx = (over: Parameters<typeof aPersonCtx>[1] = {}) => aPersonCtx(brand.workspaces.live, over);
  const input = { name: 'mine', scopes: ['inventory:read', 'plans:approve'] };
  const make = (over: object = {}, of = ctx()) => edge.run('key_make', of, { ...input, ...over });
  const made = async (over: object = {}): Promise<Made> => (await make(over)).body as Made;
  const change = (id: string, over: object) => edge.run('key_change', ctx(), { id, ...over });
  const list = async () => (await edge.run('keys_list', ctx())).body as { keys: Record<string, unknown>[] };
  const reads = async (secret: string): Promise<number> =>
    (await ask(edge.url, '/api/v1/inventory', { key: secret })).status;
  const refusal = (reason: string) => ({ status: 409, body: { error: { details: { reason } } } });
  const ownId = async (): Promise<string> => (await edge.deps.keys.own(brand.workspaces.live))?.key_id ?? '';
  const active = () => edge.deps.keys.countActive(brand.workspaces.live, new Date());

  test('a new key works at once, and its secret is in no stored row', async () => {
    proves('keys.made');
    const { key, secret } = await made();
    expect(secret).toMatch(/^cds_live_[0-9A-Za-z]{12}_[0-9A-Za-z]{49}$/);
    expect(key).toMatchObject({ name: 'mine', public_id: secret.slice(9, 21), mandate: null, last_used_at: null });
    expect(await reads(secret)).toBe(200);
    for (const name of await edge.shell.store.db.collectionNames()) {
      const rows = JSON.stringify(await edge.shell.store.db.collection(name).find().toArray());
      expect(rows).not.toContain(secret.slice(22));
    }
  });

  test('the same Idempotency-Key shows the secret again for ten minutes of database time, then never', async () => {
    const at = new Date();
    const first = await make({}, ctx({ idempotencyKey: 'shown-again', at }));
    const later = (ms: number) => make({}, ctx({ idempotencyKey: 'shown-again', at: new Date(at.getTime() + ms) }));
    expect(await later(10 * 60_000 - 1)).toEqual({ ...first, replayed: true });
    expect(await later(10 * 60_000)).toMatchObject(refusal('secret_gone'));
    const secrets = edge.shell.store.db.collection('shown_secrets');
    expect((await secrets.findOne({}))?.['expires_at']).toBeInstanceOf(Date);
    expect(await secrets.indexes()).toContainEqual(expect.objectContaining({ expireAfterSeconds: 0 }));
    expect(await active()).toBe(7);
  });

  test('of 100 keys made at once, never more than 50 are active', async () => {
    const answers = await Promise.all(Array.from({ length: 100 }, () => make()));
    const ended = (as: number) => answers.filter(({ status }) => status === as).length;
    expect(ended(201) + ended(409) + ended(503)).toBe(100);
    const kept = await active();
    // A 503 may have made its key; nobody else did.
    expect(kept).toBeGreaterThanOrEqual(6 + ended(201));
    expect(kept).toBeLessThanOrEqual(Math.min(50, 6 + ended(201) + ended(503)));
    for (let tries = 0; (await active()) < 50 && tries < 60; tries += 1) await make();
    expect(await active()).toBe(50);
    expect(await make()).toMatchObject(refusal('too_many_keys'));
    const last = await Promise.all(Array.from({ length: 10 }, () => make()));
    expect(new Set(last.map(({ status }) => status))).toEqual(new Set([409]));

    expect(await edge.run('key_revoke', ctx(), { id: brand.ids['bare'] })).toMatchObject({ status: 200 });
    expect(await make()).toMatchObject({ status: 201 });
    expect(await active()).toBe(50);
  }, 120_000);

  test('expired keys leave their places, and one that is revived must have room', async () => {
    const { key } = await made();
    await edge.changeKeys({ key_id: key.id }, { expires_at: new Date(Date.now() - 1_000) });
    while ((await active()) < 50) await made();
    expect(await change(key.id, { name: 'renamed' })).toMatchObject({ status: 200 });
    expect(await change(key.id, { expires_at: null })).toMatchObject(refusal('too_many_keys'));
    expect(await make({ expires_at: '2020-01-01T00:00:00Z' })).toMatchObject({ status: 422 });

    await edge.run('key_revoke', ctx(), { id: brand.ids['bare'] });
    const revive = () => edge.run('key_change', ctx(), { id: key.id, expires_at: null });
    const both = await Promise.all([revive(), make()]);
    expect(both.map(({ status }) => status).sort((a, b) => a - b)[1]).toBe(409);
    expect(await active()).toBe(50);
  });

  test('of the keys that ended, the 100 that ended last are listed, and only for them billing is asked', async () => {
    const keys = edge.shell.store.db.collection('keys');
    const found = await keys.findOne({ key_id: brand.ids['full'] });
    const ended = (index: number) => new Date(Date.now() - 1_000 * (index + 1));
    await keys.insertMany(
      Array.from({ length: 120 }, (_none, index) => ({
        ...found,
        _id: `ended${index}${randomUUID()}` as never,
        key_id: randomUUID(),
        name: `ended ${index}`,
        ...(index % 2 === 0 ? { expires_at: ended(index) } : { revoked_at: ended(index) }),
      })),
    );
    edge.sent.length = 0;
    const listed = (await list()).keys;
    expect(listed).toHaveLength(107);
    expect(listed.slice(7).map(({ name }) => name)).toEqual(Array.from({ length: 100 }, (_none, i) => `ended ${i}`));
    const asked = edge.sent.find(({ name }) => name === 'keys_spent')?.input as { keys: unknown[] };
    expect(asked.keys.length).toBeLessThanOrEqual(57);
  });

  test('a key that is decided before its brand is suspended, and saved after, is suspended', async () => {
    const { keys } = edge.deps;
    const count = keys.countActive.bind(keys);
    const workspaces = edge.shell.store.db.collection<{ _id: string }>('workspaces');
    keys.countActive = async (ws, now) => {
      keys.countActive = count;
      await workspaces.updateOne({ _id: ws }, { $set: { suspended: true } });
      return count(ws, now);
    };
    const { secret } = await made();
    expect(await reads(secret)).toBe(403);
  });

  test.each([
    ['name', { name: 'renamed' }, { name: 'renamed' }],
    ['scopes', { scopes: ['audience:read'] }, { scopes: ['audience:read'] }],
    ['expiry', { expires_at: '2099-01-01T00:00:00.000Z' }, { expires_at: '2099-01-01T00:00:00.000Z' }],
    ['nothing', {}, { name: 'mine', scopes: ['inventory:read', 'plans:approve'], expires_at: null }],
  ])('changes its %s before the answer', async (_name, over, wanted) => {
    const { key, secret } = await made();
    expect(await change(key.id, over)).toMatchObject({ status: 200, body: { id: key.id, ...wanted } });
    expect(await edge.deps.keys.byKeyId(brand.workspaces.live, key.id)).toMatchObject(
      'expires_at' in over ? { expires_at: new Date(over.expires_at as string) } : over,
    );
    expect(await reads(secret)).toBe('scopes' in over ? 403 : 200);
  });

  test('an expiry must be ahead of database time, can be taken back, and ends the key', async () => {
    const { key, secret } = await made({ expires_at: new Date(Date.now() + 60_000).toISOString() });
    for (const run of [
      change(key.id, { expires_at: '2020-01-01T00:00:00Z' }),
      make({ expires_at: '2020-01-01T00:00:00Z' }),
    ])
      expect(await run).toMatchObject({
        status: 422,
        body: { error: { details: { problems: [{ field: 'expires_at' }] } } },
      });
    expect(await change(key.id, { expires_at: null })).toMatchObject({ body: { expires_at: null } });
    expect(await reads(secret)).toBe(200);
    await edge.changeKeys({ key_id: key.id }, { expires_at: new Date(Date.now() - 1_000) });
    expect(await reads(secret)).toBe(401);
  });

  test('removing plans:approve sets may_approve to false, clears the terms, and raises the gate', async () => {
    const id = brand.ids['full'] ?? '';
    const before = edge.sent.length;
    expect(await change(id, { scopes: ['inventory:read'] })).toMatchObject({
      status: 200,
      body: { scopes: ['inventory:read'], mandate: { version: 3, may_approve: false, terms_version: null } },
    });
    expect(edge.sent.slice(before)).toContainEqual(
      expect.objectContaining({ name: 'gate_raise', input: expect.objectContaining({ key_id: id, version: 3 }) }),
    );
    expect(await edge.deps.keys.byKeyId(brand.workspaces.live, id)).toMatchObject({ mandate: { may_approve: false } });
  });

  test('a mandate that allows signing and the loss of plans:approve never both win', async () => {
    const id = brand.ids['muted'] ?? '';
    const mandate = {
      max_plan_cents: 1,
      monthly_cap_cents: 1,
      channels: ['x_creators'],
      may_approve: true,
      expires_at: new Date(Date.now() + 86_400_000).toISOString(),
    };
    await Promise.all([
      edge.run('key_mandate_set', ctx(), { id, ...mandate }),
      change(id, { scopes: ['inventory:read'] }),
    ]);
    const key = await edge.deps.keys.byKeyId(brand.workspaces.live, id);
    expect([key?.scopes.includes('plans:approve'), key?.mandate?.may_approve]).not.toEqual([false, true]);
  });

  test('no transaction locks a key, whatever is changed about it', async () => {
    const { key } = await made();
    const mandate = {
      max_plan_cents: 1,
      monthly_cap_cents: 1,
      channels: ['x_creators'],
      may_approve: false,
      expires_at: new Date(Date.now() + 86_400_000).toISOString(),
    };
    const answers = [
      await change(key.id, { name: 'renamed' }),
      await edge.run('key_mandate_set', ctx(), { id: key.id, ...mandate }),
      await edge.run('key_mandate_remove', ctx(), { id: key.id }),
      await edge.run('key_revoke', ctx(), { id: key.id }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 204, 200]);
    expect(edge.locking).toEqual([]);
  });

  test('revoking holds at once, for good, and may be repeated', async () => {
    const { key, secret } = await made();
    expect(await reads(secret)).toBe(200);
    const revoke = () => edge.run('key_revoke', ctx(), { id: key.id });
    const first = await revoke();
    expect(first).toMatchObject({ status: 200, body: { id: key.id, revoked_at: expect.any(String) } });
    expect(await reads(secret)).toBe(401);
    expect((await revoke()).body).toEqual(first.body);
    expect(await change(key.id, { expires_at: null })).toMatchObject({ status: 404 });
    const audit = edge.shell.store.db.collection('audit');
    expect(await audit.countDocuments({ action: 'key.revoked', object: key.id })).toBe(1);
    expect(await audit.findOne({ action: 'key.revoked', object: key.id })).toMatchObject({ actor: 'person:p1' });
  });

  test('of the own agent key only the mandate can be changed', async () => {
    const id = await ownId();
    expect(await change(id, { name: 'x' })).toMatchObject(refusal('bad_state'));
    expect(await edge.run('key_revoke', ctx(), { id })).toMatchObject(refusal('bad_state'));
  });

  test('the list shows the own agent key first, without a public id, and revoked keys last, without a mandate', async () => {
    edge.answer('keys_spent', () => ({ spent: [{ key_id: brand.ids['writer'], spent_this_month_cents: 42 }] }));
    await edge.run('key_revoke', ctx(), { id: brand.ids['full'] });
    const { keys } = await list();
    edge.answer('keys_spent', () => ({ spent: [] }));
    expect(keys).toHaveLength(7);
    expect(keys[0]).toMatchObject({ name: 'app', public_id: null, mandate: { max_plan_cents: 10_000_000 } });
    expect(keys.at(-1)).toMatchObject({ name: 'full', revoked_at: expect.any(String), mandate: null });
    expect(keys.find(({ name }) => name === 'writer')).toMatchObject({ mandate: { spent_this_month_cents: 42 } });
    expect(JSON.stringify(keys)).not.toContain('secret');
  });

  describe('a report of a key', () => {
    const report = (key: unknown, headers: Record<string, string> = {}) =>
      ask(edge.url, '/api/keys/report', { method: 'POST', body: { key }, headers });

    test('revokes a real key, and answers the same for any text, without a credential', async () => {
      const { key, secret } = await made();
      const received = { status: 202, json: { status: 'received' } };
      const wrongSecret = `${secret.slice(0, 22)}${'A'.repeat(49)}`;
      for (const text of ['x', '', wrongSecret, `${secret}0`]) expect(await report(text)).toMatchObject(received);
      expect(await reads(secret)).toBe(200);
      expect(await report(secret)).toMatchObject(received);
      expect(await reads(secret)).toBe(401);
      expect(await report(secret)).toMatchObject(received);
      const audit = edge.shell.store.db.collection('audit');
      expect(await audit.countDocuments({ action: 'key.reported', object: key.id })).toBe(1);
    });

    test('takes an Idempotency-Key as optional, and works while writes are closed', async () => {
      const { secret } = await made();
      const headers = { 'idempotency-key': freshKey() };
      await edge.setSwitches({ writes_open: false });
      expect(await report(secret, headers)).toMatchObject({ status: 202 });
      await edge.setSwitches({});
      const again = await report(secret, headers);
      expect(again.status).toBe(202);
      expect(again.headers.get('idempotent-replayed')).toBe('true');
      expect(await reads(secret)).toBe(401);
    });
  });
});
