// @night: each metric is declared and has a test where it counts; this one looks at all of a running system.
import { BUS_ADMIN, SERVICES } from '@cds/contracts';
import { type DeclaredMetric, METRICS, OPEN } from '@cds/service';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Family, familiesOf } from '../support/exposition.js';
import { fulfil, signPlan } from '../support/main-job.js';
import { aBrand, ask, eventually, type Stack, secretOf, startWholeStack } from '../support/stack.js';

const PROCESSES = [...SERVICES, BUS_ADMIN];
const DECLARED = Object.entries<DeclaredMetric>(METRICS);

describe('a running system', () => {
  let stack: Stack;
  let served: Map<string, Map<string, Family>>;

  const scraped = async (): Promise<typeof served> => {
    const texts = PROCESSES.map(async (name): Promise<[string, Map<string, Family>]> => {
      const [one] = stack.services[name] ?? [];
      const answer = await fetch(`http://127.0.0.1:${one?.opsPort()}/metrics`);
      return [name, familiesOf(await answer.text())];
    });
    return new Map(await Promise.all(texts));
  };
  const familyOf = (process: string, name: keyof typeof METRICS) => served.get(process)?.get(name);
  const total = (process: string, name: keyof typeof METRICS, labels: Record<string, string> = {}): number =>
    (familyOf(process, name)?.samples ?? [])
      .filter((sample) => Object.entries(labels).every(([label, value]) => sample.labels[label] === value))
      .reduce((sum, { value }) => sum + value, 0);

  beforeAll(async () => {
    stack = await startWholeStack({ creators: 400 });
    const { sandbox } = await aBrand(stack);
    const full = secretOf(sandbox, 'full');
    expect((await ask(stack, null, 'inventory', {})).status).toBe(401);
    expect((await ask(stack, secretOf(sandbox, 'narrow'), 'campaigns_list', {})).status).toBe(403);
    expect((await ask(stack, full, 'creators_search', { limit: 0 })).status).toBe(400);
    const listed = await ask(stack, full, 'creators_search', { limit: 50, sort: 'followers', reach_band: 'micro' });
    const { creators } = listed.body as { creators: { id: string; ask_price: boolean }[] };
    const unpriced = creators.find((one) => one.ask_price);
    expect((await ask(stack, full, 'creator_ask_price', { id: unpriced?.id ?? '' })).status).toBeLessThan(300);
    // 20 reads a minute are allowed; a minute may end while these are sent.
    let isRefused = false;
    for (let batch = 0; batch < 9 && !isRefused; batch += 1) {
      const reads = Array.from({ length: 5 }, () => ask(stack, full, 'creators_search', { limit: 1 }));
      isRefused = (await Promise.all(reads)).some(({ status }) => status === 429);
    }
    await fulfil(stack, full, await signPlan(stack, full));
    // A creator's own price below one of the team is a price event and a task for operators.
    const price = { id: creators[0]?.id ?? '', format: 'post', as_of: new Date().toISOString().slice(0, 10) };
    for (const source of ['team', 'creator'] as const) {
      const set = { ...price, source, team_set: source === 'team', ask_cents: 50_000, reason: 'a test' };
      expect((await ask(stack, stack.opsToken, 'ops_price_set', set as never)).status).toBe(201);
    }
    // Leases, readings of the clock and events settle within seconds.
    await eventually(
      async () => {
        served = await scraped();
        return { status: 200, body: served, headers: new Headers() };
      },
      () => missing().length === 0 && unsettled().length === 0,
      20_000,
    );
  }, 180_000);
  afterAll(() => stack?.stop());

  /** Served once a webhook is sent, or a rail sends an event of another product: nothing here does. */
  const NOT_ASKED_FOR = new Set(['cds_webhook_attempt_duration_seconds', 'cds_payment_events_ignored_total']);

  const missing = (): string[] =>
    DECLARED.filter(([name]) => !NOT_ASKED_FOR.has(name)).flatMap(([name, { of }]) =>
      of
        .filter((process) => (served.get(process)?.get(name)?.samples ?? []).every(({ value }) => Number.isNaN(value)))
        .map((one) => `${one}: ${name}`),
    );

  /** The processes whose events are on their way. */
  const unsettled = (): string[] => [
    ...SERVICES.filter((service) => total(service, 'cds_outbox_oldest_seconds') > 0),
    ...(total(BUS_ADMIN, 'cds_consumer_pending') > 0 ? [BUS_ADMIN] : []),
  ];

  it('serves all metrics that are declared, in each process that is to serve them', () => {
    expect(missing()).toEqual([]);
  });

  it('serves no metric that is not declared', () => {
    const unknown = [...served].flatMap(([process, families]) =>
      [...families.keys()]
        .filter((name) => !DECLARED.some(([declared, { of }]) => declared === name && of.includes(process)))
        .map((name) => `${process}: ${name}`),
    );
    expect(unknown).toEqual([]);
  });

  it('serves them with the declared type, help, labels and label values', () => {
    for (const [name, { kind, help, labels }] of DECLARED)
      for (const [process, families] of served) {
        const family = families.get(name);
        if (family === undefined) continue;
        expect({ process, name, type: family.type, help: family.help }).toEqual({ process, name, type: kind, help });
        for (const { name: sample, labels: found } of family.samples) {
          const { le: _bound, ...own } = found;
          expect({ process, sample, labels: new Set(Object.keys(own)) }).toEqual({
            process,
            sample,
            labels: new Set(Object.keys(labels)),
          });
          for (const [label, values] of Object.entries(labels))
            if (values !== OPEN) expect(values).toContain(own[label]);
        }
      }
  });

  it('counts each request by operation, code and reason', () => {
    const requests = (labels: Record<string, string>) => total('gateway', 'cds_http_requests_total', labels);
    expect(requests({ endpoint: 'inventory', effect: 'read', code: 'unauthorized' })).toBe(1);
    expect(requests({ endpoint: 'campaigns_list', code: 'forbidden' })).toBe(1);
    expect(requests({ endpoint: 'creators_search', code: 'bad_request' })).toBe(1);
    expect(requests({ endpoint: 'creators_search', code: 'rate_limited', reason: 'per_minute' })).toBeGreaterThan(0);
    expect(requests({ endpoint: 'approve_plan', effect: 'write', code: 'ok', reason: '' })).toBe(1);
    expect(total('catalog', 'cds_meter_refusals_total', { reason: 'per_minute', scope: 'key' })).toBeGreaterThan(0);
    expect(total('billing', 'cds_operations_total', { operation: 'approve_plan', code: 'ok' })).toBe(1);
  });

  it('shows a healthy system as healthy', () => {
    for (const service of SERVICES) {
      expect({ service, age: total(service, 'cds_outbox_oldest_seconds') }).toMatchObject({ age: 0 });
      expect(total(service, 'cds_dead_letters_waiting')).toBe(0);
      expect(total(service, 'cds_alarms_total')).toBe(0);
      expect(total(service, 'cds_consumers_detached')).toBe(0);
      expect(total(service, 'cds_database_primary')).toBeGreaterThan(0);
      expect(total(service, 'cds_bus_connected')).toBe(1);
      // One machine has one clock.
      expect(total(service, 'cds_database_clock_offset_seconds')).toBe(0);
      expect(total(service, 'cds_database_connections_used')).toBeLessThan(64);
    }
    expect(total(BUS_ADMIN, 'cds_bus_topology_in_place')).toBe(1);
    expect(total(BUS_ADMIN, 'cds_consumer_pending')).toBe(0);
    expect(total('catalog', 'cds_snapshot_lag_seconds')).toBeLessThan(5);
    expect(total('catalog', 'cds_snapshot_creators')).toBeGreaterThan(100);
  });
});
