import { SCOPES, unavailable } from '@cds/contracts';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { type Brand, makeBrand, OPS_TOKEN } from '../../../test/edge-app.js';
import { ask, errorOf, freshKey, type HttpAnswer } from '../../../test/http.js';
import { type SignedIn, signIn } from '../../../test/people.js';
import { testEdge } from '../../../test/suite.js';

type Made = {
  workspace: { id: string; name: string; kind: string };
  key: { id: string; name: string; scopes: string[]; mandate: { version: number; may_approve: boolean } };
  secret: string;
};

/** A person's own sandbox (docs/domain/access.md#developers-area). */
describe('a new sandbox', () => {
  const edge = testEdge('sandbox_make');
  let brand: Brand;
  let admin: SignedIn;
  beforeAll(async () => {
    brand = await makeBrand(edge, { sandbox: null });
    admin = await signIn(edge, brand, 'admin');
  });

  const rows = (name: string) => edge.shell.store.db.collection(name);
  const make = (person: SignedIn, body: object = {}, key = freshKey()): Promise<HttpAnswer> =>
    ask(edge.url, '/api/brand/sandbox', {
      method: 'POST',
      body,
      headers: { cookie: person.cookie, origin: 'http://app.test', 'idempotency-key': key },
    });

  it('has one test key, which works at once and is stored only as a hash', async () => {
    edge.sent.length = 0;
    const answer = await make(admin, { name: 'Trial' });
    expect(answer.status).toBe(201);
    const made = answer.json as Made;
    expect(made).toMatchObject({
      workspace: { name: 'Trial', kind: 'sandbox' },
      key: { name: 'test', scopes: SCOPES, mandate: { version: 1, may_approve: true, terms_version: null } },
      secret: expect.stringMatching(/^cds_test_/),
    });
    expect((await ask(edge.url, '/api/v1/inventory', { key: made.secret })).status).toBe(200);
    expect(edge.sent.at(-1)?.ctx.principal).toMatchObject({
      workspace: made.workspace.id,
      reads_workspace: brand.workspaces.live,
      sandbox: true,
    });
    const gates = edge.sent.filter(({ name }) => name === 'gate_raise').map(({ input }) => input['key_id']);
    const keys = await rows('keys').find({ ws: made.workspace.id }).toArray();
    expect(new Set(gates)).toEqual(new Set(keys.map((key) => key['key_id'])));
    for (const name of ['commands', 'keys', 'audit', 'shown_secrets', 'outbox'])
      expect(JSON.stringify(await rows(name).find().toArray())).not.toContain(made.secret.slice(22));
    expect(await rows('audit').findOne({ action: 'workspace.made' })).toMatchObject({
      ws: made.workspace.id,
      actor: `person:${admin.person_id}`,
    });
  });

  it('is made once under one Idempotency-Key, and its secret answered again', async () => {
    const key = freshKey();
    const before = await rows('workspaces').countDocuments();
    edge.answer('gate_raise', () => {
      throw unavailable('m');
    });
    expect((await make(admin, {}, key)).status).toBe(503);
    edge.answer('gate_raise', (_ctx, input) => ({ min_mandate_version: input['version'] }));
    const first = await make(admin, {}, key);
    const again = await make(admin, {}, key);
    expect([first.status, again.json, again.headers.get('idempotent-replayed')]).toEqual([201, first.json, 'true']);
    expect(await rows('workspaces').countDocuments()).toBe(before + 1);
  });

  it('takes an admin', async () => {
    expect((await make(await signIn(edge, brand, 'member'))).status).toBe(403);
    expect((await make(await signIn(edge, brand, 'owner'))).status).toBe(201);
  });

  it('gets a number of its own when several are made at once, and the eleventh is refused', async () => {
    const other = await makeBrand(edge, { sandbox: null });
    const owner = await signIn(edge, other, 'owner');
    const retried = async (): Promise<HttpAnswer> => {
      const key = freshKey();
      for (;;) {
        const answer = await make(owner, {}, key);
        if (answer.status !== 503) return answer;
      }
    };
    for (let at = 0; at < 2; at += 1) {
      const answers = await Promise.all(Array.from({ length: 5 }, retried));
      expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201]);
    }
    const brandId = (await rows('workspaces').findOne({ _id: other.workspaces.live as never }))?.['brand_id'];
    const numbers = await rows('workspaces').find({ brand_id: brandId }).sort({ number: 1 }).toArray();
    expect(numbers.map((one) => one['number'])).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
    expect(errorOf(await make(owner)).details).toEqual({ reason: 'too_many_sandboxes' });
  });

  it('is suspended with its brand, also when both happen at once', async () => {
    const other = await makeBrand(edge, { sandbox: null });
    const owner = await signIn(edge, other, 'owner');
    const brandId = String((await rows('workspaces').findOne({ _id: other.workspaces.live as never }))?.['brand_id']);
    const suspend = () =>
      ask(edge.url, `/api/ops/brands/${brandId}/suspend`, {
        method: 'POST',
        key: OPS_TOKEN,
        body: { reason: 'a race' },
        headers: { 'idempotency-key': freshKey() },
      });
    const [made, suspended] = await Promise.all([make(owner), suspend()]);
    expect([200, 503]).toContain(suspended.status);
    if (suspended.status === 503) expect((await suspend()).status).toBe(200);
    expect([201, 403, 503]).toContain(made.status);
    const keys = await rows('keys')
      .find({ ws: { $in: (await rows('workspaces').find({ brand_id: brandId }).toArray()).map(({ _id }) => _id) } })
      .toArray();
    expect(new Set(keys.map((key) => key['suspended']))).toEqual(new Set([true]));
  });
});
