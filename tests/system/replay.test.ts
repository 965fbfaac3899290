// @night: delivers every captured write again; each handler has such a test beside it.
import { randomUUID } from 'node:crypto';
import { operationByName, operations, type Quote } from '@cds/contracts';
import { BusClient, BusConnection, RequestMux } from '@cds/service';
import { aCtx } from '@cds/service/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { pino } from 'pino';
import { creatorLinkOf } from '../support/creator-link.js';
import { credentialsOf } from '../support/credentials.js';
import { GatewayBus } from '../support/gateway-bus.js';
import { aCampaign, aDraft, WRITES_IN_ORDER } from '../support/matrix-arguments.js';
import {
  type Answer,
  aBrand,
  ask,
  eventually,
  type SeededWorkspace,
  type Stack,
  secretOf,
  startWholeStack,
} from '../support/stack.js';
import { Contents, isWrite, Tap } from '../support/tap.js';

/** What stops the second delivery of a write in a service: its command's record, an id of its own, or its frame. */
const endOfRepeat = (name: string): string => {
  const operation = operationByName(name);
  if (operation?.idempotency !== undefined) return 'replayed';
  return operation?.byOwnId === true ? 'found' : 'forbidden';
};

/**
 * Every write of the main job, of a person, of an operator and of a pay page is captured on a real bus and delivered
 * again before its deadline, in order and in reverse: no database changes (ADR 0008).
 */
