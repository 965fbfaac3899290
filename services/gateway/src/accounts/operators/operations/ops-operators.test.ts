import { randomUUID } from 'node:crypto';
import type { Operator } from '@cds/contracts';
import { describe, expect, it } from '@jest/globals';
import { OPS_TOKEN, RELAY_TOKEN } from '../../../test/edge-app.js';
import { ask, errorOf, freshKey, type HttpAnswer } from '../../../test/http.js';
import { cookieOf } from '../../../test/people.js';
import { testEdge } from '../../../test/suite.js';

/** The people of the operator's team (docs/domain/operators.md#operators). */
describe('a person of the operator’s team', () => {
  const edge = testEdge('ops_operators');

  const ops = (method: string, path: string, body?: unknown, cookie?: string): Promise<HttpAnswer> =>
    ask(edge.url, `/api/ops${path}`, {
      method,
      body,
      ...(cookie === undefined ? { key: OPS_TOKEN } : {}),
      headers: {
        'idempotency-key': freshKey(),
        ...(cookie === undefined ? {} : { cookie, origin: 'http://app.test' }),
      },
    });
  const make = (email: string, role = 'lead') => ops('POST', '/operators', { email, name: 'Grace', role });
  const invited = async (email: string): Promise<string> => {
    const sent = await ask(edge.url, '/api/relay/messages?limit=200', { key: RELAY_TOKEN });
    const { items } = sent.json as { items: { to: string; link: string | null }[] };
    return items.find(({ to, link }) => to === email && link !== null)?.link ?? '';
  };
  const signIn = async (email: string): Promise<HttpAnswer> => {
    const link = await invited(email);
    const token = link.slice(link.lastIndexOf('/') + 1);
    return ask(edge.url, '/api/ops/session', { method: 'POST', body: { token } });
  };

  it('signs in with the link of the invitation, and has the role', async () => {
    const made = await make('grace@team.example', 'network');
    expect(made).toMatchObject({
      status: 201,
      json: { email: 'grace@team.example', role: 'network', removed_at: null },
    });
    const session = await signIn('grace@team.example');
    expect(session.status).toBe(200);
    const cookie = cookieOf(session.headers);
    expect((await ops('GET', '/launches', undefined, cookie)).status).toBe(200);
    expect((await ops('GET', '/operators', undefined, cookie)).status).toBe(403);
  });

  it('is refused on the next request once removed, and can be taken back', async () => {
    await make('stays@team.example');
    const { id } = (await make('alan@team.example')).json as Operator;
    const cookie = cookieOf((await signIn('alan@team.example')).headers);
    expect((await ops('GET', '/operators', undefined, cookie)).status).toBe(200);
    expect(errorOf(await ops('DELETE', `/operators/${id}`, undefined, cookie)).details).toEqual({
      reason: 'bad_state',
    });
    expect(await ops('DELETE', `/operators/${id}`)).toMatchObject({
      status: 200,
      json: { removed_at: expect.any(String) },
    });
    expect((await ops('GET', '/operators', undefined, cookie)).status).toBe(401);
    expect(errorOf(await ops('DELETE', `/operators/${id}`)).details).toEqual({ reason: 'bad_state' });
    expect((await ops('DELETE', `/operators/${randomUUID()}`)).status).toBe(404);

    const again = await make('alan@team.example', 'viewer');
    expect(again).toMatchObject({ status: 201, json: { id, role: 'viewer', removed_at: null } });
    expect((await ops('GET', '/operators', undefined, cookie)).status).toBe(401);
  });

  it('is never the last lead that leaves: not when two remove each other, not by the configured token', async () => {
    const team = edge.people.operators.people.rows;
    await team.updateMany({ role: 'lead' }, { $set: { removed_at: new Date() } });
    for (let round = 0; round < 3; round += 1) {
      const ids: string[] = [];
      const cookies: string[] = [];
      for (const name of ['one', 'two']) {
        const email = `${name}-${round}@team.example`;
        ids.push(((await make(email)).json as Operator).id);
        cookies.push(cookieOf((await signIn(email)).headers));
      }
      await team.updateMany({ role: 'lead', _id: { $nin: ids } }, { $set: { removed_at: new Date() } });
      const both = await Promise.all(
        [0, 1].map((at) => ops('DELETE', `/operators/${ids[1 - at]}`, undefined, cookies[at])),
      );
      expect(both.filter(({ status }) => status === 200)).toHaveLength(1);
      const [left] = await team.find({ role: 'lead', removed_at: null }).toArray();
      const refused = await ops('DELETE', `/operators/${left?._id}`);
      expect([refused.status, errorOf(refused).details]).toEqual([409, { reason: 'bad_state' }]);
    }
  });

  it('is added once, however many leads add the address at once', async () => {
    const both = await Promise.all([make('once@team.example'), make('once@team.example')]);
    expect(both.map(({ status }) => status).sort((one, other) => one - other)).toEqual([201, 409]);
    expect(errorOf(await make('once@team.example')).details).toEqual({ reason: 'already_member' });
  });

  it('is listed page by page', async () => {
    type Page = { items: Operator[]; next: string | null };
    const all = (await ops('GET', '/operators')).json as Page;
    const first = (await ops('GET', '/operators?limit=1')).json as Page;
    const rest = (await ops('GET', `/operators?cursor=${first.next}`)).json as Page;
    expect([...first.items, ...rest.items]).toEqual(all.items);
    expect(all.items.map(({ email }) => email)).toContain('grace@team.example');
  });
});
