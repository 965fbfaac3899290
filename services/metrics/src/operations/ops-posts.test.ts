import { randomUUID } from 'node:crypto';
import { eventByName, type Input, type LineDispute, type OpsPost } from '@cds/contracts';
import { type Ctx, LostRace } from '@cds/service';
import { aCtx } from '@cds/service/testing';
import { describe, expect, it } from '@jest/globals';
import { aSignedLine, postUrlAt } from '../test/builders.js';
import { testPosts } from '../test/suite.js';
import { lineDispute, lineDisputes, opsDisputeDecide, opsDisputesList } from './disputes.js';
import { lineIntegrity } from './line-integrity.js';
import { opsLineGone, opsLineLook, opsLinePost, opsPostsList } from './ops-posts.js';
import { opsLineReadings, opsReadingsImport } from './ops-readings.js';
import { sandboxLinePost, sandboxLinePostChange } from './sandbox-line-post.js';

const reason = 'a test';

/** docs/domain/orders.md#proof, docs/domain/orders.md#remedies, docs/domain/operators.md#operators. */
describe('the team’s work on posts', () => {
  const world = testPosts();
  let now = '2026-12-02T12:00:00.000Z';

  const deps = () => {
    const clocks = { now: async () => new Date(now), read: async () => ({ of: () => new Date(now) }) };
    return { ...world.deps, clocks: clocks as never };
  };
  const done = <T>(decided: T) => world.done(decided);
  const booked = async (sandbox = false) => {
    now = '2026-12-02T12:00:00.000Z';
    const order = await world.booked({ sandbox, lines: [aSignedLine()] });
    return { ws: order.workspace, id: order.lines[0]?.line_id ?? '' };
  };
  const team = (): Ctx => aCtx({ now });
  const submit = async (id: string, over: Partial<Input<'ops_line_post'>> = {}): Promise<OpsPost> =>
    done(await opsLinePost(team(), { id, url: postUrlAt('2026-12-02T10:00:00.000Z'), reason, ...over }, deps()));
  const kindsOf = (id: string) => world.tasksOf(id);
  const chainOf = async (ws: string, id: string) =>
    lineIntegrity(aCtx({ workspace: ws }), { id }, world.deps) as Promise<{
      items: { kind: string }[];
      unbroken: boolean;
    }>;

  it('puts a submitted post live at once, and asks somebody to look at it', async () => {
    const { ws, id } = await booked();
    expect(await submit(id)).toMatchObject({
      status: 'live',
      proof_url: postUrlAt('2026-12-02T10:00:00.000Z'),
      published_at: '2026-12-02T10:00:00.000Z',
      disclosure: null,
    });
    expect((await world.emitted(id)).at(-1)).toMatchObject({ status: 'live', attempt: 1 });
    expect(await kindsOf(id)).toEqual(['post_to_look_at']);
    const { items, unbroken } = await chainOf(ws, id);
    expect([items.map(({ kind }) => kind), unbroken]).toEqual([['accepted'], true]);
    await expect(submit(id)).rejects.toMatchObject({ details: { reason: 'bad_state' } });
  });

  it('refuses another creator’s post, a post out of time and one that proves another line, unless forced', async () => {
    const [{ id }, other] = [await booked(), await booked()];
    const refusedUrl = { code: 'unprocessable', details: { problems: [{ field: 'url' }] } };
    await expect(submit(id, { url: 'https://example.com/demo_ada/status/1' })).rejects.toMatchObject(refusedUrl);
    const bea = postUrlAt('2026-12-02T09:00:00.000Z', 'demo_bea');
    await expect(submit(id, { url: bea })).rejects.toMatchObject(refusedUrl);
    await expect(submit(id, { url: postUrlAt('2026-11-01T00:00:00.000Z') })).rejects.toMatchObject(refusedUrl);
    await submit(other.id, { url: postUrlAt('2026-12-02T08:00:00.000Z') });
    await expect(submit(id, { url: postUrlAt('2026-12-02T08:00:00.000Z') })).rejects.toMatchObject(refusedUrl);
    expect(await submit(id, { url: bea, force_note: 'Her second account.' })).toMatchObject({ status: 'live' });
  });

  it('lets one of two lines have a post that is submitted for both at the same moment', async () => {
    const [{ id }, other] = [await booked(), await booked()];
    const input = { url: postUrlAt('2026-12-02T07:45:00.000Z'), reason };
    const [first, second] = [
      await opsLinePost(team(), { id, ...input }, deps()),
      await opsLinePost(team(), { id: other.id, ...input }, deps()),
    ];
    await done(first);
    await expect(done(second)).rejects.toBeInstanceOf(LostRace);
    await expect(opsLinePost(team(), { id: other.id, ...input }, deps())).rejects.toMatchObject({
      code: 'unprocessable',
    });
  });

  it('returns a rejected post to its creator, and blocks one that is not disclosed a day after the look', async () => {
    const { id } = await booked();
    await submit(id, { url: postUrlAt('2026-12-02T07:00:00.000Z') });
    expect(await done(await opsLineLook(team(), { id, verdict: 'rejected', reason }, deps()))).toMatchObject({
      status: 'booked',
      proof_url: null,
    });
    await submit(id, { url: postUrlAt('2026-12-02T07:30:00.000Z') });
    await done(await opsLineLook(team(), { id, verdict: 'accepted', reason }, deps()));
    await world.liveSweep('2026-12-03T12:00:00.000Z');
    expect((await world.emitted(id)).at(-1)).toMatchObject({ status: 'blocked', blocked_reason: 'no_disclosure' });
    expect(await kindsOf(id)).toEqual(['post_to_look_at', 'post_to_look_at', 'post_undisclosed']);
    expect(
      await done(await opsLineLook(team(), { id, verdict: 'accepted', disclosure: '#ad', reason }, deps())),
    ).toMatchObject({ status: 'live', disclosure: '#ad' });
  });

  it('proves a post by a reading after seven days, and asks about views that fell', async () => {
    const { id } = await booked();
    await submit(id, { url: postUrlAt('2026-12-02T06:00:00.000Z') });
    now = '2026-12-12T00:00:00.000Z';
    const read = async (captured_at: string, views: number) =>
      done(await opsLineReadings(team(), { id, captured_at, views, likes: 200, reason }, deps()));
    expect(await read('2026-12-03T06:00:00.000Z', 9_000)).toMatchObject({ status: 'live', readings: 1 });
    expect(await read('2026-12-09T06:00:00.000Z', 8_000)).toMatchObject({ status: 'completed', readings: 2 });
    expect(await kindsOf(id)).toEqual(['post_to_look_at', 'views_fell']);
    await expect(read('2026-12-09T06:00:00.000Z', 1)).rejects.toMatchObject({ code: 'conflict' });
    await expect(read('2026-12-02T05:59:59.000Z', 1)).rejects.toMatchObject({ code: 'unprocessable' });
    await expect(read('2026-12-12T00:00:01.000Z', 1)).rejects.toMatchObject({ code: 'unprocessable' });
  });

  it('takes no credit above what is left of the price of the line', async () => {
    const { id } = await booked();
    const credit = (amount_cents: number) =>
      opsLineGone(team(), { id, remedy: 'credit', amount_cents, reason }, deps());
    await expect(credit(60_001)).rejects.toMatchObject({ details: { problems: [{ field: 'amount_cents' }] } });
    expect(await done(await credit(60_000))).toMatchObject({ remedy: { amount_cents: 60_000 } });
  });

  it.each([
    ['replace', undefined, { kind: 'replace', cause: 'post_gone', amount_cents: null }],
    ['credit', 20_000, { kind: 'credit', cause: 'post_gone', amount_cents: 20_000 }],
  ] as const)('makes up for a removed post by %s', async (remedy, amount_cents, expected) => {
    const { ws, id } = await booked();
    await submit(id, { url: postUrlAt(`2026-12-02T0${remedy.length % 5}:00:00.000Z`) });
    const input = { id, remedy, reason, ...(amount_cents === undefined ? {} : { amount_cents }) };
    expect(await done(await opsLineGone(team(), input, deps()))).toMatchObject({
      status: 'blocked',
      blocked_reason: 'post_gone',
      remedy: expected,
    });
    expect((await chainOf(ws, id)).items.map(({ kind }) => kind)).toEqual(['accepted', 'deleted']);
    await expect(opsLineGone(team(), input, deps())).rejects.toMatchObject({ details: { reason: 'bad_state' } });
  });

  it('imports readings row by row, and the same rows once', async () => {
    const [one, other] = [await booked(), await booked()];
    const url = postUrlAt('2026-12-02T03:00:00.000Z');
    await submit(one.id, { url });
    await submit(other.id, { url: postUrlAt('2026-12-02T03:10:00.000Z') });
    now = '2026-12-12T00:00:00.000Z';
    const csv = [
      'line_id,url,captured_at,views,likes',
      `,${url},2026-12-03T00:00:00Z,9000,180`,
      `${one.id},,2026-12-10T00:00:00Z,8000,170`,
      `${other.id},,2026-12-13T00:00:00Z,1,1`,
      `${randomUUID()},,2026-12-10T00:00:00Z,1,1`,
      `${other.id},,2026-12-10T00:00:00Z,many,1`,
    ].join('\n');
    const answer = await done(await opsReadingsImport(team(), { csv, reason }, deps()));
    expect(answer).toMatchObject({
      added: 2,
      known: 0,
      refused: 3,
      rows: [
        { row: 1, line_id: one.id, outcome: 'added' },
        { row: 2, line_id: one.id, outcome: 'added' },
        {
          row: 3,
          line_id: other.id,
          outcome: 'refused',
          message: expect.stringMatching(/captured_at must be between/),
        },
        { row: 4, line_id: null, outcome: 'refused', message: 'No booked line has this post.' },
        { row: 5, line_id: null, outcome: 'refused', message: expect.stringMatching(/views must be/) },
      ],
    });
    expect((await world.emitted(one.id)).at(-1)).toMatchObject({
      status: 'completed',
      still_up_at: '2026-12-10T00:00:00.000Z',
    });
    expect(await world.readingsTaken(one.id)).toMatchObject([{ version: 1, snapshots: 2, latest: { views: 8_000 } }]);
    expect(await kindsOf(one.id)).toEqual(['post_to_look_at', 'views_fell']);
    expect(await world.readings.ofLine(one.ws, one.id)).toHaveLength(2);
    const rows = [{ line_id: one.id, captured_at: '2026-12-10T00:00:00Z', views: 8_000 }];
    const again = await done(await opsReadingsImport(team(), { rows, reason }, deps()));
    expect(again).toMatchObject({ added: 0, known: 1, refused: 0 });
    await expect(opsReadingsImport(team(), { reason }, deps())).rejects.toMatchObject({ code: 'unprocessable' });
    await expect(opsReadingsImport(team(), { csv: 'line_id', reason }, deps())).rejects.toMatchObject({
      details: { problems: [{ field: 'csv' }] },
    });
  });

  it('lists posts in pages, by status', async () => {
    const first = (await opsPostsList(team(), { limit: 2 }, deps())) as { items: OpsPost[]; next: string | null };
    expect(first.items).toHaveLength(2);
    const second = (await opsPostsList(team(), { limit: 200, cursor: first.next ?? '' }, deps())) as typeof first;
    const ids = [...first.items, ...second.items].map(({ line_id }) => line_id);
    expect(ids).toEqual([...ids].sort());
    expect(new Set(ids).size).toBe(ids.length);
    const live = (await opsPostsList(team(), { status: 'live' }, deps())) as typeof first;
    expect(new Set(live.items.map(({ status }) => status))).toEqual(new Set(['live']));
  });

  /** docs/domain/orders.md#claims. */
  describe('on claims', () => {
    const claim = async (ws: string, id: string, at = now) =>
      done(
        await lineDispute(
          aCtx({ workspace: ws, now: at }),
          { id, claim: 'not_as_agreed', text: 'It names a competitor.', evidence: ['https://example.com/shot.png'] },
          deps(),
        ),
      );

    it('decides once: money back for a proved post, and no other creator', async () => {
      const { ws, id } = await booked();
      await submit(id, { url: postUrlAt('2026-12-02T02:30:00.000Z') });
      now = '2026-12-12T00:00:00.000Z';
      await done(
        await opsLineReadings(team(), { id, captured_at: '2026-12-10T00:00:00.000Z', views: 1, reason }, deps()),
      );
      const made = await claim(ws, id);
      expect(made).toMatchObject({ state: 'open', due_at: '2026-12-17T00:00:00.000Z', remedy: null });
      await expect(claim(ws, id)).rejects.toMatchObject({ details: { reason: 'bad_state', id: made.id } });
      expect((await opsDisputesList(team(), {}, deps())) as { items: unknown[] }).toMatchObject({
        items: [{ id: made.id, workspace: ws }],
      });
      const decide = async (over: Partial<Input<'ops_dispute_decide'>>) =>
        opsDisputeDecide(team(), { id: made.id, remedy: 'credit', reason, ...over }, deps());
      await expect(decide({ remedy: 'makegood' })).rejects.toMatchObject({ code: 'unprocessable' });
      await expect(decide({ remedy: 'none', amount_cents: 1 })).rejects.toMatchObject({ code: 'unprocessable' });
      const beyond = { details: { problems: [{ field: 'amount_cents', message: expect.stringContaining('60000') }] } };
      await expect(decide({ amount_cents: 60_001 })).rejects.toMatchObject(beyond);
      expect(await done(await decide({ amount_cents: 15_000 }))).toMatchObject({
        state: 'decided',
        amount_cents: 15_000,
      });
      expect((await world.emitted(id)).at(-1)).toMatchObject({
        status: 'completed',
        remedy: { kind: 'credit', cause: 'dispute', amount_cents: 15_000 },
      });
      await expect(decide({})).rejects.toMatchObject({ details: { reason: 'bad_state' } });
      expect(await lineDisputes(aCtx({ workspace: ws }), { id }, world.deps)).toMatchObject({
        items: [{ id: made.id, state: 'decided', reason }],
      });
      await expect(lineDisputes(aCtx({ workspace: randomUUID() }), { id }, world.deps)).rejects.toMatchObject({
        code: 'not_found',
      });
    });

    it('tells who follows of each claim and its decision, without what the brand wrote (docs/domain/events.md#events)', async () => {
      const { ws, id } = await booked();
      const made = await claim(ws, id);
      const { line_id: _line, text: _text, evidence: _evidence, ...open } = made as LineDispute;
      expect((await world.emitted(id)).map(({ version, facts }) => [version, facts?.claims])).toEqual([[1, [open]]]);
      await done(await opsDisputeDecide(team(), { id: made.id, remedy: 'none', reason }, deps()));
      const decided = { ...open, state: 'decided', remedy: 'none', reason, decided_at: expect.any(String) };
      expect((await world.emitted(id)).slice(1)).toMatchObject([{ version: 2, facts: { claims: [decided] } }]);
    });
  });

  /** docs/domain/orders.md#integrity. */
  describe('in the fake network', () => {
    const played = async () => {
      const { ws, id } = await booked(true);
      const ctx = aCtx({ workspace: ws, sandbox: true, now: '2026-12-01T08:00:00.000Z' });
      await done(await sandboxLinePost(ctx, { id, when: 'now', disclosure: 'now' }, world.deps));
      const changeIt = async (change: Input<'sandbox_line_post_change'>['change'], at = '2026-12-01T09:00:00.000Z') =>
        done(await sandboxLinePostChange(aCtx({ workspace: ws, sandbox: true, now: at }), { id, change }, world.deps));
      return { ws, id, changeIt };
    };

    it.each([
      ['edit', 'edited', undefined],
      ['delete', 'deleted', 'post_gone'],
      ['hide_disclosure', 'disclosure_hidden', 'no_disclosure'],
      ['inflate', 'inflated', undefined],
    ] as const)('%s is seen, with what was before and after', async (how, kind, blocked_reason) => {
      const { ws, id, changeIt } = await played();
      const { items, unbroken } = await changeIt(how);
      expect([items.map((item) => item.kind), unbroken]).toEqual([['accepted', kind], true]);
      const [accepted, changed] = items;
      expect(changed?.before).toEqual(accepted?.after);
      expect(changed?.after?.digest).not.toBe(changed?.before?.digest);
      const emitted = await world.emitted(id);
      expect(emitted.map(({ version }) => version)).toEqual(emitted.map((_one, at) => at + 1));
      const { seq, at, hash } = changed ?? {};
      expect(emitted.at(-1)?.facts).toMatchObject({
        integrity: { seq, kind, at, hash },
        listed: how !== 'delete',
        disclosed: how !== 'hide_disclosure',
      });
      await world.jump(ws, '2026-12-02T10:00:00.000Z');
      const blocked = (await world.emitted(id)).find(({ status }) => status === 'blocked');
      expect(blocked?.blocked_reason).toBe(blocked_reason);
    });

    it('a line plays 30 entries; another change is refused', async () => {
      const { changeIt } = await played();
      for (let entries = 2; entries <= 30; entries += 1) expect((await changeIt('edit')).items).toHaveLength(entries);
      await expect(changeIt('edit')).rejects.toMatchObject({ details: { reason: 'bad_state' } });
    });

    it('inflates a post three times, after which its views are still a count that consumers read', async () => {
      const { ws, id, changeIt } = await played();
      for (const hour of ['09', '10', '11']) await changeIt('inflate', `2026-12-01T${hour}:00:00.000Z`);
      await expect(changeIt('inflate', '2026-12-01T12:00:00.000Z')).rejects.toMatchObject({
        details: { reason: 'bad_state' },
      });
      await world.jump(ws, '2027-01-20T00:00:00.000Z');
      const { payload } = eventByName('reading.taken');
      const refused = (await world.readingsTaken(id)).filter((taken) => !payload.safeParse(taken).success);
      expect(refused).toEqual([]);
      expect(await world.posts.byLine(ws, id)).toMatchObject({ inflated_by: 8_000, status: 'completed' });
    });
  });
});
