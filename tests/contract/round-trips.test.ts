import { aBillingBeside, type BillingBeside } from '@cds/billing/testing';
import {
  aCreator,
  aNetwork,
  aUnit,
  audienceResolve,
  creatorGet,
  creatorsSearch,
  type TestNetwork,
  unitFacts,
} from '@cds/catalog/testing';
import { AppError, type Input, type OperationName, type Output, type PlanApproved, type Quote } from '@cds/contracts';
import {
  ask,
  type Brand,
  type EdgeApp,
  freshKey,
  type HttpAnswer,
  makeBrand,
  startEdgeApp,
} from '@cds/gateway/testing';
import { aCampaign, aLine, aPlan, aWorld, type World } from '@cds/planning/testing';
import { type Ctx, Encoded, encodeError, encodeOk, type Store } from '@cds/service';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Cost, expectCost, inOrder, notedStatement } from '../support/costs.js';

/**
 * What no answer waits for, and what many share: work after the answer, the switches, which are read twice a second,
 * and keys, which are read once a minute.
 */
const BESIDE: ReadonlySet<string> = new Set([
  'billing authority.clean_up',
  'gateway switches.find',
  'gateway keys.find',
]);

const COUNT = 'gateway quotas.findAndModify';
const CLAIM = 'gateway command_claims.findAndModify';
/** The meter of a workspace that this replica remembers; otherwise it is read first. */
const METER = 'catalog read_meters.update';
const LOAD = 'planning plans.aggregate';
const PRICE = 'catalog creators.find';
const BILLING = 'billing authority.aggregate';

/**
 * What each operation costs in database commands and bus calls (docs/reliability.md#round-trips). Gateway, planning,
 * billing and catalog run as wired, each on its own database with a command listener. A command added or removed fails
 * here; then update the table.
 */
