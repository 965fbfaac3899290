import { createSecretKey, randomUUID } from 'node:crypto';
import type { CreatorPost, CreatorProposal, Input, OperationName, OpsProposal } from '@cds/contracts';
import { proves } from '@cds/contracts/testing';
import { bindHandlers, type Ctx, commandId, requestFingerprint, runOperation } from '@cds/service';
import { aCtx, RACE_ROUNDS, RACE_TIMEOUT_MS } from '@cds/service/testing';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { linkTokenOf } from '../domain/creator-link.js';
import * as handlers from '../handlers.js';
import { anOrder, aPostChange, aReplacement, aSignedLine } from '../test/builders.js';
import { testOffers } from '../test/suite.js';

const PAID_AT = '2026-11-21T12:00:00.000Z';
const LATER = '2026-11-21T15:00:00.000Z';
const links = { 1: createSecretKey(Buffer.alloc(32, 5)) };
const GUIDELINES = {
  pitch: 'Waters your plants while you travel.',
  key_messages: ['It is quiet.'],
  references: ['https://example.com/orbit'],
  voice: 'Dry.',
  dos: ['Show it.'],
  donts: ['No prices.'],
};

type Answer =
  | { ok: true; value: CreatorProposal & OpsProposal }
  | { ok: false; error: { code: string; details?: object } };

