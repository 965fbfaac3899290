import { randomUUID } from 'node:crypto';
import type { Scope } from '@cds/contracts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type Brand, type EdgeApp, makeBrand, OPS_TOKEN, publicIdOf, startEdgeApp } from '../../../test/edge-app.js';
import { ask, errorOf, freshKey, type HttpAnswer } from '../../../test/http.js';
import { type SignedIn, signIn } from '../../../test/people.js';
import { aPersonCtx } from '../../../test/person.js';
import type { KeyRow } from '../store/keys.js';

type Made = {
  key: { id: string; scopes: Scope[]; parent_id: string; mandate: Record<string, unknown> | null };
  secret: string;
};

const DAY_MS = 86_400_000;
const inDays = (days: number): string => new Date(Date.now() + days * DAY_MS).toISOString();

describe('key_delegate (docs/domain/access.md#child-keys)', () => {
  let edge: EdgeApp;
  let brand: Brand;
  let owner: SignedIn;
  beforeAll(async () => {
    edge = await startEdgeApp('gateway_delegation');
  });
  afterAll(() => edge.stop());
  beforeEach(async () => {
    brand = await makeBrand(edge);
    owner = await signIn(edge, brand);
    await letDelegate('full');
  });

  const person = () => aPersonCtx(brand.workspaces.live, { at: new Date(), person: owner.person_id });
  const idOf = (name: string) => brand.ids[name] ?? '';
  const keyOf = (name: string) => brand.live[name] ?? '';
  const letDelegate = (name: string, may_delegate = true) =>
    edge.run('key_change', person(), { id: idOf(name), may_delegate });
  const mandate = (over: object = {}) => ({
    max_plan_cents: 100_000,
    monthly_cap_cents: 200_000,
    channels: ['x_creators'],
    may_approve: true,
    expires_at: inDays(10),
    ...over,
  });
  const input = (over: object = {}) => ({
    name: 'helper',
    scopes: ['inventory:read', 'campaigns:read', 'plans:approve'],
    mandate: mandate(),
    expires_at: inDays(20),
    ...over,
  });
  const delegate = (over: object = {}, key = keyOf('full'), idempotencyKey = freshKey()): Promise<HttpAnswer> =>
    ask(edge.url, '/api/v1/keys/children', {
      method: 'POST',
      key,
      headers: { 'idempotency-key': idempotencyKey },
      body: input(over),
    });
  const made = async (over: object = {}): Promise<Made> => {
    const answer = await delegate(over);
    if (answer.status !== 201) throw new Error(answer.text);
    return answer.json as Made;
  };
  const rows = () => edge.shell.store.db.collection<KeyRow>('keys');
  const reads = (key: string) => ask(edge.url, '/api/v1/inventory', { key });
  const principalOf = async (key: string) => {
    edge.sent.length = 0;
    await reads(key);
    return edge.sent.find(({ name }) => name === 'inventory')?.ctx.principal;
  };

  test('makes a key that works at once, whose secret is in no stored row, and says so in the audit', async () => {
    const { key, secret } = await made();
    expect(key).toMatchObject({
      name: 'helper',
      parent_id: idOf('full'),
      may_delegate: false,
      created_by: `key:${idOf('full')}`,
      mandate: { version: 1, max_plan_cents: 100_000, terms_version: '2026-11-01', spent_this_month_cents: 0 },
    });
    const feed = edge.shell.store.db.collection('feed');
    const event = await feed.findOne({ kind: 'mandate.changed', 'aggregate.id': key.id });
    expect(event?.['data']).toMatchObject({ parent_id: idOf('full'), mandate: { version: 1, terms_version: null } });
    expect(secret).toMatch(/^cds_live_[0-9A-Za-z]{12}_[0-9A-Za-z]{49}$/);
    expect((await reads(secret)).status).toBe(200);
    for (const name of await edge.shell.store.db.collectionNames()) {
      const stored = JSON.stringify(await edge.shell.store.db.collection(name).find().toArray());
      expect(stored).not.toContain(secret.slice(22));
    }
    const audit = await edge.shell.store.db.collection('audit').find({ object: key.id }).toArray();
    expect(audit.map(({ action, actor }) => [action, actor])).toEqual([
      ['key.delegated', `key:${idOf('full')}`],
      ['mandate.set', `key:${idOf('full')}`],
    ]);
  });

  test('the same Idempotency-Key makes one key and shows its secret again', async () => {
    const [idempotencyKey, same] = [freshKey(), input()];
    const first = await delegate(same, keyOf('full'), idempotencyKey);
    const again = await delegate(same, keyOf('full'), idempotencyKey);
    expect(again.json).toEqual(first.json);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(await rows().countDocuments({ 'parent.key_id': idOf('full') })).toBe(1);
  });

  test.each([
    ['a key without may_delegate', () => keyOf('writer')],
    ['a child key', async () => (await made()).secret],
    [
      'a key whose may_delegate was taken back',
      async () => {
        await letDelegate('full', false);
        return keyOf('full');
      },
    ],
  ])('%s makes none: 403, without a challenge, with what to do', async (_name, key) => {
    const before = await rows().countDocuments();
    const answer = await delegate({ scopes: ['inventory:read'], mandate: undefined }, await key());
    expect(answer.status).toBe(403);
    expect(errorOf(answer)).toMatchObject({ code: 'forbidden', details: { reason: 'may_not_delegate' } });
    expect(answer.headers.get('www-authenticate')).toBeNull();
    expect(await rows().countDocuments()).toBeLessThanOrEqual(before + 1);
  });

  test('everything that is wider than the parent is one 422, by field, value and bound; nothing is made', async () => {
    const before = await rows().countDocuments();
    const answer = await delegate({
      expires_at: inDays(500),
      mandate: mandate({ max_plan_cents: 2_500_001, channels: ['reddit'], expires_at: inDays(366) }),
    });
    expect(answer.status).toBe(422);
    expect(errorOf(answer).fields).toEqual([
      'expires_at',
      'mandate.max_plan_cents',
      'mandate.channels',
      'mandate.expires_at',
    ]);
    expect(answer.text).toContain('2500001: must be at most 2500000');
    expect(await rows().countDocuments()).toBe(before);
  });

  test('each request carries what child and parent both allow at that moment', async () => {
    const { secret, key } = await made();
    expect(await principalOf(secret)).toMatchObject({
      key: key.id,
      scopes: key.scopes,
      parent: { key: idOf('full'), monthly_cap_cents: 6_000_000, mandate_version: 2 },
      mandate: { version: 1, monthly_cap_cents: 200_000, may_approve: true, terms_version: '2026-11-01' },
    });

    const lower = mandate({ max_plan_cents: 5, monthly_cap_cents: 7, may_approve: false });
    await edge.run('key_mandate_set', person(), { id: idOf('full'), ...lower });
    await edge.run('key_change', person(), { id: idOf('full'), scopes: ['inventory:read'] });
    expect(await principalOf(secret)).toMatchObject({
      scopes: ['inventory:read'],
      parent: { monthly_cap_cents: 7, mandate_version: 3 },
      mandate: { version: 1, max_plan_cents: 5, monthly_cap_cents: 7, may_approve: false, terms_version: null },
    });

    await edge.run('key_mandate_remove', person(), { id: idOf('full') });
    expect(await principalOf(secret)).toMatchObject({ mandate: null, parent: { monthly_cap_cents: 0 } });
  });

  test('requests count on both minutes, and the headers show the one with less left', async () => {
    const [one, two] = [await made(), await made()];
    edge.counters.reset();
    const left = async (key: string) => Number((await reads(key)).headers.get('ratelimit-remaining'));
    expect([await left(one.secret), await left(two.secret), await left(keyOf('full'))]).toEqual([59, 58, 57]);
    await edge.counters.use(publicIdOf(keyOf('full')), 60);
    const refused = await reads(one.secret);
    expect([refused.status, refused.headers.get('ratelimit-remaining')]).toEqual([429, '0']);
    expect(errorOf(refused).details).toMatchObject({ reason: 'request_rate', scope: 'parent', limit: 60 });
    expect(errorOf(await reads(keyOf('full'))).details).toMatchObject({ reason: 'request_rate', scope: 'key' });
    edge.counters.reset();
    await edge.counters.use(publicIdOf(two.secret), 60);
    expect(errorOf(await reads(two.secret)).details).toMatchObject({ reason: 'request_rate', scope: 'key' });
    expect((await reads(one.secret)).status).toBe(200);
  });

  test('a child revoked alone leaves its parent and its siblings', async () => {
    const [one, two] = [await made(), await made()];
    await edge.run('key_revoke', person(), { id: one.key.id });
    expect([(await reads(one.secret)).status, (await reads(two.secret)).status]).toEqual([401, 200]);
    expect((await reads(keyOf('full'))).status).toBe(200);
  });

  test('a child made while its parent is revoked is answered 401 or is dead when it is answered', async () => {
    const answers: HttpAnswer[] = [];
    for (let round = 0; round < 10; round += 1) {
      brand = await makeBrand(edge);
      await letDelegate('full');
      const [answer] = await Promise.all([delegate(), edge.run('key_revoke', person(), { id: idOf('full') })]);
      answers.push(answer);
      if (answer.status === 201) expect((await reads((answer.json as Made).secret)).status).toBe(401);
      else expect(answer.status).toBe(401);
      const alive = { 'parent.key_id': idOf('full'), revoked_at: null };
      expect(await rows().countDocuments(alive)).toBe(0);
    }
    expect(answers).toHaveLength(10);
  });

  test('when its parent is revoked between the commit and the answer, the answer is 401 and shows no secret', async () => {
    const { keyChanges } = edge.deps;
    const applyOf = keyChanges.applyOf.bind(keyChanges);
    keyChanges.applyOf = async (ws, keyId) => {
      keyChanges.applyOf = applyOf;
      await rows().updateOne({ key_id: idOf('full') }, { $set: { revoked_at: new Date() } });
      return applyOf(ws, keyId);
    };
    const answer = await delegate();
    expect(errorOf(answer).code).toBe('unauthorized');
    expect(answer.text).not.toContain('cds_live_');
    expect(await rows().countDocuments({ 'parent.key_id': idOf('full'), revoked_at: null })).toBe(0);
  });

  test.each([
    ['key_mandate_set', () => mandate()],
    ['key_mandate_remove', () => ({})],
    ['key_terms_accept', () => ({ version: '2026-11-01' })],
    ['key_change', () => ({ scopes: ['inventory:read'] })],
    ['key_change', () => ({ expires_at: inDays(30) })],
    ['key_change', () => ({ may_delegate: true })],
  ])('nobody changes a child: %s is 409 bad_state', async (operation, over) => {
    const { key } = await made();
    const before = await rows().findOne({ key_id: key.id });
    expect(await edge.run(operation, person(), { id: key.id, ...over() })).toMatchObject({
      status: 409,
      body: { error: { details: { reason: 'bad_state' } } },
    });
    expect(await rows().findOne({ key_id: key.id })).toEqual(before);
  });

  test('children are listed within what their parent may do now', async () => {
    const { key } = await made();
    await edge.run('key_mandate_set', person(), { id: idOf('full'), ...mandate({ monthly_cap_cents: 9 }) });
    const { keys } = (await edge.run('keys_list', person())).body as { keys: Record<string, unknown>[] };
    expect(keys.find(({ id }) => id === key.id)).toMatchObject({
      parent_id: idOf('full'),
      mandate: { key_id: key.id, monthly_cap_cents: 9 },
    });
    expect(await edge.run('key_change', person(), { id: key.id, name: 'renamed' })).toMatchObject({
      body: { name: 'renamed', mandate: { monthly_cap_cents: 9 } },
    });
    const answer = await ask(edge.url, `/api/ops/keys?workspace=${brand.workspaces.live}`, { key: OPS_TOKEN });
    const { items } = answer.json as { items: { id: string }[] };
    expect(items.find(({ id }) => id === key.id)).toMatchObject({ mandate: { monthly_cap_cents: 9 } });
  });

  test('of operators who revoke a key at once, one does it and the others are 409', async () => {
    const revoke = () =>
      ask(edge.url, `/api/ops/keys/${idOf('full')}/revoke`, {
        method: 'POST',
        key: OPS_TOKEN,
        headers: { 'idempotency-key': freshKey() },
        body: { reason: 'a leak' },
      });
    const answers = await Promise.all([revoke(), revoke(), revoke()]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
  });

  test('a parent makes 200 children in any 24 hours, whatever became of them', async () => {
    const found = await rows().findOne({ key_id: idOf('full') });
    if (found === null) throw new Error('no key');
    const at = new Date(Date.now() - DAY_MS + 60_000);
    const copies = Array.from({ length: 200 }, (_none, index) => ({
      ...found,
      _id: `made${index}${idOf('full').slice(0, 8)}`,
      key_id: randomUUID(),
      parent: { key_id: found.key_id, public_id: found._id },
      created_at: at,
      revoked_at: at,
    }));
    await rows().insertMany(copies);
    const refused = await delegate();
    expect(refused.status).toBe(429);
    expect(errorOf(refused).details).toMatchObject({ reason: 'child_key_limit', limit: 200 });
    await rows().updateOne(
      { key_id: copies[0]?.key_id ?? '' },
      { $set: { created_at: new Date(at.getTime() - 60_000) } },
    );
    expect((await delegate()).status).toBe(201);
  });

  test('children count among the workspace’s 50 keys: the last place goes to one of those asked for at once', async () => {
    const found = await rows().findOne({ key_id: idOf('full') });
    if (found === null) throw new Error('no key');
    const copies = Array.from({ length: 43 }, (_none, index) => ({
      ...found,
      _id: `copy${index}${idOf('full').slice(0, 8)}`,
      key_id: randomUUID(),
    }));
    await rows().insertMany(copies);
    const answers = await Promise.all(Array.from({ length: 4 }, () => delegate()));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409]);
    expect(await edge.deps.keys.countActive(brand.workspaces.live, new Date())).toBe(50);
  });
});