describe('round trips of an operation (docs/reliability.md#round-trips)', () => {
  let edge: EdgeApp;
  let world: World;
  let billing: BillingBeside;
  let network: TestNetwork;
  let brand: Brand;
  let units: string[];
  let seen: string[] = [];
  let calls: string[] = [];

  const listen = (service: string, store: Store): void => {
    store.onCommand((started) => {
      const statement = notedStatement(service, started);
      if (statement !== null) seen.push(statement);
    });
  };

  const frame = async (answer: ReturnType<World['call']>): Promise<Uint8Array> => {
    const result = await answer;
    if (result.ok) return encodeOk(result.value, result.status, result.replayed);
    return encodeError(result.error, undefined, result.replayed);
  };
  const answerOf = async <N extends OperationName>(running: ReturnType<BillingBeside['run']>): Promise<Output<N>> => {
    const answer = await running;
    if (!('value' in answer)) throw new Error('a read answers a value');
    return answer.value as Output<N>;
  };

  beforeAll(async () => {
    [edge, network] = await Promise.all([startEdgeApp('trips_gateway'), aNetwork('trips_catalog')]);
    const planningOf =
      <N extends 'plan_terms' | 'plan_sign' | 'plan_sign_close' | 'write_refusal_get'>(name: N) =>
      async (ctx: Ctx, input: Input<N>): Promise<Output<N>> => {
        calls.push(name);
        const answer = await world.call(name, ctx, input);
        if (!answer.ok) throw new AppError(answer.error.code, answer.error.message, answer.error.details);
        return answer.value;
      };
    billing = await aBillingBeside('trips_billing', {
      plan_terms: planningOf('plan_terms'),
      write_refusal_get: planningOf('write_refusal_get'),
      line_refusal_get: async () => ({ refusal: null }),
      line_cancel_credits: async () => ({ lines: [] }),
      plan_sign: planningOf('plan_sign'),
      plan_sign_close: planningOf('plan_sign_close'),
    });
    const absent = async (): Promise<never> => {
      throw new Error('this path asks for no such thing');
    };
    world = await aWorld('trips_planning', {
      catalog: {
        unit_facts: async (ctx, input) => {
          calls.push('unit_facts');
          return (await unitFacts(ctx, input, network)) as Output<'unit_facts'>;
        },
        audience_resolve: async (ctx, input) =>
          (await audienceResolve(ctx, input, network as never)) as Output<'audience_resolve'>,
        identity_reveal: absent,
        plan_candidates: absent,
      },
      billing: {
        quote_facts: async (ctx, input) => {
          calls.push('quote_facts');
          return answerOf<'quote_facts'>(billing.run('quote_facts', ctx, input));
        },
      },
    });
    for (const name of [
      'plan_quote',
      'campaigns_list',
      'plan_add_creator',
      'plan_swap_creator',
      'plan_remove_creator',
      'plan_move_dates',
    ] as const)
      edge.answer(name, (ctx, input) => frame(world.call(name, ctx, input as never)));
    edge.answer('gate_raise', (ctx, input) => answerOf<'gate_raise'>(billing.run('gate_raise', ctx, input)));
    edge.answer('approve_plan', async (ctx, input) => {
      const outcome = await billing.run('approve_plan', ctx, input);
      if ('value' in outcome) throw new Error('approve keeps its own record');
      if (!outcome.ok) return encodeError(outcome.error, outcome.status);
      return encodeOk(new Encoded(outcome.json), outcome.status, outcome.replayed);
    });
    edge.answer('rail_event', (ctx, input) => answerOf<'rail_event'>(billing.run('rail_event', ctx, input)));
    // Catalog keeps the audience on file in memory, and no event consumer runs here to fill it.
    const audience = { id: 'startup-founders', label: 'Startup founders', weight: 1 };
    const reading = {
      ...network,
      audiences: { of: async () => ({ text: audience.label, segments: [audience], unresolved: false }) },
    };
    edge.answer('creators_search', async (ctx, input) =>
      encodeOk(await creatorsSearch(ctx, input, reading), 200, false),
    );
    edge.answer('creator_get', async (ctx, input) =>
      encodeOk(await creatorGet(ctx, input as Input<'creator_get'>, reading), 200, false),
    );

    const creators = Array.from({ length: 12 }, () => aCreator({ units: [aUnit({ byTeam: true })] }));
    await network.take(creators, new Date(Date.now()).toISOString());
    const rows = network.store.db.collection<{ _id: string; units: { unit_id: string }[] }>('creators');
    units = (await rows.find().toArray()).flatMap((row) => row.units.map((unit) => unit.unit_id));
    brand = await makeBrand(edge);
    for (const [service, store] of [
      ['gateway', edge.shell.store],
      ['planning', world.store],
      ['billing', billing.store],
      ['catalog', network.store],
    ] as const)
      listen(service, store);
  }, 60_000);

  afterAll(async () => {
    await edge?.stop();
    await world?.drop();
    await billing?.drop();
    await network?.drop();
  });

  const request = (
    method: string,
    path: string,
    body?: unknown,
    idempotencyKey = freshKey(),
    of: 'live' | 'sandbox' = 'live',
  ): Promise<HttpAnswer> =>
    ask(edge.url, `/api/v1${path}`, {
      method,
      key: brand[of]['full'] ?? '',
      ...(method === 'GET' ? {} : { headers: { 'idempotency-key': idempotencyKey } }),
      ...(body === undefined ? {} : { body }),
    });

  const costOf = async (send: () => Promise<HttpAnswer>, status: number): Promise<Cost> => {
    await billing.parts.close();
    seen = [];
    calls = [];
    edge.sent.length = 0;
    const heard = await send();
    expect([heard.status, heard.json]).toEqual([status, heard.json]);
    await billing.parts.close();
    return {
      commands: inOrder(seen.filter((one) => !BESIDE.has(one))),
      calls: [...edge.sent.map(({ name }) => name), ...calls],
    };
  };

  const aPreparedPlan = async (
    of = 3,
    kind: 'live' | 'sandbox' = 'live',
  ): Promise<{ id: string; lines: string[]; quote: () => Promise<Quote> }> => {
    const ws = brand.workspaces[kind];
    const { units: facts } = (await unitFacts(
      { ...(await contextOf()), networkNow: new Date(Date.now()) },
      { unit_ids: units.slice(0, of), audience: [] },
      network,
    )) as Output<'unit_facts'>;
    const start = new Date(Date.now() + 5 * 86_400_000).toISOString().slice(0, 10);
    const end = new Date(Date.now() + 25 * 86_400_000).toISOString().slice(0, 10);
    const campaign = aCampaign({ ws, window_start: start, window_end: end, budget_cents: null, segments: [] });
    const plan = aPlan(
      campaign,
      facts.map((unit) => aLine(unit, { scheduled_date: start })),
    );
    await world.deps.campaigns.rows.insertOne({ ...campaign, plan_id: plan._id });
    await world.deps.plans.rows.insertOne(plan);
    const quote = async () =>
      (await request('GET', `/plans/${plan._id}/quote`, undefined, undefined, kind)).json as Quote;
    return { id: plan._id, lines: plan.lines.map((line) => line.id), quote };
  };
  const contextOf = async (): Promise<Ctx> => {
    await request('GET', '/campaigns');
    const ctx = edge.sent.at(-1)?.ctx;
    if (ctx === undefined) throw new Error('nothing was sent');
    return ctx;
  };

  const costOfWrite = (method: string, path: string, body?: unknown, status = 200): Promise<Cost> =>
    costOf(() => request(method, path, body), status);

  describe('an authenticated read costs its own statements alone', () => {
    it('a list of campaigns: campaigns and their plans', async () => {
      const cost = await costOf(() => request('GET', '/campaigns'), 200);
      expectCost(cost, {
        page: 2,
        commands: ['planning campaigns.find', 'planning plans.find'],
        calls: ['campaigns_list'],
      });
    });

    it('a quote: plan with campaign, current prices, and the part of billing in one statement', async () => {
      const plan = await aPreparedPlan();
      const cost = await costOf(() => request('GET', `/plans/${plan.id}/quote`), 200);
      expectCost(cost, {
        page: 3,
        commands: [LOAD, PRICE, BILLING],
        calls: ['plan_quote', 'unit_facts', 'quote_facts'],
      });
    });

    it('a creators list: the meter; rows come from memory', async () => {
      const first = await costOf(() => request('GET', '/creators?limit=5&q=Test'), 200);
      expectCost(first, {
        page: 2,
        commands: ['catalog read_meters.find', 'catalog read_meters.insert'],
        calls: ['creators_search'],
      });
      const cost = await costOf(() => request('GET', '/creators?limit=5&q=Test'), 200);
      expectCost(cost, { page: 1, commands: [METER], calls: ['creators_search'] });
    });

    it('a creator opened: the meter and the creator', async () => {
      const page = (await request('GET', '/creators?limit=5&q=Test')).json as { creators: { id: string }[] };
      const cost = await costOf(() => request('GET', `/creators/${page.creators[0]?.id}`), 200);
      expectCost(cost, { page: 1 + 1, commands: [METER, 'catalog creators.find'], calls: ['creator_get'] });
    });
  });

  describe('a plan edit costs count, claim, run, load, price, and a transaction of eight', () => {
    const CALLS = ['unit_facts', 'quote_facts'];
    const EDIT = [COUNT, CLAIM, 'planning commands.insert', LOAD, PRICE, BILLING];
    const COMMIT = [
      'planning commands.update',
      'planning plans.update',
      'planning plan_versions.insert',
      'planning campaigns.update',
      'planning mandate_checks.insert',
      'planning outbox.insert',
      'planning audit.insert',
      'planning commitTransaction',
    ];
    const ofEdit = (name: string) => ({
      page: 1 + 1 + 1 + 1 + 1 + 1 + 8,
      commands: [...EDIT, ...COMMIT],
      calls: [name, ...CALLS],
    });

    it('adding a creator', async () => {
      const plan = await aPreparedPlan();
      const cost = await costOfWrite('POST', `/plans/${plan.id}/lines`, { unit_id: units[6] }, 201);
      expectCost(cost, ofEdit('plan_add_creator'));
    });

    it('swapping a creator, and its replay: count, claim, and the record that is there already', async () => {
      const plan = await aPreparedPlan();
      const key = freshKey();
      const swap = () => request('POST', `/plans/${plan.id}/lines/${plan.lines[0]}/swap`, { unit_id: units[6] }, key);
      expectCost(await costOf(swap, 200), ofEdit('plan_swap_creator'));
      expectCost(await costOf(swap, 200), {
        page: 1 + 1 + 2,
        commands: [COUNT, CLAIM, 'planning commands.insert', 'planning commands.find'],
        calls: ['plan_swap_creator'],
      });
    });

    it('removing a creator', async () => {
      const plan = await aPreparedPlan();
      const cost = await costOfWrite('DELETE', `/plans/${plan.id}/lines/${plan.lines[0]}`);
      expectCost(cost, ofEdit('plan_remove_creator'));
    });

    it('moving the dates, which the campaign publishes too', async () => {
      const plan = await aPreparedPlan();
      const { launch_window_end } = await plan.quote();
      const cost = await costOfWrite('POST', `/plans/${plan.id}/dates`, {
        start: launch_window_end,
        end: launch_window_end,
      });
      expectCost(cost, ofEdit('plan_move_dates'));
    });
  });

  it('approve costs what the table says', async () => {
    const [first, plan] = [await aPreparedPlan(), await aPreparedPlan()];
    const approve = async (of: typeof plan) => {
      const { terms_fingerprint } = await of.quote();
      return costOfWrite('POST', `/plans/${of.id}/approve`, { terms_fingerprint });
    };
    // A key's first approval in a month also creates the month's entry.
    await approve(first);
    expectCost(await approve(plan), {
      page: 25,
      commands: [
        COUNT,
        CLAIM,
        'billing commands.find',
        BILLING,
        ...[LOAD, PRICE],
        'billing authority.update',
        // In parallel with the record, so the approve waits only for the slower one.
        ...['billing commands.find', 'billing terms.find'],
        ...[LOAD, PRICE],
        'planning sign_verdicts.insert',
        'planning plans.update',
        'planning campaigns.update',
        'planning outbox.insert',
        'planning audit.insert',
        'planning commitTransaction',
        'billing commands.update',
        'billing orders.insert',
        'billing receipts.insert',
        'billing ledger.insert',
        'billing mandate_checks.insert',
        'billing outbox.insert',
        'billing audit.insert',
        'billing commitTransaction',
      ],
      calls: ['approve_plan', 'plan_terms', 'unit_facts', 'plan_sign', 'unit_facts'],
    });
  });

  it('a payment event: its row before the answer, then three reads and a transaction of six', async () => {
    const plan = await aPreparedPlan(3, 'sandbox');
    const { terms_fingerprint } = await plan.quote();
    const path = `/plans/${plan.id}/approve`;
    const { order_id: order, order: signed } = (
      await request('POST', path, { terms_fingerprint }, freshKey(), 'sandbox')
    ).json as PlanApproved;
    const at = await billing.store.now();
    const { total_cents: amount_cents, currency } = signed;
    const money = { session: null, payment: `pay_${order}`, order, amount_cents, currency } as const;
    const data = { ...money, workspace: brand.workspaces.sandbox, payment_status: 'paid' } as const;
    const event = { id: `evt_${order}`, type: 'checkout.session.completed', created: at.toISOString(), data } as const;
    const { raw, signature } = billing.deps.rails.sandbox.deliver(event, at);
    const headers = { 'cds-signature': signature };
    const cost = await costOf(() => ask(edge.url, '/api/rails/sandbox/events', { method: 'POST', headers, raw }), 200);
    expectCost(cost, {
      page: 1 + 9,
      commands: [
        'billing payment_events.insert',
        ...['billing payment_events.find', 'billing orders.find', 'billing ledger.find'],
        'billing payment_events.update',
        'billing orders.update',
        'billing ledger.insert',
        'billing outbox.insert',
        'billing audit.insert',
        'billing commitTransaction',
      ],
      calls: ['rail_event'],
    });
  });
});
