import { DevBrand, READ_SCOPES, SCOPES } from '@cds/contracts';
import { describe, expect, test } from '@jest/globals';
import { makeBrand, OPS_TOKEN } from '../../../test/edge-app.js';
import { ask, errorOf, freshKey, type HttpAnswer } from '../../../test/http.js';
import { testEdge } from '../../../test/suite.js';

describe('making a development brand (docs/domain/operators.md#development-brands)', () => {
  const edge = testEdge('gateway_brands');

  const make = (body: unknown, headers: Record<string, string> = {}): Promise<HttpAnswer> =>
    ask(edge.url, '/api/ops/dev/brands', {
      method: 'POST',
      body,
      key: OPS_TOKEN,
      headers: { 'idempotency-key': freshKey(), ...headers },
    });

  test('returns a live and a sandbox workspace with the seeded keys and their mandates', async () => {
    const before = edge.sent.length;
    const answer = await make({ name: 'acme' });
    // Every call is made once: it polls for nothing and waits for nobody.
    const clocks = ['billing', 'metrics', 'proposals', 'catalog', 'planning'].map((service) => `${service}_clock_set`);
    expect(edge.sent.slice(before).map((one) => one.name)).toEqual([
      'terms_current',
      ...Array.from({ length: 8 }, () => 'gate_raise'),
      'context_set',
      'context_set',
      ...clocks,
      ...clocks,
    ]);
    expect(answer.status).toBe(201);
    const { workspaces } = DevBrand.parse(answer.json);
    expect(workspaces.map(({ name, kind }) => [name, kind])).toEqual([
      ['acme', 'live'],
      ['acme-sandbox', 'sandbox'],
    ]);
    for (const { kind, keys } of workspaces) {
      expect(keys.map((key) => [key.name, key.scopes, key.mandate?.may_approve ?? null])).toEqual([
        ['full', SCOPES, true],
        ['reader', READ_SCOPES, null],
        ['writer', [...READ_SCOPES, 'campaigns:write'], false],
        ['narrow', ['inventory:read'], null],
        ['bare', SCOPES, null],
        ['muted', SCOPES, false],
      ]);
      for (const key of keys) expect(key.secret).toMatch(kind === 'live' ? /^cds_live_/ : /^cds_test_/);
      expect(keys[0]?.mandate).toMatchObject({
        key_id: keys[0]?.id,
        version: 2,
        max_plan_cents: 2_500_000,
        monthly_cap_cents: 6_000_000,
        channels: ['x_creators'],
        terms_version: '2026-11-01',
      });
      expect(keys[2]?.mandate).toMatchObject({ version: 1, terms_version: null });
    }
  });

  test('raises the gates, sets the context and stores no secret anywhere', async () => {
    const before = edge.sent.length;
    const answer = await make({ name: 'kept' });
    const sent = edge.sent.slice(before);
    expect(sent.filter((one) => one.name === 'gate_raise')).toHaveLength(8);
    expect(sent.filter((one) => one.name === 'context_set').map((one) => one.input)).toMatchObject([
      { workspace_name: 'kept', name: 'kept', audience: 'startup founders and AI builders' },
      { workspace_name: 'kept-sandbox' },
    ]);
    expect(sent.every((one) => one.ctx.principal.audience === 'operator')).toBe(true);
    // Catalog learns the audience before the answer, so that a list without filters is not a 400.
    expect(sent.at(-1)?.name).toBe('planning_clock_set');
    expect(sent.filter((one) => one.name === 'catalog_clock_set')).toHaveLength(2);

    const secrets = DevBrand.parse(answer.json).workspaces.flatMap((workspace) =>
      workspace.keys.map((key) => key.secret.slice(-49)),
    );
    for (const name of ['commands', 'keys', 'audit', 'outbox', 'mandates', 'brands', 'workspaces']) {
      const text = JSON.stringify(await edge.shell.store.db.collection(name).find().toArray());
      for (const secret of secrets) expect(text).not.toContain(secret.slice(0, 43));
    }
  });

  test('every mandate has its versions, events and audit entries', async () => {
    const { ids } = await makeBrand(edge);
    const { db } = edge.shell.store;
    const versions = await db.collection('mandates').find({ key_id: ids['full'] }).sort({ version: 1 }).toArray();
    expect(versions.map((row) => [row['version'], row['cause']])).toEqual([
      [1, 'set'],
      [2, 'terms_accepted'],
    ]);
    expect(await db.collection('outbox').countDocuments({ aggregate: ids['full'], version: 2 })).toBe(1);
    expect(await db.collection('terms_acceptances').countDocuments({ key_id: ids['full'] })).toBe(1);
    expect(await db.collection('audit').countDocuments({ object: ids['full'] })).toBe(3);
  });

  test('the workspace has its own agent key, which no credential matches', async () => {
    const { workspaces } = await makeBrand(edge);
    const own = await edge.shell.store.db.collection('keys').findOne({ ws: workspaces.live, own: true });
    expect(own).toMatchObject({
      secret_hmac: null,
      mandate_version: 1,
      mandate: { max_plan_cents: 10_000_000, monthly_cap_cents: 30_000_000, may_approve: true, terms_version: null },
    });
  });

  test('without an audience no context is set; without a sandbox none is made', async () => {
    const before = edge.sent.length;
    const answer = await make({ name: 'blank', audience: null, sandbox: null });
    expect(DevBrand.parse(answer.json).workspaces.map((workspace) => workspace.name)).toEqual(['blank']);
    expect(edge.sent.slice(before).map((one) => one.name)).not.toContain('context_set');
  });

  test('a taken name is 409, even under the same Idempotency-Key, and of two at once one wins', async () => {
    const headers = { 'idempotency-key': freshKey() };
    expect((await make({ name: 'once' }, headers)).status).toBe(201);
    const again = await make({ name: 'once' }, headers);
    expect([again.status, errorOf(again).details]).toEqual([409, { reason: 'name_taken' }]);

    const both = await Promise.all([make({ name: 'race' }), make({ name: 'race' })]);
    expect(both.map((one) => one.status).sort()).toEqual([201, 409]);
  });

  test('replace_keys revokes the seeded keys and makes new ones', async () => {
    const first = DevBrand.parse((await make({ name: 'lost' })).json);
    const second = DevBrand.parse((await make({ name: 'lost', replace_keys: true })).json);
    expect(second.workspaces.map((workspace) => workspace.id)).toEqual(
      first.workspaces.map((workspace) => workspace.id),
    );
    const [old, young] = [first, second].map((made) => made.workspaces[0]?.keys[0]?.secret ?? '');
    expect((await ask(edge.url, '/api/v1/inventory', { key: old ?? '' })).status).toBe(401);
    expect((await ask(edge.url, '/api/v1/inventory', { key: young ?? '' })).status).toBe(200);
  });

  test('replace_keys that meets a report and a suspension is decided again on what they left', async () => {
    const first = DevBrand.parse((await make({ name: 'met' })).json);
    const [live] = first.workspaces;
    const { workspaces } = edge.deps;
    const row = await workspaces.byId(live?.id ?? '');
    const reported = live?.keys.find(({ name }) => name === 'bare');
    const lock = workspaces.lockKeys.bind(workspaces);
    workspaces.lockKeys = async (tx, from) => {
      workspaces.lockKeys = lock;
      await ask(edge.url, '/api/keys/report', { method: 'POST', body: { key: reported?.secret } });
      await ask(edge.url, `/api/ops/brands/${row?.brand_id}/suspend`, {
        method: 'POST',
        key: OPS_TOKEN,
        body: { reason: 'to suspend' },
        headers: { 'idempotency-key': freshKey() },
      });
      return lock(tx, from);
    };
    const answer = await make({ name: 'met', replace_keys: true });
    expect(answer.status).toBe(201);

    const young = DevBrand.parse(answer.json).workspaces[0]?.keys[0]?.secret ?? '';
    expect((await ask(edge.url, '/api/v1/inventory', { key: young })).status).toBe(403);
    const ends = await edge.shell.store.db.collection('audit').find({ object: reported?.id }).toArray();
    expect(ends.map(({ action }) => action)).toEqual(['key.made', 'key.reported']);
  });

  test('publishes the first terms when there are none', async () => {
    let published = false;
    const terms = {
      version: '2026-11-01',
      number: 1,
      text: 't',
      text_sha256: 's',
      published_at: '2026-11-01T00:00:00.000Z',
    };
    edge.answer('terms_current', () => ({ terms: published ? terms : null }));
    edge.answer('terms_publish', (_ctx, input) => {
      published = true;
      return { version: input['version'], number: input['number'], published_at: terms.published_at };
    });
    expect((await make({})).status).toBe(201);
    expect(published).toBe(true);
  });

  test.each([
    ['no token', {}, 401],
    ['another token', { authorization: 'Bearer cds_ops_another_token' }, 401],
  ])('%s is %s', async (_name, headers, status) => {
    const answer = await ask(edge.url, '/api/ops/dev/brands', {
      method: 'POST',
      headers: headers as Record<string, string>,
    });
    expect(answer.status).toBe(status);
  });

  test('the operator has a window of 600 requests', async () => {
    expect((await make({ nothing: 1 })).headers.get('ratelimit-policy')).toBe('"minute";q=600;w=60');
  });
});
