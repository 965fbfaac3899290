import { randomUUID } from 'node:crypto';
import type { OperationName } from '@cds/contracts';
import { bindHandlers, type Ctx, commandId, requestFingerprint, runOperation } from '@cds/service';
import { aCtx, RACE_ROUNDS, RACE_TIMEOUT_MS } from '@cds/service/testing';
import { describe, expect, it } from '@jest/globals';
import { brokenAt } from '../domain/integrity.js';
import * as handlers from '../handlers.js';
import { aSignedLine, postUrlAt } from '../test/builders.js';
import { testPosts } from '../test/suite.js';

type Answer = { ok: true; value: { id: string } } | { ok: false; error: { code: string; details?: object } };

/** docs/domain/orders.md#remedies: of a remedy and anything else that happens to a line, the first counts. */
describe('a post that two change at the same moment', () => {
  const world = testPosts();
  let now = '';
  let posts = 0;

  const run = async (name: OperationName, ctx: Ctx, input: object): Promise<Answer> => {
    const deps = { ...world.deps, clocks: { now: async () => new Date(now) } };
    const bound = bindHandlers('metrics', handlers, deps).get(name);
    if (bound === undefined) throw new Error(name);
    const result = await runOperation(world.shell, bound, ctx, input as never).catch((error) => ({
      ok: false as const,
      error: error.body() as { code: string },
    }));
    if ('value' in result) return { ok: true, value: result.value as never };
    return result.ok ? { ok: true, value: JSON.parse(result.json.toString()) } : result;
  };
  const command = (name: OperationName, input: object): Ctx['command'] => ({
    id: commandId('key', randomUUID()),
    fp: requestFingerprint(name, input as never),
  });
  const team = (name: OperationName, given: object): Promise<Answer> => {
    const input = { reason: 'a race', ...given };
    const ctx = aCtx({ workspace: '', now, command: command(name, input) });
    const operator = { id: 'one', name: 'One', role: 'fulfilment' as const };
    return run(name, { ...ctx, principal: { ...ctx.principal, audience: 'operator', key: '', operator } }, input);
  };
  const brand = (ws: string, name: OperationName, input: object): Promise<Answer> =>
    run(name, aCtx({ workspace: ws, now, command: command(name, input) }), input);

  /** A line whose post was submitted and is live. */
  const live = async (sandbox = false, disclosure?: string): Promise<{ ws: string; id: string }> => {
    const order = await world.booked({ sandbox, lines: [aSignedLine()] });
    const id = order.lines[0]?.line_id ?? '';
    now = '2026-12-02T12:00:00.000Z';
    posts += 1;
    const url = postUrlAt('2026-12-02T10:00:00.000Z', 'demo_ada', posts);
    const answer = await team('ops_line_post', { id, url, ...(disclosure === undefined ? {} : { disclosure }) });
    expect(answer).toMatchObject({ ok: true });
    return { ws: order.workspace, id };
  };
  const claimOn = async ({ ws, id }: { ws: string; id: string }): Promise<string> => {
    const answer = await brand(ws, 'line_dispute', { id, claim: 'not_as_agreed', text: 'It names a competitor.' });
    if (!answer.ok) throw new Error(answer.error.code);
    return answer.value.id;
  };
  /** Runs both: each of them first in a third of the rounds, and at the same moment in the others. */
  const raced = async <A, B>(round: number, one: () => Promise<A>, other: () => Promise<B>): Promise<[A, B]> => {
    if (round % 3 === 2) return Promise.all([one(), other()]);
    if (round % 3 === 0) return [await one(), await other()];
    const second = await other();
    return [await one(), second];
  };
  const eachRound = async (play: (round: number) => Promise<'one' | 'other'>): Promise<void> => {
    const wins = { one: 0, other: 0 };
    for (let round = 0; round < RACE_ROUNDS; round += 1) {
      const won = await play(round);
      if (round % 3 < 2) expect(won).toBe(round % 3 === 0 ? 'one' : 'other');
      wins[won] += 1;
    }
    expect(Math.min(wins.one, wins.other)).toBeGreaterThanOrEqual(Math.floor(RACE_ROUNDS / 3));
  };
  const postOf = async ({ ws, id }: { ws: string; id: string }) => {
    const post = await world.posts.byLine(ws, id);
    expect(brokenAt(await world.deps.integrity.ofLine(ws, id))).toBeNull();
    const versions = (await world.emitted(id)).map(({ version }) => version);
    expect(versions).toEqual(versions.map((_version, place) => place + 1));
    return post;
  };
  const refused = { ok: false, error: { code: 'conflict', details: { reason: 'bad_state' } } };

  it(
    'has its remedy or goes back to its creator first, when a claim is decided and a look rejects it',
    () =>
      eachRound(async (round) => {
        const of = await live();
        const id = await claimOn(of);
        const [decided, looked] = await raced(
          round,
          () => team('ops_dispute_decide', { id, remedy: 'credit' }),
          () => team('ops_line_look', { id: of.id, verdict: 'rejected' }),
        );
        // A rejected post leaves the line in progress, so its claim is still decided; after a remedy no look counts.
        expect(decided).toMatchObject({ ok: true });
        if (!looked.ok) expect(looked).toMatchObject(refused);
        expect(await postOf(of)).toMatchObject({
          remedy: { kind: 'credit', cause: 'dispute' },
          status: looked.ok ? 'booked' : 'live',
          claims: [{ decided: { remedy: 'credit' } }],
        });
        return looked.ok ? 'other' : 'one';
      }),
    RACE_TIMEOUT_MS,
  );

  it(
    'has its remedy or continues, when the remedy is due and somebody sees the disclosure',
    () =>
      eachRound(async (round) => {
        const of = await live(true);
        await team('ops_line_look', { id: of.id, verdict: 'accepted' });
        await world.jump(of.ws, '2026-12-03T12:00:00.000Z');
        const blocked = await postOf(of);
        expect(blocked).toMatchObject({ status: 'blocked', blocked_reason: 'no_disclosure' });
        now = blocked?.remedy_at?.toISOString() ?? '';
        const [, looked] = await raced(
          round,
          () => world.jump(of.ws, now),
          () => team('ops_line_look', { id: of.id, verdict: 'accepted', disclosure: '#ad' }),
        );
        const post = await postOf(of);
        if (!looked.ok) expect(looked).toMatchObject(refused);
        expect(post).toMatchObject(
          looked.ok
            ? { status: 'live', disclosure: '#ad' }
            : { status: 'blocked', disclosure: null, remedy: { cause: 'no_disclosure' } },
        );
        if (looked.ok) expect(post?.remedy ?? null).toBeNull();
        return looked.ok ? 'other' : 'one';
      }),
    RACE_TIMEOUT_MS,
  );

  it(
    'is replaced or proved, when a claim asks for another creator and a reading completes it',
    () =>
      eachRound(async (round) => {
        const of = await live(false, '#ad');
        const id = await claimOn(of);
        now = '2026-12-09T12:00:00.000Z';
        const [decided, read] = await raced(
          round,
          () => team('ops_dispute_decide', { id, remedy: 'makegood' }),
          () => team('ops_line_readings', { id: of.id, captured_at: '2026-12-09T11:00:00.000Z', views: 9_000 }),
        );
        expect([decided.ok, read.ok].filter(Boolean)).toHaveLength(1);
        if (!read.ok) expect(read).toMatchObject(refused);
        if (!decided.ok) expect(decided).toMatchObject({ error: { code: 'unprocessable' } });
        expect(await world.readings.ofLine(of.ws, of.id)).toHaveLength(read.ok ? 1 : 0);
        const post = await postOf(of);
        expect(post).toMatchObject(
          read.ok ? { status: 'completed', claims: [{ decided: null }] } : { remedy: { kind: 'replace' } },
        );
        return read.ok ? 'other' : 'one';
      }),
    RACE_TIMEOUT_MS,
  );
});
