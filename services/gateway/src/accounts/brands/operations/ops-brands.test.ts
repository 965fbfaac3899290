import { randomUUID } from 'node:crypto';
import { type Brand as BrandView, unavailable } from '@cds/contracts';
import { Deadline, inTx } from '@cds/service';
import { describe, expect, it } from '@jest/globals';
import { makeBrand, OPS_TOKEN } from '../../../test/edge-app.js';
import { ask, errorOf, freshKey, type HttpAnswer } from '../../../test/http.js';
import { signIn, startSession } from '../../../test/people.js';
import { testEdge } from '../../../test/suite.js';
import { newBrand, Workspaces } from '../store/workspaces.js';

/** What leads decide about brands (docs/domain/access.md#workspaces). */
describe('a brand', () => {
  const edge = testEdge('ops_brands');

  const rows = (name: string) => edge.shell.store.db.collection(name);
  const move = (id: string, verb: string, key = freshKey()): Promise<HttpAnswer> =>
    ask(edge.url, `/api/ops/brands/${id}/${verb}`, {
      method: 'POST',
      key: OPS_TOKEN,
      body: { reason: `to ${verb}` },
      headers: { 'idempotency-key': key },
    });
  const list = async (query: string) =>
    (await ask(edge.url, `/api/ops/brands${query}`, { key: OPS_TOKEN })).json as {
      items: BrandView[];
      next: string | null;
    };
  const aPendingBrand = async (): Promise<string> => {
    const id = randomUUID();
    const applicant = { name: 'Ada', email: `ada-${id.slice(0, 8)}@example.com` };
    const brand = newBrand(
      id,
      { name: `Company ${id}`, status: 'pending', website: 'https://example.com', applicant },
      new Date(),
    );
    await inTx(edge.shell.store, Deadline.in(30_000), (tx) => new Workspaces(edge.shell.store).insertBrand(tx, brand));
    return id;
  };
  /** Everything that an approval makes, by brand. */
  const madeFor = async (id: string) => {
    const workspaces = await rows('workspaces').find({ brand_id: id }).toArray();
    const ids = workspaces.map(({ _id }) => String(_id));
    const keys = await rows('keys')
      .find({ ws: { $in: ids } })
      .toArray();
    return {
      workspaces: workspaces.map(({ kind, number }) => [kind, number]),
      keys: keys.map((key) => [key['own'], key['mandate_version'], key['suspended']]),
      versions: await rows('mandates').countDocuments({ ws: { $in: ids } }),
      events: await rows('outbox').countDocuments({ aggregate: { $in: keys.map((key) => key['key_id']) } }),
      audits: await rows('audit').countDocuments({ action: 'brand.approved', object: id }),
    };
  };
  const messagesTo = async (id: string): Promise<string[]> =>
    (
      await rows('messages')
        .find({ to: `ada-${id.slice(0, 8)}@example.com` })
        .toArray()
    ).map(({ kind }) => String(kind));
  const NOTHING = { workspaces: [], keys: [], versions: 0, events: 0, audits: 0 };
  const ONCE = { workspaces: [['live', 1]], keys: [[true, 1, false]], versions: 1, events: 1, audits: 1 };

  describe('that is approved', () => {
    it('gets its live workspace and its own agent key with the first mandate and a raised gate', async () => {
      const id = await aPendingBrand();
      edge.sent.length = 0;
      const answer = await move(id, 'approve');
      expect(answer).toMatchObject({ status: 200, json: { id, status: 'approved', changed_by: 'configured token' } });
      expect(await madeFor(id)).toEqual(ONCE);
      const { workspaces } = answer.json as BrandView;
      const own = await rows('keys').findOne({ ws: workspaces[0]?.id });
      expect(own).toMatchObject({
        secret_hmac: null,
        mandate: { version: 1, max_plan_cents: 10_000_000, monthly_cap_cents: 30_000_000, may_approve: true },
      });
      expect(edge.sent.map(({ name, input }) => [name, input])).toEqual([
        ['gate_raise', { key_id: own?.['key_id'], workspace: workspaces[0]?.id, version: 1 }],
      ]);
      expect(await rows('audit').findOne({ action: 'brand.approved', object: id })).toMatchObject({
        actor: 'operator:configured',
        reason: 'to approve',
      });
    });

    it('has its applicant as the owner, who is sent a message and can sign in', async () => {
      const id = await aPendingBrand();
      await move(id, 'approve');
      const owner = await rows('people').findOne({ email: `ada-${id.slice(0, 8)}@example.com` });
      const members = await rows('members').find({ brand_id: id }).toArray();
      expect(members.map((member) => [member['person_id'], member['role']])).toEqual([[owner?._id, 'owner']]);
      expect(await messagesTo(id)).toEqual(['approved']);
      const cookie = await startSession(edge, String(owner?.['email']));
      expect((await ask(edge.url, '/api/brand/me', { headers: { cookie } })).json).toMatchObject({
        role: 'owner',
        status: 'approved',
        workspace: { kind: 'live', name: `Company ${id}` },
      });
      await move(id, 'suspend');
      expect((await ask(edge.url, '/api/v1/inventory', { headers: { cookie } })).status).toBe(403);
    });

    it('of an applicant who works for another brand makes no second person', async () => {
      const [id, known] = [await aPendingBrand(), await signIn(edge, await makeBrand(edge), 'member')];
      const applicant = { name: 'Ada', email: known.email };
      await rows('brands').updateOne({ _id: id as never }, { $set: { applicant } });
      expect((await move(id, 'approve')).status).toBe(200);
      expect(await rows('people').countDocuments({ email: known.email })).toBe(1);
      expect(await rows('members').findOne({ brand_id: id })).toMatchObject({
        person_id: known.person_id,
        role: 'owner',
      });
    });

    it('is approved once, however many leads approve it at once', async () => {
      const id = await aPendingBrand();
      const answers = await Promise.all(Array.from({ length: 6 }, () => move(id, 'approve')));
      expect(answers.map(({ status }) => status).filter((status) => status === 200)).toHaveLength(1);
      for (const refused of answers.filter(({ status }) => status !== 200))
        expect(errorOf(refused).details).toMatchObject({ reason: 'bad_state' });
      expect(await madeFor(id)).toEqual(ONCE);
      expect(await messagesTo(id)).toEqual(['approved']);
    });

    it('is approved once under one Idempotency-Key', async () => {
      const [id, key] = [await aPendingBrand(), freshKey()];
      const first = await move(id, 'approve', key);
      const again = await move(id, 'approve', key);
      expect([again.status, again.json, again.headers.get('idempotent-replayed')]).toEqual([200, first.json, 'true']);
      expect(await madeFor(id)).toEqual(ONCE);
    });

    it('stays pending while billing is unavailable, and a retry raises the same gate', async () => {
      const [id, key] = [await aPendingBrand(), freshKey()];
      edge.answer('gate_raise', () => {
        throw unavailable('m');
      });
      edge.sent.length = 0;
      expect((await move(id, 'approve', key)).status).toBe(503);
      expect(await madeFor(id)).toEqual(NOTHING);
      edge.answer('gate_raise', (_ctx, input) => ({ min_mandate_version: input['version'] }));
      expect((await move(id, 'approve', key)).status).toBe(200);
      const [failed, raised] = edge.sent.map(({ input }) => input);
      expect(failed).toEqual(raised);
    });

    it('or suspended at the same time ends in one state that has everything', async () => {
      const id = await aPendingBrand();
      const [approved, suspended] = await Promise.all([move(id, 'approve'), move(id, 'suspend')]);
      expect(approved.status).toBe(200);
      expect([200, 409]).toContain(suspended.status);
      const [brand, made] = [await rows('brands').findOne({ _id: id as never }), await madeFor(id)];
      expect(made).toEqual({ ...ONCE, keys: [[true, 1, brand?.['status'] === 'suspended']] });
    });
  });

  describe('that is suspended', () => {
    it('answers 403 on the next request of each of its keys, and serves again once it is reinstated', async () => {
      const brand = await makeBrand(edge);
      const id = String((await rows('workspaces').findOne({ _id: brand.workspaces.live as never }))?.['brand_id']);
      const statuses = async (): Promise<number[]> =>
        Promise.all(
          [brand.live['full'], brand.live['reader'], brand.sandbox['full']].map(
            async (key) => (await ask(edge.url, '/api/v1/inventory', { key: key ?? '' })).status,
          ),
        );
      const [suspend, reinstate] = [freshKey(), freshKey()];
      expect(await statuses()).toEqual([200, 200, 200]);
      for (let again = 0; again < 3; again += 1) {
        expect((await move(id, 'suspend', `${suspend}-${again}`)).json).toMatchObject({ status: 'suspended' });
        expect(await statuses()).toEqual([403, 403, 403]);
        expect((await move(id, 'reinstate', `${reinstate}-${again}`)).json).toMatchObject({ status: 'approved' });
        expect(await statuses()).toEqual([200, 200, 200]);
      }
      expect(await rows('key_changes').countDocuments()).toBe(0);
    });

    it('is finished by a replay when a crash left its keys unchanged', async () => {
      const brand = await makeBrand(edge);
      const id = String((await rows('workspaces').findOne({ _id: brand.workspaces.live as never }))?.['brand_id']);
      const key = freshKey();
      await move(id, 'suspend', key);
      // As a crash between the commit and the keys would leave it.
      await rows('keys').updateMany(
        { ws: brand.workspaces.live },
        { $set: { suspended: false, suspension_version: 0 } },
      );
      const change = { kind: 'suspension', ws: brand.workspaces.live, version: 2, suspended: true };
      await rows('key_changes').insertOne({ _id: randomUUID() as never, at: new Date(), change });
      expect((await move(id, 'suspend', key)).headers.get('idempotent-replayed')).toBe('true');
      expect((await ask(edge.url, '/api/v1/inventory', { key: brand.live['full'] ?? '' })).status).toBe(403);
    });

    it('stays reinstated when the older change of its keys arrives late', async () => {
      const brand = await makeBrand(edge);
      const id = String((await rows('workspaces').findOne({ _id: brand.workspaces.live as never }))?.['brand_id']);
      await move(id, 'suspend');
      await move(id, 'reinstate');
      const late = { kind: 'suspension', ws: brand.workspaces.live, version: 2, suspended: true };
      await rows('key_changes').insertOne({ _id: randomUUID() as never, at: new Date(0), change: late });
      await move(id, 'suspend');
      await move(id, 'reinstate');
      expect((await ask(edge.url, '/api/v1/inventory', { key: brand.live['full'] ?? '' })).status).toBe(200);
    });
  });

  it.each([
    ['pending', [], ['suspend', 'reinstate']],
    ['approved', ['approve'], ['approve', 'decline', 'reinstate']],
    ['declined', ['decline'], ['approve', 'decline', 'suspend', 'reinstate']],
    ['suspended', ['approve', 'suspend'], ['approve', 'decline', 'suspend']],
  ])('that is %s makes no illegal move', async (status, path, illegal) => {
    const id = await aPendingBrand();
    for (const verb of path) expect((await move(id, verb)).status).toBe(200);
    for (const verb of illegal) expect(errorOf(await move(id, verb)).details).toEqual({ reason: 'bad_state', status });
  });

  it('that is declined sends one message, and makes nothing', async () => {
    const id = await aPendingBrand();
    await Promise.all([move(id, 'decline'), move(id, 'decline')]);
    expect([await messagesTo(id), await madeFor(id)]).toEqual([['declined'], NOTHING]);
  });

  it('that nobody knows is not found', async () => {
    for (const verb of ['approve', 'decline', 'suspend', 'reinstate'])
      expect((await move(randomUUID(), verb)).status).toBe(404);
  });

  it('is listed by status with its applicant and workspaces, page by page', async () => {
    const id = await aPendingBrand();
    const pending = await list('?status=pending&limit=200');
    expect(pending.items.find((one) => one.id === id)).toMatchObject({
      company: `Company ${id}`,
      website: 'https://example.com',
      applicant: { name: 'Ada' },
      workspaces: [],
    });
    expect(new Set(pending.items.map(({ status }) => status))).toEqual(new Set(['pending']));
    const all = await list('?limit=200');
    const first = await list('?limit=3');
    expect([...first.items, ...(await list(`?limit=200&cursor=${first.next}`)).items]).toEqual(all.items);
    expect(all.items.flatMap(({ workspaces }) => workspaces.map(({ kind }) => kind))).toContain('sandbox');
  });
});
