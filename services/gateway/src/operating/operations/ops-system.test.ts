import { randomUUID } from 'node:crypto';
import { unavailable } from '@cds/contracts';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { type Brand, makeBrand, OPS_TOKEN } from '../../test/edge-app.js';
import { ask, errorOf, freshKey, type HttpAnswer } from '../../test/http.js';
import { testEdge } from '../../test/suite.js';

describe('the system area of operators', () => {
  const edge = testEdge('ops_system');
  let brand: Brand;
  beforeAll(async () => {
    brand = await makeBrand(edge);
  });

  const ops = (method: string, path: string, body?: unknown, key = freshKey()): Promise<HttpAnswer> =>
    ask(edge.url, `/api/ops${path}`, { method, body, key: OPS_TOKEN, headers: { 'idempotency-key': key } });
  const write = (): Promise<HttpAnswer> =>
    ask(edge.url, '/api/v1/feedback', { method: 'POST', key: brand.live['full'] ?? '', body: { message: 'hello' } });

  describe('switches (docs/domain/operators.md#switches)', () => {
    it('hold for the request after the answer, and name who changed them', async () => {
      expect((await write()).status).toBe(201);
      for (const open of [false, true]) {
        const put = await ops('PUT', '/switches', { writes_open: open, reason: 'maintenance' });
        expect(put).toMatchObject({
          status: 200,
          json: { writes_open: open, payments_open: true, extensions: false, changed_by: 'configured token' },
        });
        expect((await write()).status).toBe(open ? 201 : 503);
        expect((await ops('GET', '/switches')).json).toEqual(put.json);
      }
      const audit = await edge.shell.store.db.collection('audit').find({ action: 'switches.set' }).toArray();
      expect(audit.map((row) => [row['actor'], row['reason']])).toEqual([
        ['operator:configured', 'maintenance'],
        ['operator:configured', 'maintenance'],
      ]);
    });

    it('are left as they are by a change that does not name them', async () => {
      await ops('PUT', '/switches', { extensions: true, reason: 'a test' });
      const put = await ops('PUT', '/switches', { invoice_rail: false, reason: 'a test' });
      expect(put.json).toMatchObject({ extensions: true, invoice_rail: false, writes_open: true });
      await ops('PUT', '/switches', { extensions: false, invoice_rail: true, reason: 'a test' });
    });

    it('are set once under one Idempotency-Key', async () => {
      const key = freshKey();
      const first = await ops('PUT', '/switches', { extensions: true, reason: 'a test' }, key);
      await ops('PUT', '/switches', { extensions: false, reason: 'a test' });
      const again = await ops('PUT', '/switches', { extensions: true, reason: 'a test' }, key);
      expect([again.json, again.headers.get('idempotent-replayed')]).toEqual([first.json, 'true']);
      expect((await ops('GET', '/switches')).json).toMatchObject({ extensions: false });
    });

    it.each([
      ['no reason', { writes_open: false }, 422, 'reason'],
      ['a word', { writes_open: 'no', reason: 'a test' }, 422, 'writes_open'],
      ['an unknown switch', { wirtes_open: false, reason: 'a test' }, 400, 'wirtes_open'],
    ])('with %s are refused', async (_name, body, status, field) => {
      const answer = await ops('PUT', '/switches', body);
      expect([answer.status, errorOf(answer).fields]).toEqual([status, [field]]);
    });
  });

  describe('checks', () => {
    type Check = { name: string; ok: boolean; latency_ms: number | null; problem: string | null; mend: string | null };
    type Checks = { ok: boolean; checks: Check[] };
    const INSTALLED = ['database_version', 'replica_set', 'clock', 'bus_version', 'keys', 'mail'];
    const check = async (): Promise<Checks> => (await ops('GET', '/checks')).json as Checks;

    it('ask the database, the bus and every service, and how they are installed', async () => {
      const { ok, checks } = await check();
      expect(checks.filter((one) => !one.ok)).toEqual([]);
      expect(ok).toBe(true);
      expect(new Set(checks.map(({ name }) => name))).toEqual(
        new Set(['database', 'bus', 'catalog', 'planning', 'billing', 'proposals', 'metrics', ...INSTALLED]),
      );
      for (const { name, latency_ms } of checks)
        expect([name, latency_ms]).toEqual([name, ['bus', ...INSTALLED].includes(name) ? null : expect.any(Number)]);
    });

    it('name the one that does not answer', async () => {
      edge.answer('proposals_due', () => {
        throw unavailable('m');
      });
      const { ok, checks } = await check();
      expect([ok, checks.filter((one) => !one.ok)]).toEqual([
        false,
        [
          {
            name: 'proposals',
            ok: false,
            latency_ms: expect.any(Number),
            problem: 'it answers unavailable',
            mend: expect.stringMatching(/^See whether proposals runs/),
          },
        ],
      ]);
      edge.answer('proposals_due', () => ({ pending: [] }));
    });
  });

  describe('jobs (docs/domain/operators.md#jobs)', () => {
    it('are those of every service, or of the named one, and a silent service is named', async () => {
      await edge.shell.jobs.ended({ name: 'key changes', everyMs: 1_000 });
      edge.answer('metrics_jobs', () => {
        throw unavailable('m');
      });
      expect((await ops('GET', '/jobs')).json).toMatchObject({
        jobs: [{ service: 'gateway', name: 'key changes', failures: 0 }],
        unavailable: ['metrics'],
      });
      edge.answer('metrics_jobs', () => ({ jobs: [], leases: [] }));
      expect((await ops('GET', '/jobs?service=billing')).json).toEqual({ jobs: [], leases: [], unavailable: [] });
    });
  });

  describe('keys of brands (docs/domain/operators.md#operators)', () => {
    type Page = {
      items: { id: string; name: string; workspace: string; state: string; own: boolean }[];
      next: string | null;
    };
    const list = async (query: string): Promise<Page> => (await ops('GET', `/keys${query}`)).json as Page;
    const revoke = (id: string, key = freshKey()) => ops('POST', `/keys/${id}/revoke`, { reason: 'it leaked' }, key);

    it('are listed by workspace, brand and state, without secrets, page by page', async () => {
      const { live, sandbox } = brand.workspaces;
      const all = await list('?limit=200');
      expect(JSON.stringify(all)).not.toContain('secret');
      const ofLive = await list(`?workspace=${live}`);
      expect(ofLive.items.map(({ name }) => name).sort((one, other) => one.localeCompare(other))).toEqual([
        'app',
        'bare',
        'full',
        'muted',
        'narrow',
        'reader',
        'writer',
      ]);
      const workspace = await edge.shell.store.db.collection('workspaces').findOne({ _id: live as never });
      const ofBrand = await list(`?brand=${String(workspace?.['brand_id'])}&limit=200`);
      expect(new Set(ofBrand.items.map((key) => key.workspace))).toEqual(new Set([live, sandbox]));
      expect((await list(`?brand=${randomUUID()}`)).items).toEqual([]);
      const first = await list('?limit=5');
      expect([...first.items, ...(await list(`?limit=200&cursor=${first.next}`)).items]).toEqual(all.items);
    });

    it('end with the answer of their revocation, for good, and once', async () => {
      const of = (name: string) => brand.ids[name] ?? '';
      const read = () => ask(edge.url, '/api/v1/inventory', { key: brand.live['reader'] ?? '' });
      const key = freshKey();
      expect((await read()).status).toBe(200);
      expect(await revoke(of('reader'), key)).toMatchObject({
        status: 200,
        json: { id: of('reader'), state: 'revoked' },
      });
      expect((await read()).status).toBe(401);
      expect((await revoke(of('reader'), key)).headers.get('idempotent-replayed')).toBe('true');
      expect(errorOf(await revoke(of('reader'))).details).toEqual({ reason: 'bad_state' });
      expect((await list('?state=revoked')).items.map(({ id }) => id)).toEqual([of('reader')]);
      expect(await edge.shell.store.db.collection('audit').findOne({ action: 'key.revoked' })).toMatchObject({
        ws: brand.workspaces.live,
        actor: 'operator:configured',
        reason: 'it leaked',
      });
    });

    it('of the app cannot be revoked, nor can one that does not exist', async () => {
      const own = (await list(`?workspace=${brand.workspaces.live}`)).items.find((one) => one.own);
      expect(errorOf(await revoke(own?.id ?? '')).details).toEqual({ reason: 'bad_state' });
      expect((await revoke(randomUUID())).status).toBe(404);
    });
  });

  describe('feedback (docs/domain/operators.md#tasks-and-feedback)', () => {
    type Page = { items: { id: string; message: string; state: string; workspace: string }[]; next: string | null };
    const list = async (query = ''): Promise<Page> => (await ops('GET', `/feedback${query}`)).json as Page;

    it('is listed for the team, the oldest first, page by page', async () => {
      const { items } = await list();
      expect(items.map(({ message, state, workspace }) => [message, state, workspace])).toEqual(
        items.map(() => ['hello', 'new', brand.workspaces.live]),
      );
      expect(items.length).toBeGreaterThanOrEqual(2);
      const first = await list('?limit=1');
      const second = await list(`?limit=200&cursor=${first.next}`);
      expect([...first.items, ...second.items]).toEqual(items);
      expect((await ops('GET', '/feedback?cursor=elsewhere')).status).toBe(400);
    });

    it('goes from new to seen to answered, and never back', async () => {
      const id = (await list()).items[0]?.id ?? '';
      const move = (to: string, body: object = {}) =>
        ops('POST', `/feedback/${id}/${to}`, { reason: 'read it', ...body });
      expect(await move('seen')).toMatchObject({ status: 200, json: { id, state: 'seen', answer: null } });
      expect(errorOf(await move('seen')).details).toEqual({ reason: 'bad_state' });
      expect(await move('answer', { text: 'Thank you.' })).toMatchObject({
        status: 200,
        json: { state: 'answered', answer: 'Thank you.', changed_by: 'configured token' },
      });
      for (const to of ['seen', 'answer'])
        expect(errorOf(await move(to, to === 'answer' ? { text: 'Again.' } : {})).details).toEqual({
          reason: 'bad_state',
        });
      expect((await list('?state=answered')).items.map((one) => one.id)).toEqual([id]);
      expect((await list('?state=new')).items.map((one) => one.id)).not.toContain(id);
      expect((await ops('POST', `/feedback/${randomUUID()}/seen`, { reason: 'x' })).status).toBe(404);
    });

    it('is answered once, however many answer it at once', async () => {
      const id = (await list('?state=new')).items[0]?.id ?? '';
      const both = await Promise.all(
        ['A', 'B'].map((answer) => ops('POST', `/feedback/${id}/answer`, { text: answer, reason: 'a race' })),
      );
      expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
      const audits = await edge.shell.store.db
        .collection('audit')
        .countDocuments({ action: 'feedback.answered', object: id });
      expect(audits).toBe(1);
    });
  });
});