describe('a captured write that is delivered again', () => {
  let stack: Stack;
  let tap: Tap;
  let contents: Contents;
  let gatewayBus: GatewayBus;
  let sandbox: SeededWorkspace;
  let key: string;
  let now: string;
  let quote: Quote;
  let campaignId: string;
  let spareUnit: string | undefined;
  let orderId: string;
  let payUrl: string;
  const delivered = new Set<string>();

  /** Captures every write that `job` puts on the bus and delivers it twice more, once in order and once in reverse. */
  const again = async (job: () => Promise<unknown>): Promise<void> => {
    await tap.taken();
    await job();
    const before = await contents.atRest();
    const events = await contents.events();
    const writes = (await tap.taken()).filter(isWrite);
    expect(writes).not.toEqual([]);
    for (const frame of [...writes, ...[...writes].reverse()]) {
      const reply = await tap.send(frame.context.iss, frame.subject, frame.data);
      // Past its deadline a frame is refused for that alone, which proves nothing: the last test asks for one in time.
      if (frame.context.deadline <= Date.now()) continue;
      delivered.add(frame.operation);
      const ended = reply.ok ? (reply.replayed ? 'replayed' : 'found') : reply.error.code;
      expect([frame.operation, ended]).toEqual([frame.operation, endOfRepeat(frame.operation)]);
    }
    const after = await contents.atRest();
    // First, because an event says what happened, and a hash does not.
    expect([...(await contents.events())].filter(([id]) => !events.has(id))).toEqual([]);
    expect(after).toEqual(before);
  };
  const done = (answer: Answer): Answer => {
    expect([answer.status < 300, answer.body]).toEqual([true, answer.body]);
    return answer;
  };
  const write = async (name: Parameters<typeof ask>[2], input: object): Promise<Answer> =>
    done(await ask(stack, key, name, input as never));
  const team = async (name: Parameters<typeof ask>[2], input: object): Promise<Answer> =>
    done(await ask(stack, stack.opsToken, name, input as never));
  const person = async (name: Parameters<GatewayBus['write']>[1], input: object) => {
    const result = await gatewayBus.write({ workspace: sandbox.id, now: new Date(now), as: 'person' }, name, input);
    expect([result.status < 300, result.value]).toEqual([true, result.value]);
    return result.value as { id: string };
  };
  const form = async (path: string, fields: Record<string, string>): Promise<void> => {
    const page = await (await fetch(payUrl)).text();
    const formToken = /name="form_token" value="([^"]+)"/.exec(page)?.[1] ?? '';
    const answer = await fetch(`${payUrl}${path}`, {
      method: 'POST',
      redirect: 'manual',
      headers: { origin: new URL(payUrl).origin, 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ form_token: formToken, ...fields }),
    });
    expect([path, answer.status]).toEqual([path, 303]);
  };

  beforeAll(async () => {
    stack = await startWholeStack({ creators: 250 });
    [tap, contents, gatewayBus] = await Promise.all([Tap.open(stack), Contents.open(stack), GatewayBus.open(stack)]);
  }, 120_000);

  afterAll(async () => {
    await Promise.all([tap?.close(), contents?.close(), gatewayBus?.close()]);
    await stack?.stop();
  });

  it('changes nothing of a new brand: its context, its mandates, the terms', async () => {
    await again(async () => {
      sandbox = (await aBrand(stack)).sandbox;
      key = secretOf(sandbox, 'full');
    });
    now = ((await ask(stack, key, 'sandbox_clock', {})).body as { now: string }).now;
  });

  it('changes nothing of a campaign and of its plan', async () => {
    const day = now.slice(0, 10);
    await again(async () => {
      const started = (await write('create_campaign', aCampaign(day))).body as { id: string; plan: Quote };
      campaignId = started.id;
      quote = started.plan;
      const draft = (await write('create_campaign', aDraft(day))).body as { id: string };
      await write('rename_campaign', { id: campaignId, name: 'Orbit one' });
      await write('rename_campaign', { id: campaignId, name: 'Orbit two' });
      await write('delete_campaign', { id: draft.id });
    });
    const page = (await ask(stack, key, 'creators_search', { sort: 'price', dir: 'asc', limit: 50, price_min: 1 }))
      .body as { creators: { id: string; offerings: { unit_id: string; buyable: boolean }[] }[] };
    const onPlan = new Set(quote.lines.map((line) => line.creator_id));
    const units = page.creators
      .filter((one) => !onPlan.has(one.id))
      .flatMap((one) => one.offerings.filter((unit) => unit.buyable).slice(0, 1))
      .map((unit) => unit.unit_id);
    spareUnit = units[3];
    const plan = { id: quote.plan_id };
    await again(async () => {
      await write('plan_swap_creator', { ...plan, line_id: quote.lines[0]?.id, unit_id: units[0] });
      await write('plan_remove_creator', { ...plan, line_id: quote.lines[1]?.id });
      await write('plan_add_creator', { ...plan, unit_id: units[1] });
      await write('plan_move_dates', { ...plan, start: quote.launch_window_start, end: quote.launch_window_end });
      await write('set_creator_guidelines', { id: campaignId, pitch: 'Try Orbit.', dos: ['Show it running'] });
      await write('sandbox_unit_set', { unit_id: units.at(-1), age_days: 3 });
      await write('sandbox_unit_clear', { unit_id: units.at(-1) });
    });
  });

  it('asks for no second price, even without an Idempotency-Key', async () => {
    const byPrice = { sort: 'price', followers_min: 0, limit: 1 } as const;
    const { total } = (await ask(stack, key, 'creators_search', byPrice)).body as { total: number };
    const last = (await ask(stack, key, 'creators_search', { ...byPrice, offset: total - 1 })).body as {
      creators: { id: string }[];
    };
    await again(async () => {
      const answer = await fetch(`${stack.apiUrl}/creators/${last.creators[0]?.id}/price-request`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: '{}',
      });
      expect([answer.status, await answer.json()]).toEqual([200, expect.objectContaining({ requested: true })]);
    });
  });

  it('changes nothing that a person of the brand did', async () => {
    const values = { name: 'Orbit Labs', summary: 'An AI pair.' };
    await again(async () => {
      await person('context_put', { ...values, audience: 'startup founders' });
      await person('context_put', { ...values, audience: 'AI builders' });
      await person('campaign_archive', { id: campaignId });
      await person('campaign_unarchive', { id: campaignId });
    });
  });

  it('changes nothing that an operator did: a file in chunks, a decision, a launch', async () => {
    const creator = {
      network_id: '70001',
      handle: 'orla_builds',
      name: 'Orla',
      followers: 40_000,
      account_created_at: '2019-01-01T00:00:00Z',
      posts: [{ id: 'p1', created_at: now, text: 'Notes on startup founders.', views: 5_000, likes: 100 }],
      units: [{ format: 'post', ask_cents: 3_000 }],
    };
    const facts = (await ask(stack, stack.opsToken, 'dev_network', {})).body as { newest_synced_at: string };
    const file = { version: 1, as_of: facts.newest_synced_at, source: 'network', creators: [creator] };
    await again(() => team('ops_creators_import', file));
    const found = (await ask(stack, stack.opsToken, 'ops_creators_list', { q: 'orla_builds' })).body as {
      creators: { id: string }[];
    };
    const id = found.creators[0]?.id ?? '';
    await again(async () => {
      await team('ops_creator_vet', { id, decision: 'approved', reason: 'Good.' });
      await team('ops_creator_pause', { id, reason: 'Away.' });
      await team('ops_creator_resume', { id, reason: 'Back.' });
    });
  });

  it('approves nothing twice', async () => {
    quote = (await ask(stack, key, 'plan_quote', { id: quote.plan_id })).body as Quote;
    await again(async () => {
      const input = { id: quote.plan_id, terms_fingerprint: quote.terms_fingerprint };
      const approved = (await write('approve_plan', input)).body as { order_id: string; payment: { url: string } };
      orderId = approved.order_id;
      payUrl = approved.payment.url;
    });
    const { bus, ctxKeys } = credentialsOf(stack, 'billing');
    const connection = await BusConnection.open('billing', bus, pino({ level: 'silent' }));
    const billing = new BusClient(new RequestMux(connection), 'billing', ctxKeys.to).typed<'billing'>();
    await again(() => billing.plan_sign_close(aCtx(), { signing_id: randomUUID(), workspace: sandbox.id }));
    await connection.close();
  });

  it('changes nothing of a pay page: a session, a decline, another rail and back', async () => {
    await again(async () => {
      await form('/checkout', {});
      await form('/sandbox', { button: 'decline' });
    });
    await again(async () => {
      await form('/rail', { rail: 'invoice' });
      await form('/invoice', { legal_name: 'Acme Inc.', address: '1 Main Street', tax_id: '', purchase_order: '' });
      await form('/rail', { rail: 'checkout' });
      await form('/checkout', {});
    });
  });

  it('pays, answers and moves a clock no second time', async () => {
    await again(() => write('sandbox_order_payment', { id: orderId, outcome: 'paid' }));
    await again(() => write('sandbox_clock_advance', { seconds: 60 }));
    const lines = (await ask(stack, key, 'plan_quote', { id: quote.plan_id })).body as Quote;
    const line = { id: lines.lines[0]?.id };
    await again(() => write('sandbox_line_answer', { ...line, answer: 'accept' }));
    await again(() => write('sandbox_line_post', { ...line, when: 'now', disclosure: 'now' }));
    await again(() => write('sandbox_line_post_change', { ...line, change: 'edit' }));
    await again(() => write('line_dispute', { ...line, claim: 'not_as_agreed', text: 'It names a competitor.' }));
    const [dearest] = lines.lines.filter(({ id }) => id !== line.id).sort((a, b) => b.price_cents - a.price_cents);
    const lost = { id: dearest?.id };
    await write('rename_campaign', { id: campaignId, replacements: 'ask' });
    await again(() => write('sandbox_line_answer', { ...lost, answer: 'decline' }));
    await again(() => write('line_replace', { ...lost, unit_id: spareUnit }));
  });

  it('changes nothing that a creator with a link did, or the team for a creator', async () => {
    const { lines } = (await ask(stack, key, 'plan_quote', { id: quote.plan_id })).body as Quote;
    const { items } = (await ask(stack, stack.opsToken, 'ops_proposals_list', { state: 'sent', limit: 200 })).body as {
      items: { id: string; line_id: string }[];
    };
    const [answered, relayed] = lines.slice(2).map(({ id }) => items.find(({ line_id }) => line_id === id));
    const link = await creatorLinkOf(stack, answered?.id ?? '');
    const token = link.split('/').at(-1) ?? '';
    await contents.set('proposals', 'proposals', answered?.id ?? '', { state: 'sending', sent_at: null });
    await again(async () => expect((await fetch(link)).status).toBe(200));
    const creator = async (path: string, body: object): Promise<void> => {
      const answer = await fetch(`${stack.appUrl}/api/creator/${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      expect([path, answer.status]).toEqual([path, 200]);
    };
    await again(() => creator('accept', {}));
    await again(() => creator('withdraw', { reason: 'timing', note: 'In January?' }));
    await again(() => team('ops_proposal_accept', { id: relayed?.id, reason: 'By message.' }));
    await again(() => team('ops_proposal_decline', { id: relayed?.id, because: 'fit', reason: 'By message.' }));
  });

  it('makes no second application of a creator', async () => {
    const body = {
      handle: 'uma_builds',
      followers: 9_000,
      units: [{ format: 'post', ask_cents: 3_000 }],
      consent: true,
    };
    await again(async () => {
      const answer = await fetch(`${stack.appUrl}/api/creator/apply`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      expect(answer.status).toBe(202);
    });
  });

  it('closes, retries and publishes no event for an operator a second time', async () => {
    const payload = { aggregate: sandbox.id, version: 1, workspace: sandbox.id, offset_ms: 1, at: now };
    const plant = async (id: string): Promise<void> =>
      contents.insert('planning', 'dead_letters', {
        _id: id,
        fact: `planning_from_gateway|${id}`,
        producer: 'gateway',
        subject: 'evt.gateway.clock.set',
        text: JSON.stringify(payload),
        reason: 'failed',
        error: 'planted',
        attempts: 1,
        state: 'parked',
        parked_at: new Date(now),
        tried_at: new Date(now),
        applied_at: null,
      });
    const [id, unwanted] = [randomUUID(), randomUUID()];
    await Promise.all([plant(id), plant(unwanted)]);
    await again(async () => {
      const closed = await team('ops_dead_letter_close', { id: unwanted, reason: 'Nobody needs it.' });
      expect(closed.body).toMatchObject({ id: unwanted, service: 'planning', state: 'closed' });
    });
    await again(async () => {
      const retried = await team('ops_dead_letter_retry', { id, reason: 'The cause is gone.' });
      expect(retried.body).toMatchObject({ id, service: 'planning', state: 'applied' });
    });
    await again(async () => {
      await team('ops_republish', {});
      await eventually(
        () => ask(stack, stack.opsToken, 'ops_republish_progress', {}),
        ({ runs }: { runs: { done_at: string | null }[] }) => runs.every((run) => run.done_at !== null),
        30_000,
      );
    });
  });

  it('resets a sandbox no second time', async () => {
    await again(() => write('sandbox_reset', { seed: 2 }));
  });

  it('was tried with every write between services and every public write', () => {
    const internal = operations.filter((one) => one.effect === 'write' && one.audience === 'internal');
    // A call by the rail; services/billing/src/payment proves what its repeats do.
    expect(internal.map(({ name }) => name).filter((name) => !delivered.has(name))).toEqual(['rail_event']);
    const served = WRITES_IN_ORDER.filter((name) => operationByName(name)?.service !== 'gateway');
    expect(served.filter((name) => !delivered.has(name))).toEqual([]);
  });
});