/** docs/domain/pages.md#creator-links, docs/domain/operators.md#operators, docs/domain/orders.md#proposals. */
describe('the creator’s side of proposals', () => {
  const world = testOffers();
  let deps: object;
  /** What metrics answers about posts, by line. */
  const posts = new Map<string, CreatorPost>();

  beforeAll(() => {
    deps = {
      appUrl: 'https://app.test',
      shell: world.shell,
      offers: world.offers,
      clocks: world.clocks,
      links,
      calls: {
        creator_brief: async () => ({
          company: 'Acme',
          product: 'Orbit',
          guidelines: GUIDELINES,
          launch_post_url: 'https://x.com/acme/status/7',
        }),
        creator_terms: async (_ctx: Ctx, { unit_id }: { unit_id: string | null }) => ({
          payout_cents: unit_id === null ? null : 45_000,
          proposals: 'open',
        }),
        creator_post_read: async (_ctx: Ctx, { line_id, attempt }: { line_id: string; attempt: number }) => ({
          post: attempt === 1 ? (posts.get(line_id) ?? null) : null,
        }),
        identity_reveal: async (_ctx: Ctx, { creator_ids }: { creator_ids: string[] }) => ({
          creators: creator_ids.map((id) => ({ creator_id: id, handle: `h_${id.slice(0, 4)}`, url: '' })),
        }),
      },
    };
  });

  /** A live order of one line that was just paid; its proposal is `sending`. */
  const paid = async (format: 'post' | 'quote' = 'post') => {
    const order = anOrder({ sandbox: false, lines: [aSignedLine({ scheduled_date: '2026-12-05', format })] });
    await world.deliver(world.consumers.order, order);
    const lineId = order.lines[0]?.line_id ?? '';
    const row = await world.offers.proposals.findOne({ line_id: lineId });
    return { order, ws: order.workspace, lineId, id: row?._id ?? '' };
  };
  const run = async (name: OperationName, ctx: Ctx, input: object): Promise<Answer> => {
    const bound = bindHandlers('proposals', handlers, deps).get(name);
    if (bound === undefined) throw new Error(name);
    const result = await runOperation(world.shell, bound, ctx, input as never).catch((error) => ({
      ok: false as const,
      error: error.body() as { code: string },
    }));
    if ('value' in result) return { ok: true, value: result.value as never };
    return result.ok ? { ok: true, value: JSON.parse(result.json.toString()) } : result;
  };
  type Paid = Awaited<ReturnType<typeof paid>>;
  const asCreator = ({ ws, id, lineId }: Paid, now: string, command: Ctx['command'] = null): Ctx => {
    const ctx = aCtx({ workspace: ws, now, command, mandate: null });
    const creator = { id: randomUUID(), proposal: id, line: lineId, attempt: 1 };
    return { ...ctx, principal: { ...ctx.principal, audience: 'creator', key: '', scopes: [], creator } };
  };
  const creator = (of: Paid, name: OperationName, input: object = {}, now = LATER) =>
    run(name, asCreator(of, now), input);
  const operator = (
    name: OperationName,
    input: object,
    role: 'viewer' | 'fulfilment' | 'lead' = 'fulfilment',
    key: string = randomUUID(),
  ) => {
    const ctx = aCtx({
      workspace: '',
      command: { id: commandId('ops', key), fp: requestFingerprint(name, input as never) },
    });
    const operated = { id: 'one', name: 'One', role };
    return run(
      name,
      { ...ctx, principal: { ...ctx.principal, audience: 'operator', key: '', operator: operated } },
      input,
    );
  };
  /** A proposal with a delivered message, open until the named moment. */
  const sent = async (until?: string) => {
    const of = await paid();
    await operator('ops_proposal_sent', { id: of.id, reason: 'sent' });
    const at = { expires_at: new Date(until ?? 0), due_at: new Date(until ?? 0) };
    if (until !== undefined) await world.offers.proposals.updateOne({ _id: of.id }, { $set: at });
    return of;
  };
  const rowOf = (id: string) => world.offers.proposals.findOne({ _id: id });
  const eventOf = async (lineId: string) => (await world.emitted(lineId)).at(-1);
  const refusal = (reason: string) => ({ ok: false, error: { code: 'conflict', details: { reason } } });
  const tokenOf = (id: string, number = 1) => linkTokenOf(links, { id, number });
  const open = (token: string) => run('creator_link', aCtx(), { token });

  it('names the post to quote to whoever quotes it, on the page and in the message', async () => {
    const url = 'https://x.com/acme/status/7';
    for (const [format, said] of [
      ['quote', url],
      ['post', null],
    ] as const) {
      const of = await paid(format);
      const sent = await operator('ops_proposal_sent', { id: of.id, reason: 'sent' });
      expect(await creator(of, 'creator_proposal')).toMatchObject({ value: { launch_post_url: said } });
      expect(String((sent as { value?: { text?: string } }).value?.text).includes(url)).toBe(said !== null);
    }
  });

  it('shows what is asked, by whom, for how much and until when, and the guidelines only once accepted', async () => {
    proves('guidelines.read-with-proposal', 'guidelines.read-once-accepted');
    const of = await sent();
    expect(await creator(of, 'creator_proposal')).toEqual({
      ok: true,
      value: {
        state: 'open',
        may: ['accept', 'decline'],
        sandbox: false,
        expires_at: expect.any(String),
        company: 'Acme',
        product: 'Orbit',
        channel: 'x_creators',
        format: 'post',
        deliverable: 'One post on X',
        date: '2026-12-05',
        booked: false,
        window: { start: '2026-12-01', end: '2026-12-20' },
        payout_cents: 45_000,
        payout_state: 'not_due',
        launch_post_url: null,
        pitch: GUIDELINES.pitch,
        dos: GUIDELINES.dos,
        donts: GUIDELINES.donts,
        guidelines: null,
        post: null,
        decline_reason: null,
        proposals: 'open',
      },
    });
    expect(await creator(of, 'creator_accept', { date: '2026-12-06' })).toMatchObject({
      value: { state: 'booked', may: ['post'], date: '2026-12-06', booked: true, guidelines: GUIDELINES },
    });
    expect(await eventOf(of.lineId)).toMatchObject({ booked: true, proposal: { state: 'accepted' } });
  });

  it('shows the post of a booked day, what the creator may do with it, and nothing of it once the place is over', async () => {
    const of = await paid();
    const post: CreatorPost = {
      status: 'live',
      needs: null,
      needs_by: null,
      url: 'https://x.com/h/status/1',
      published_at: LATER,
      disclosure: '#ad',
      readings: [],
      may: ['analytics'],
    };
    posts.set(of.lineId, post);
    expect(await creator(of, 'creator_proposal')).toMatchObject({ value: { post: null } });
    await creator(of, 'creator_accept', { date: '2026-12-06' });
    expect(await creator(of, 'creator_proposal')).toMatchObject({ value: { post, may: ['analytics'] } });
    posts.delete(of.lineId);
    expect(await creator(of, 'creator_proposal')).toMatchObject({ value: { post: null, may: ['post'] } });
    posts.set(of.lineId, post);
    await operator('ops_proposal_decline', { id: of.id, because: 'timing', reason: 'ill' });
    expect(await creator(of, 'creator_proposal')).toMatchObject({ value: { post: null, may: [] } });
  });

  it('opens with the token alone, and counts as delivered once it is opened', async () => {
    const of = await paid();
    const opened = { workspace: of.ws, sandbox: false, proposal_id: of.id, line_id: of.lineId, attempt: 1 };
    expect(await open(tokenOf(of.id))).toMatchObject({ value: { ...opened, undelivered: true } });
    const noted = { proposal_id: of.id };
    for (const _again of [1, 2]) expect(await run('creator_link_opened', aCtx(), noted)).toMatchObject({ ok: true });
    const row = await rowOf(of.id);
    expect(row?.state).toBe('sent');
    expect((row?.expires_at?.getTime() ?? 0) - (row?.sent_at?.getTime() ?? 0)).toBe(48 * 3_600_000);
    expect(await world.emitted(of.lineId)).toHaveLength(2);
    expect(await open(tokenOf(of.id))).toMatchObject({ value: { undelivered: false } });
    expect(await open(tokenOf(randomUUID()))).toMatchObject({ error: { code: 'not_found' } });
  });

  it('takes an answer once, and tells the same one again under its Idempotency-Key', async () => {
    const of = await paid();
    const command = { id: commandId(`creator:${of.id}`, 'key-of-a-form'), fp: 'x' };
    const first = await run('creator_accept', asCreator(of, LATER, command), {});
    expect(first).toMatchObject({ value: { state: 'accepted', may: ['date', 'withdraw'] } });
    expect(await run('creator_accept', asCreator(of, LATER, command), {})).toMatchObject({
      value: { state: 'accepted' },
    });
    expect(await creator(of, 'creator_accept')).toMatchObject(refusal('already_answered'));
    expect(await creator(of, 'creator_date', { date: '2026-12-21' })).toMatchObject(refusal('bad_dates'));
    expect(await creator(of, 'creator_date', { date: '2026-12-07' })).toMatchObject({ value: { state: 'booked' } });
    expect(await creator(of, 'creator_date', { date: '2026-12-08' })).toMatchObject(refusal('date_booked'));
    expect(await creator(of, 'creator_withdraw', { reason: 'timing' })).toMatchObject(refusal('date_booked'));
  });

  it('is declined with a reason and a note that only the team reads, and withdrawn before a day is booked', async () => {
    const of = await paid();
    expect(await creator(of, 'creator_withdraw', { reason: 'fit' })).toMatchObject(refusal('not_accepted'));
    expect(await creator(of, 'creator_decline', { reason: 'price', note: 'Double it.' })).toMatchObject({
      value: { state: 'declined', decline_reason: 'price', guidelines: null, pitch: '' },
    });
    expect(await rowOf(of.id)).toMatchObject({ decline_note: 'Double it.', search: { next_at: new Date(LATER) } });

    const other = await paid();
    await creator(other, 'creator_accept');
    expect(await creator(other, 'creator_withdraw', { reason: 'timing' })).toMatchObject({
      value: { state: 'declined' },
    });
    expect(await eventOf(other.lineId)).toMatchObject({ booked: false, proposal: { state: 'declined' } });
  });

  it('accepts late while the place is free, and after that tells that someone else has it', async () => {
    const free = await sent(LATER);
    expect(await creator(free, 'creator_decline', {}, LATER)).toMatchObject(refusal('closed'));
    expect(await creator(free, 'creator_accept', {}, LATER)).toMatchObject({ value: { state: 'accepted' } });

    const taken = await paid();
    world.found.candidates = [aReplacement()];
    await world.liveSweep('2026-11-22T12:00:00.000Z');
    world.found.candidates = [];
    expect(await rowOf(taken.id)).toMatchObject({ state: 'no_reply', open: false });
    const after = await creator(taken, 'creator_proposal', {}, '2026-11-22T13:00:00.000Z');
    expect(after).toMatchObject({ value: { deliverable: null, date: null, payout_cents: null, pitch: '', may: [] } });
    expect(await creator(taken, 'creator_accept', {}, '2026-11-22T13:00:00.000Z')).toMatchObject({
      error: { message: 'This place has been given to someone else.', details: { reason: 'replaced' } },
    });
  });

  it(
    'has one winner when an acceptance, a refusal and the expiry meet, and the loser reads why',
    async () => {
      for (let round = 0; round < RACE_ROUNDS; round += 1) {
        const isLate = round % 2 === 0;
        const of = await sent(isLate ? LATER : undefined);
        const answers = await Promise.all([
          creator(of, 'creator_accept'),
          creator(of, 'creator_decline', { reason: 'fit' }),
          world.liveSweep(LATER),
        ]);
        const [accepted, declined] = answers;
        const lost = accepted.ok ? declined : accepted;
        expect([accepted.ok, declined.ok].filter(Boolean)).toHaveLength(1);
        // A late refusal never wins; it meets the expiry or the acceptance.
        if (isLate) expect(accepted.ok).toBe(true);
        const reasons = isLate ? ['closed', 'already_answered'] : ['already_answered'];
        expect(reasons).toContain(('error' in lost && (lost.error.details as { reason: string }).reason) || '');
        expect(await rowOf(of.id)).toMatchObject(accepted.ok ? { state: 'accepted' } : { decline_reason: 'fit' });
      }
    },
    RACE_TIMEOUT_MS,
  );

  it(
    'has one winner when a late acceptance meets the search for somebody else',
    async () => {
      const wins = { creator: 0, search: 0 };
      for (let round = 0; round < RACE_ROUNDS; round += 1) {
        const of = await sent(PAID_AT);
        world.found.candidates = [aReplacement()];
        // Each comes first in a third of the rounds, and chance decides in the others.
        if (round % 3 === 1) await world.liveSweep(LATER);
        const accepting = creator(of, 'creator_accept');
        if (round % 3 === 0) await accepting;
        const [answer] = await Promise.all([accepting, world.liveSweep(LATER)]);
        if (round % 3 < 2) expect(answer.ok).toBe(round % 3 === 0);
        wins[answer.ok ? 'creator' : 'search'] += 1;
        const rows = await world.offers.proposals.find({ line_id: of.lineId }).sort({ attempt: 1 }).toArray();
        expect(rows.map(({ state }) => state)).toEqual(answer.ok ? ['accepted'] : ['no_reply', 'sending']);
        if (!answer.ok) expect(answer.error).toMatchObject({ details: { reason: 'replaced' } });
      }
      world.found.candidates = [];
      expect(Math.min(wins.creator, wins.search)).toBeGreaterThanOrEqual(Math.floor(RACE_ROUNDS / 3));
    },
    RACE_TIMEOUT_MS,
  );

  it.each(['cancelled', 'refunded'] as const)(
    'never outlives its order, %s while it is accepted',
    async (state) => {
      for (let round = 0; round < RACE_ROUNDS; round += 1) {
        const of = await sent();
        const end = { ...of.order, version: 3, payment_state: state, [`${state}_at`]: LATER };
        const [answer] = await Promise.all([
          creator(of, 'creator_accept'),
          world.deliver(world.consumers.order, end as typeof of.order),
        ]);
        if (!answer.ok) expect(answer.error).toMatchObject({ details: { reason: 'closed' } });
        const line = await world.offers.lines.findOne({ _id: of.lineId });
        expect([line?.cancelled, (await rowOf(of.id))?.open]).toEqual([true, false]);
      }
    },
    RACE_TIMEOUT_MS,
  );

  it(
    'has one order of events when a silent creator accepts late and the team declines for it',
    async () => {
      for (let round = 0; round < RACE_ROUNDS; round += 1) {
        const of = await sent(PAID_AT);
        await world.liveSweep(LATER);
        const [accepted, withdrawn] = await Promise.all([
          creator(of, 'creator_accept'),
          operator('ops_proposal_decline', { id: of.id, because: 'fit', reason: 'By message.' }),
        ]);
        const row = await rowOf(of.id);
        if (!accepted.ok) expect(accepted.error).toMatchObject({ details: { reason: 'already_answered' } });
        // The team may end an acceptance, so both can be done, one after the other, but never neither.
        expect(accepted.ok || withdrawn.ok).toBe(true);
        expect(row?.state).toBe(withdrawn.ok ? 'declined' : 'accepted');
      }
    },
    RACE_TIMEOUT_MS,
  );

  it('closes with its line, and the link ends 30 days after', async () => {
    const of = await paid();
    const cancelled_at = '2026-11-22T12:00:00.000Z';
    const cancelled = { ...of.order, version: 3, payment_state: 'cancelled' as const, cancelled_at };
    await world.deliver(world.consumers.order, cancelled);
    expect(await creator(of, 'creator_accept')).toMatchObject(refusal('closed'));
    expect(await open(tokenOf(of.id))).toMatchObject({ value: { undelivered: false } });
    await world.offers.proposals.updateOne({ _id: of.id }, { $set: { withdrawn_at: new Date('2020-01-01') } });
    expect(await open(tokenOf(of.id))).toMatchObject({ error: { code: 'not_found' } });
  });

  it('refuses who has no link', async () => {
    expect(await run('creator_proposal', aCtx(), {})).toMatchObject({ error: { code: 'unauthorized' } });
  });

  describe('for the operator’s team', () => {
    const listed = async (input: Input<'ops_proposals_list'>, role?: 'viewer' | 'lead') =>
      ((await operator('ops_proposals_list', input, role)) as { value: unknown }).value as {
        items: OpsProposal[];
        next: string | null;
      };

    it('answers a replay with its own link, never with the newer one of somebody else', async () => {
      const of = await paid();
      const make = (key?: string) => operator('ops_proposal_link', { id: of.id, reason: 'to send' }, 'fulfilment', key);
      const linkOf = async (key?: string) => ((await make(key)) as unknown as { value: { link: string } }).value.link;
      const own = await linkOf('mine');
      const newer = await linkOf();
      expect(newer).not.toBe(own);
      expect(await linkOf('mine')).toBe(own);
      expect(await open(own.split('/').at(-1) ?? '')).toMatchObject({ error: { code: 'not_found' } });
    });

    it('makes no link that would open nothing', async () => {
      const of = await paid();
      await world.deliver(world.consumers.order, {
        ...of.order,
        version: 3,
        payment_state: 'cancelled' as const,
        cancelled_at: '2026-11-22T12:00:00.000Z',
      });
      expect(await operator('ops_proposal_link', { id: of.id, reason: 'lost' })).toMatchObject({ ok: true });
      await world.offers.proposals.updateOne({ _id: of.id }, { $set: { withdrawn_at: new Date('2020-01-01') } });
      expect(await operator('ops_proposal_link', { id: of.id, reason: 'lost' })).toMatchObject(refusal('bad_state'));
    });

    it.each(['lead', 'viewer'] as const)('shows a %s no link that opens a proposal, of no state', async (role) => {
      await paid();
      const page = await listed({ limit: 200 }, role);
      const proposals = await world.offers.proposals.find({}).toArray();
      const tokens = proposals.map(({ _id, link = 1 }) => tokenOf(_id, link));
      expect(page.items.length).toBeGreaterThan(0);
      expect(tokens.filter((token) => JSON.stringify(page).includes(token))).toEqual([]);
    });

    it('lists proposals by state with message and handle, page by page', async () => {
      const of = await paid();
      const all = await listed({ state: 'sending', limit: 200 });
      const mine = all.items.find(({ id }) => id === of.id);
      expect(mine).toMatchObject({
        sandbox: false,
        state: 'sending',
        handle: `h_${mine?.creator_id.slice(0, 4)}`,
        text: 'We have a paid post for you: One post on X, on 2026-12-05. Read it and answer here:',
        undelivered_at: '2026-11-22T12:00:00.000Z',
      });
      const ids: string[] = [];
      for (let cursor: string | null | undefined; cursor !== null; ) {
        const page: { items: OpsProposal[]; next: string | null } = await listed({
          limit: 2,
          ...(cursor && { cursor }),
        });
        ids.push(...page.items.map(({ id }) => id));
        cursor = page.next;
      }
      expect(new Set(ids).size).toBe(ids.length);
      expect(ids.length).toBe(await world.offers.proposals.countDocuments({}));
      expect((await listed({ older_than: PAID_AT })).items).toEqual([]);
    });

    it('marks those of a sandbox, which wait for no message', async () => {
      const order = anOrder();
      await world.deliver(world.consumers.order, order);
      const [item] = (await listed({ state: 'sent', limit: 200 })).items.filter(
        ({ workspace }) => workspace === order.workspace,
      );
      expect(item).toMatchObject({ sandbox: true });
      expect(await operator('ops_proposal_sent', { id: item?.id, reason: 'x' })).toMatchObject(refusal('bad_state'));
    });

    it('notes a message as sent once', async () => {
      const of = await paid();
      expect(await operator('ops_proposal_sent', { id: of.id, reason: 'by X' })).toMatchObject({
        value: { state: 'sent', expires_at: expect.any(String) },
      });
      expect(await operator('ops_proposal_sent', { id: of.id, reason: 'by X' })).toMatchObject(refusal('bad_state'));
      expect(await operator('ops_proposal_sent', { id: randomUUID(), reason: 'x' })).toMatchObject({
        error: { code: 'not_found' },
      });
    });

    it('answers for creators, and ends an acceptance before its post is live', async () => {
      const of = await paid();
      expect(await operator('ops_proposal_accept', { id: of.id, date: '2027-01-01', reason: 'x' })).toMatchObject(
        refusal('bad_dates'),
      );
      expect(await operator('ops_proposal_accept', { id: of.id, date: '2026-12-06', reason: 'by mail' })).toMatchObject(
        {
          value: { state: 'accepted', booked: true, scheduled_date: '2026-12-06' },
        },
      );
      expect(await operator('ops_proposal_accept', { id: of.id, reason: 'again' })).toMatchObject(refusal('bad_state'));
      expect(await operator('ops_proposal_decline', { id: of.id, because: 'timing', reason: 'ill' })).toMatchObject({
        value: { state: 'declined', decline_reason: 'timing', booked: false },
      });
      const audit = await world.shell.audit.rows.find({ object: of.id }).toArray();
      expect(audit.map(({ action, actor, reason }) => [action, actor, reason])).toEqual([
        ['proposal.accept', 'operator:one', 'by mail'],
        ['proposal.decline', 'operator:one', 'ill'],
      ]);
    });

    it('moves a booked day that was agreed, which the page of the creator and other services then show', async () => {
      const of = await paid();
      const move = (date: string) => operator('ops_proposal_date', { id: of.id, date, reason: 'agreed by mail' });
      expect(await move('2026-12-24')).toMatchObject(refusal('bad_state'));
      await operator('ops_proposal_accept', { id: of.id, date: '2026-12-06', reason: 'by mail' });
      const missing = { status: 'blocked', blocked_reason: 'post_missing' } as const;
      await world.deliver(world.consumers.post, aPostChange(of.order, of.lineId, missing));

      expect(await move('2027-01-04')).toMatchObject({
        error: { details: { reason: 'bad_dates', last: '2027-01-03' } },
      });
      expect(await move('2027-01-03')).toMatchObject({
        value: { state: 'accepted', booked: true, scheduled_date: '2027-01-03' },
      });
      expect(await creator(of, 'creator_proposal')).toMatchObject({ value: { state: 'booked', date: '2027-01-03' } });
      expect(await eventOf(of.lineId)).toMatchObject({ booked: true, scheduled_date: '2027-01-03' });
      const audit = await world.shell.audit.rows.find({ object: of.id, action: 'proposal.date' }).toArray();
      expect(audit).toMatchObject([{ actor: 'operator:one', reason: 'agreed by mail' }]);

      await world.deliver(world.consumers.post, aPostChange(of.order, of.lineId, { version: 2, status: 'live' }));
      expect(await move('2026-12-30')).toMatchObject(refusal('bad_state'));
    });

    it('makes a new link, after which the old one opens nothing, and stores neither', async () => {
      const of = await paid();
      const first = tokenOf(of.id);
      const second = tokenOf(of.id, 2);
      expect(await operator('ops_proposal_link', { id: of.id, reason: 'lost' })).toMatchObject({
        value: { link: `https://app.test/creator/${second}` },
      });
      expect(await open(first)).toMatchObject({ error: { code: 'not_found' } });
      expect(await open(second)).toMatchObject({ value: { proposal_id: of.id } });
      expect(await world.shell.audit.rows.find({ object: of.id }).toArray()).toMatchObject([
        { action: 'proposal.link', actor: 'operator:one', reason: 'lost' },
      ]);
      for (const name of ['commands', 'proposals', 'offer_lines', 'outbox', 'audit']) {
        const stored = JSON.stringify(await world.shell.store.db.collection(name).find().toArray());
        for (const token of [first, second]) expect(stored).not.toContain(token.slice(-43));
      }
    });
  });
});
