import { randomUUID } from 'node:crypto';
import { LIMITS, LimitPools, type PrincipalParent } from '@cds/contracts';
import type { Ctx } from '@cds/service';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { bookRead } from '../metering/book-read.js';
import { anId } from '../test/builders.js';
import { aRequest } from '../test/network.js';
import { testNetwork } from '../test/suite.js';
import { readLimits } from './read-limits.js';

describe('read_limits', () => {
  const network = testNetwork('read_limits');
  beforeAll(async () => {
    await network.store.migrate();
  });

  type Caller = { workspace: string; key: string; readsWorkspace: string };
  const requestOf = ({ parent, ...caller }: Caller & { parent?: PrincipalParent }): Ctx => {
    const ctx = aRequest(caller);
    return parent === undefined ? ctx : { ...ctx, principal: { ...ctx.principal, parent } };
  };
  const left = async (caller: Parameters<typeof requestOf>[0]) => {
    const answer = LimitPools.parse(await readLimits(requestOf(caller), {}, network));
    return Object.fromEntries(
      answer.limits.map((pool) => [`${pool.name} ${pool.scope}${pool.creator_id ?? ''}`, pool]),
    );
  };

  it('reads what bookings left, and books nothing itself', async () => {
    const caller = { workspace: randomUUID(), key: randomUUID(), readsWorkspace: '' };
    const before = await left(caller);
    expect(before['daily_seen workspace']).toMatchObject({ limit: 300, left: 300 });
    expect(before['daily_limit workspace']).toMatchObject({ limit: 20, per_creator: 3, left: 20 });

    await bookRead(requestOf(caller), network.meters, { kind: 'list', creators: [anId(1), anId(2), anId(3)] });
    await bookRead(requestOf(caller), network.meters, { kind: 'open', creators: [anId(3)] });
    await bookRead(requestOf(caller), network.meters, { kind: 'ask', creators: [anId(4)], askId: randomUUID() });

    const pools = await left(caller);
    expect(pools['per_minute key']?.left).toBe(18);
    expect(pools['daily_lists key']?.left).toBe(59);
    expect(pools['daily_reveals key']?.left).toBe(58);
    expect(pools['locked key']).toMatchObject({ left: 38, refills: 'one_by_one' });
    expect(pools['daily_seen workspace']?.left).toBe(296);
    expect(pools['daily_limit workspace']?.left).toBe(19);
    expect(pools[`daily_limit workspace${anId(4)}`]).toMatchObject({ limit: 3, left: 2 });
    expect(pools[`daily_limit workspace${anId(4)}`]).not.toHaveProperty('per_creator');
    expect(await left(caller)).toEqual(pools);

    const others = await left({ ...caller, key: randomUUID() });
    expect(others['daily_lists key']?.left).toBe(60);
    expect(others['daily_lists brand']?.left).toBe(59);
  });

  it('shows a person its own limits and the pool of views, and none of the keys’', async () => {
    const ctx = aRequest({ workspace: randomUUID(), key: randomUUID() });
    const signedIn: Ctx = { ...ctx, principal: { ...ctx.principal, person: { id: randomUUID(), role: 'viewer' } } };
    const { limits } = LimitPools.parse(await readLimits(signedIn, {}, network));
    expect(limits.map(({ name, scope }) => [name, scope])).toEqual([
      ...['per_minute', 'locked', 'daily_lists', 'daily_reveals'].map((name) => [name, 'session']),
      ['daily_seen', 'workspace'],
      ['daily_limit', 'workspace'],
    ]);
  });

  it('counts a child on its parent, and a sandbox’s price requests apart', async () => {
    const live = { workspace: randomUUID(), key: randomUUID(), readsWorkspace: '' };
    const child = { ...live, key: randomUUID(), parent: { key: live.key, monthly_cap_cents: 0, mandate_version: 0 } };
    const sandbox = { workspace: randomUUID(), key: randomUUID(), readsWorkspace: live.workspace };
    const asks = () => ({ kind: 'ask' as const, creators: [anId(9)], askId: randomUUID() });
    await bookRead(requestOf(child), network.meters, asks());
    await bookRead(requestOf(sandbox), network.meters, asks());

    for (const name of ['per_minute', 'locked', 'daily_lists', 'daily_reveals'] as const)
      expect(LIMITS[name].scopes).toContain('parent');
    expect((await left(child))['daily_reveals parent']?.left).toBe(59);
    expect((await left(live))['daily_reveals key']?.left).toBe(59);
    for (const caller of [live, sandbox]) expect((await left(caller))['daily_limit workspace']?.left).toBe(19);
    expect((await left(live))['daily_reveals brand']?.left).toBe(59);
  });
});
