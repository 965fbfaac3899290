import { type Principal, unavailable } from '@cds/contracts';
import { RowRunner } from '@cds/service';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { type Brand, makeBrand, OPS_TOKEN } from '../../test/edge-app.js';
import { formBrowser } from '../../test/forms.js';
import { ask, freshKey } from '../../test/http.js';
import {
  aClient,
  allowed,
  REST_RESOURCE,
  redeem,
  refresh,
  revoke,
  signedIn,
  type Tokens,
} from '../../test/mcp-client.js';
import { type SignedIn, signIn, startSession } from '../../test/people.js';
import { testEdge } from '../../test/suite.js';
import { pendingRightEnds } from './pending-right-ends.js';

const FOR_GOOD = 2 ** 31 - 1;

/** Rights that end (docs/reliability.md#ended-rights; I74): billing knows before the end is answered. */
describe('the end of a right', () => {
  const edge = testEdge('gateway_ended_rights');
  let brand: Brand;
  let owner: SignedIn;
  let brandId: string;
  beforeEach(async () => {
    edge.answer('gate_raise', (_ctx, input) => ({ min_mandate_version: input['version'] ?? 0 }));
    brand = await makeBrand(edge);
    owner = await signIn(edge, brand);
    brandId = (await edge.deps.workspaces.byId(brand.workspaces.live))?.brand_id ?? '';
    edge.sent.length = 0;
  });

  const idOf = (name: string) => brand.ids[name] ?? '';
  const keyOf = (name: string) => brand.live[name] ?? '';
  type Send = (idempotencyKey?: string) => Promise<{ status: number }>;
  const asOwner =
    (method: string, path: string, body?: object): Send =>
    (idempotencyKey = freshKey()) =>
      ask(edge.url, `/api/brand${path}`, {
        method,
        cookie: owner.cookie,
        headers: { 'idempotency-key': idempotencyKey },
        ...(body === undefined ? {} : { body }),
      });
  const asOperator =
    (path: string, body: object): Send =>
    (idempotencyKey = freshKey()) =>
      ask(edge.url, `/api/ops${path}`, {
        method: 'POST',
        key: OPS_TOKEN,
        headers: { 'idempotency-key': idempotencyKey },
        body,
      });
  const ownKeys = async () =>
    Promise.all(
      Object.values(brand.workspaces).map(async (ws) => [ws, (await edge.deps.keys.own(ws))?.key_id ?? ''] as const),
    );
  const memberOf = async ({ person_id }: SignedIn) => (await edge.people.members.in(brandId, person_id))?._id ?? '';
  /** What billing was asked; the end of one client may be asked for several times at once. */
  const ended = () => {
    const asked = edge.sent
      .filter(({ name, input }) => name === 'gate_raise' && input['ended'] !== undefined)
      .map(({ input }) => ({ workspace: input['workspace'], key: input['key_id'], ended: input['ended'] }));
    return [...new Map(asked.map((one) => [JSON.stringify(one), one])).values()];
  };
  const inLive = (key: string, of: Record<string, number>) => [{ workspace: brand.workspaces.live, key, ended: of }];
  const client = async (name = 'full') => {
    const begun = await aClient(edge.url, {}, REST_RESOURCE);
    const tokens = await signedIn(formBrowser(edge.url, owner.cookie), begun, idOf(name));
    const [grant] = (await edge.deps.oauthRows.grantsIn(brand.workspaces.live)).slice(-1);
    return { begun, tokens, grant: grant?._id ?? '' };
  };
  const aChild = async () => {
    await asOwner('PATCH', `/keys/${idOf('full')}`, { may_delegate: true })();
    const made = await ask(edge.url, '/api/v1/keys/children', {
      method: 'POST',
      key: keyOf('full'),
      headers: { 'idempotency-key': freshKey() },
      body: { name: 'child', scopes: ['campaigns:read'], expires_at: new Date(Date.now() + 86_400_000).toISOString() },
    });
    return made.json as { key: { id: string }; secret: string };
  };

  test.each([
    ['key_revoke', () => asOwner('POST', `/keys/${idOf('full')}/revoke`)],
    ['ops_key_revoke', () => asOperator(`/keys/${idOf('full')}/revoke`, { reason: 'leaked' })],
    [
      'key_report',
      (): Send => () => ask(edge.url, '/api/keys/report', { method: 'POST', body: { key: keyOf('full') } }),
    ],
  ])('%s ends the key and its children in its authority', async (_name, send) => {
    expect((await send()()).status).toBeLessThan(300);
    expect(ended()).toEqual(inLive(idOf('full'), { [`key:${idOf('full')}`]: FOR_GOOD }));
  });

  test('the revocation of a child ends it in its parent’s authority', async () => {
    const { key } = await aChild();
    edge.sent.length = 0;
    expect((await asOwner('POST', `/keys/${key.id}/revoke`)()).status).toBe(200);
    expect(ended()).toEqual(inLive(idOf('full'), { [`key:${key.id}`]: FOR_GOOD }));
  });

  test('a key whose expiry comes earlier ends in the version that it had; one that lives longer does not', async () => {
    const change = (days: number) =>
      asOwner('PATCH', `/keys/${idOf('full')}`, {
        expires_at: new Date(Date.now() + days * 86_400_000).toISOString(),
      })();
    expect((await change(20)).status).toBe(200);
    const { settings_version: version } = (await edge.deps.keys.byKeyId(brand.workspaces.live, idOf('full'))) ?? {};
    expect(ended()).toEqual(inLive(idOf('full'), { [`key:${idOf('full')}`]: version ?? 0 }));
    edge.sent.length = 0;
    expect((await change(30)).status).toBe(200);
    expect(ended()).toEqual([]);
  });

  test('a suspension ends the workspaces of the brand in the authority of every key that no key made', async () => {
    await aChild();
    edge.sent.length = 0;
    expect((await asOperator(`/brands/${brandId}/suspend`, { reason: 'unpaid' })()).status).toBe(200);
    const { version } = (await edge.deps.brands.byId(brandId)) ?? { version: 0 };
    for (const ws of Object.values(brand.workspaces)) {
      const keys = (await edge.deps.keys.all(ws)).filter(({ parent }) => parent === null).map(({ key_id }) => key_id);
      const asked = ended().filter(({ workspace }) => workspace === ws);
      expect(new Set(asked.map(({ key }) => key))).toEqual(new Set(keys));
      for (const one of asked) expect(one.ended).toEqual({ [`workspace:${ws}`]: version });
    }
    expect((await asOperator(`/brands/${brandId}/reinstate`, { reason: 'paid' })()).status).toBe(200);
    expect(await edge.deps.rightEnds.pending([])).toEqual([]);
  });

  test('a client ends by an admin, by itself, and by a code that is used twice', async () => {
    const first = await client();
    edge.sent.length = 0;
    expect((await asOwner('DELETE', `/clients/${first.grant}`)()).status).toBe(204);
    expect(ended()).toEqual(inLive(idOf('full'), { [`grant:${first.grant}`]: FOR_GOOD }));

    const second = await client();
    edge.sent.length = 0;
    expect((await revoke(second.begun, second.tokens.refresh_token)).status).toBe(200);
    expect(ended()).toEqual(inLive(idOf('full'), { [`grant:${second.grant}`]: FOR_GOOD }));

    const third = await aClient(edge.url, {}, REST_RESOURCE);
    const code = await allowed(formBrowser(edge.url, owner.cookie), third, idOf('full'));
    await redeem(third, code);
    const [grant] = await edge.deps.oauthRows.grantsIn(brand.workspaces.live);
    edge.sent.length = 0;
    expect((await redeem(third, code)).status).toBe(400);
    expect(ended()).toEqual(inLive(idOf('full'), { [`grant:${grant?._id}`]: FOR_GOOD }));
  });

  test('a member who is removed or may no longer sign ends in the own agent keys of the brand', async () => {
    const admin = await signIn(edge, brand, 'admin');
    const id = await memberOf(admin);
    const asked = async (below: number) =>
      (await ownKeys()).map(([workspace, key]) => ({ workspace, key, ended: { [`member:${id}`]: below } }));
    for (const [role, expected] of [
      ['owner', []],
      ['member', await asked(2)],
      ['viewer', []],
      ['admin', []],
      ['viewer', await asked(5)],
      ['owner', []],
    ] as const) {
      edge.sent.length = 0;
      expect((await asOwner('PATCH', `/members/${id}`, { role })()).status).toBe(200);
      expect(ended()).toEqual(expected);
    }
    edge.sent.length = 0;
    expect((await asOwner('DELETE', `/members/${id}`)()).status).toBe(200);
    expect(ended()).toEqual(await asked(FOR_GOOD));
  });

  describe('while billing does not say what was signed', () => {
    const away = () =>
      edge.answer('gate_raise', () => {
        throw unavailable('planning is unavailable', 2);
      });
    const back = () => edge.answer('gate_raise', () => ({ min_mandate_version: 0 }));

    test.each([
      ['key_revoke', async () => asOwner('POST', `/keys/${idOf('full')}/revoke`), 200],
      ['ops_key_revoke', async () => asOperator(`/keys/${idOf('full')}/revoke`, { reason: 'leaked' }), 200],
      [
        'key_report',
        async (): Promise<Send> => (idempotencyKey) =>
          ask(edge.url, '/api/keys/report', {
            method: 'POST',
            headers: idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey },
            body: { key: keyOf('full') },
          }),
        202,
      ],
      ['ops_brand_suspend', async () => asOperator(`/brands/${brandId}/suspend`, { reason: 'unpaid' }), 200],
      ['client_end', async () => asOwner('DELETE', `/clients/${(await client()).grant}`), 204],
      [
        'sessions_end',
        async () => {
          await client();
          return asOwner('DELETE', '/sessions?end_clients=true');
        },
        200,
      ],
      [
        'member_remove',
        async () => asOwner('DELETE', `/members/${await memberOf(await signIn(edge, brand, 'admin'))}`),
        200,
      ],
      [
        'member_change',
        async () =>
          asOwner('PATCH', `/members/${await memberOf(await signIn(edge, brand, 'admin'))}`, { role: 'member' }),
        200,
      ],
    ])(
      '%s is 503 though the right has ended, and the same request succeeds once it is known',
      async (_name, made, ok) => {
        const send = await made();
        const key = freshKey();
        away();
        expect(await send(key)).toMatchObject({ status: 503, json: { error: { code: 'unavailable' } } });
        expect(await send(key)).toMatchObject({ status: 503 });
        expect(await edge.deps.rightEnds.pending([])).not.toEqual([]);
        back();
        edge.sent.length = 0;
        expect((await send(key)).status).toBe(ok);
        expect(ended()).not.toEqual([]);
        expect(await edge.deps.rightEnds.pending([])).toEqual([]);
      },
    );

    test('a revoked key is refused meanwhile, and a sweep settles what nobody asks for again', async () => {
      away();
      expect((await asOwner('POST', `/keys/${idOf('full')}/revoke`)()).status).toBe(503);
      expect((await ask(edge.url, '/api/v1/inventory', { key: keyOf('full') })).status).toBe(401);
      const sweep = pendingRightEnds(edge.deps.rightEnds, new RowRunner(edge.shell.store, edge.shell.log));
      back();
      edge.sent.length = 0;
      expect(await sweep.run({} as never, null)).toBe(1);
      expect(ended()).toEqual(inLive(idOf('full'), { [`key:${idOf('full')}`]: FOR_GOOD }));
      expect(await sweep.run({} as never, null)).toBe(0);
    });

    test('another session of somebody who signs out everywhere has ended all the same', async () => {
      const stolen = await startSession(edge, owner.email);
      await client();
      away();
      expect((await asOwner('DELETE', '/sessions?end_clients=true')()).status).toBe(503);
      const statusOf = async (cookie: string) => (await ask(edge.url, '/api/brand/me', { cookie })).status;
      expect([await statusOf(stolen), await statusOf(owner.cookie)]).toEqual([401, 200]);
      back();
      expect((await asOwner('DELETE', '/sessions?end_clients=true')()).status).toBe(200);
    });

    test('a client that gives itself up has its answer only once it is known', async () => {
      const { begun, tokens } = await client();
      away();
      expect((await revoke(begun, tokens.refresh_token)).status).toBe(503);
      expect((await revoke(begun, tokens.refresh_token)).status).toBe(503);
      back();
      expect((await revoke(begun, tokens.refresh_token)).status).toBe(200);
      expect(await edge.deps.rightEnds.pending([])).toEqual([]);
    });

    test('a client that gives itself up by a token that it has used waits too', async () => {
      const { begun, tokens } = await client();
      expect((await refresh(begun, tokens.refresh_token)).status).toBe(200);
      away();
      for (const _try of [1, 2]) expect((await revoke(begun, tokens.refresh_token)).status).toBe(503);
      back();
      expect((await revoke(begun, tokens.refresh_token)).status).toBe(200);
      expect(await edge.deps.rightEnds.pending([])).toEqual([]);
    });

    test('a client that gives itself up asks for no end but its own', async () => {
      const [one, other] = [await client(), await client()];
      away();
      expect((await revoke(one.begun, one.tokens.access_token)).status).toBe(503);
      expect((await revoke(other.begun, 'cds_mcr_unknown')).status).toBe(200);
      expect((await revoke(other.begun, other.tokens.refresh_token)).status).toBe(503);
      back();
      edge.sent.length = 0;
      expect((await revoke(one.begun, one.tokens.access_token)).status).toBe(200);
      expect(ended()).toEqual(inLive(idOf('full'), { [`grant:${one.grant}`]: FOR_GOOD }));
      expect((await edge.deps.rightEnds.pending([])).map(({ right }) => right)).toEqual([`grant:${other.grant}`]);
    });
  });

  describe('a request names the rights that it depends on', () => {
    const standsOn = async (credential: { key?: string; cookie?: string }): Promise<Partial<Principal>> => {
      edge.sent.length = 0;
      expect((await ask(edge.url, '/api/v1/campaigns', credential)).status).toBe(200);
      return edge.sent.find(({ name }) => name === 'campaigns_list')?.ctx.principal ?? {};
    };
    const live = () => `workspace:${brand.workspaces.live}`;

    test('a key, its expiry, and its workspace', async () => {
      expect((await standsOn({ key: keyOf('full') })).rights).toEqual({ [`key:${idOf('full')}`]: 0, [live()]: 0 });
      const expires_at = new Date(Date.now() + 86_400_000).toISOString();
      await asOwner('PATCH', `/keys/${idOf('full')}`, { expires_at })();
      expect(await standsOn({ key: keyOf('full') })).toMatchObject({
        rights: { [`key:${idOf('full')}`]: 1 },
        until: expires_at,
      });
    });

    test('a child, its parent, and the expiry that comes first', async () => {
      const { key, secret } = await aChild();
      const child = await standsOn({ key: secret });
      expect(child.rights).toEqual({ [`key:${key.id}`]: 0, [`key:${idOf('full')}`]: 1, [live()]: 0 });
      const sooner = new Date(Date.now() + 3_600_000).toISOString();
      await asOwner('PATCH', `/keys/${idOf('full')}`, { expires_at: sooner })();
      expect((await standsOn({ key: secret })).until).toBe(sooner);
    });

    test('a client', async () => {
      const { tokens, grant }: { tokens: Tokens; grant: string } = await client();
      expect((await standsOn({ key: tokens.access_token })).rights).toEqual({
        [`key:${idOf('full')}`]: 0,
        [`grant:${grant}`]: 0,
        [live()]: 0,
      });
    });

    test('a person by the role of the membership, and a workspace by its suspensions', async () => {
      const id = await memberOf(owner);
      expect((await standsOn({ cookie: owner.cookie })).rights).toEqual({ [`member:${id}`]: 0, [live()]: 0 });
      await asOperator(`/brands/${brandId}/suspend`, { reason: 'unpaid' })();
      await asOperator(`/brands/${brandId}/reinstate`, { reason: 'paid' })();
      const { version } = (await edge.deps.brands.byId(brandId)) ?? {};
      expect((await standsOn({ cookie: owner.cookie })).rights).toEqual({ [`member:${id}`]: 0, [live()]: version });
    });
  });
});
