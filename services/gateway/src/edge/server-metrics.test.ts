// @isolated: counters are made once per process.

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Attributes, type MeterProvider, metrics, type ObservableCallback } from '@opentelemetry/api';
import { type Brand, type EdgeApp, makeBrand, startEdgeApp } from '../test/edge-app.js';
import { ask, freshKey } from '../test/http.js';

const ANSWERED = 'cds_http_requests_total';
const LASTED = 'cds_http_request_duration_seconds';
const RUNNING = 'cds_http_requests_running';

/** What the promises to callers are measured by (deploy/observability/alerts.yaml), and what adds replicas. */
describe('the metrics of the server', () => {
  const noted: { name: string; labels: Attributes }[] = [];
  const gauges = new Map<string, ObservableCallback>();
  let edge: EdgeApp;
  let brand: Brand;

  beforeAll(async () => {
    const note = (name: string) => (_value: number, labels: Attributes) => noted.push({ name, labels });
    const read = (name: string) => ({ addCallback: (callback: ObservableCallback) => gauges.set(name, callback) });
    metrics.setGlobalMeterProvider({
      getMeter: () => ({
        createCounter: (name: string) => ({ add: note(name) }),
        createHistogram: (name: string) => ({ record: note(name) }),
        createObservableGauge: read,
        createObservableCounter: read,
      }),
    } as unknown as MeterProvider);
    edge = await startEdgeApp('gateway_server_metrics');
    brand = await makeBrand(edge);
  });
  afterAll(async () => {
    metrics.disable();
    await edge.stop();
  });

  /** The effects that an operation was counted with and measured with, so far. */
  const effectsOf = (endpoint: string) => {
    const of = (metric: string) =>
      noted.filter(({ name, labels }) => name === metric && labels['endpoint'] === endpoint);
    return [of(ANSWERED), of(LASTED)].map((some) => some.map(({ labels }) => labels['effect']));
  };
  const running = async (): Promise<number> => {
    let value = Number.NaN;
    await gauges.get(RUNNING)?.({ observe: (seen: number) => (value = seen) } as never);
    return value;
  };

  test('measure a read as one', async () => {
    expect((await ask(edge.url, '/api/v1/inventory', { key: brand.live['full'] ?? '' })).status).toBe(200);
    expect(effectsOf('inventory')).toEqual([['read'], ['read']]);
  });

  test('measure no read that waits for events, and count it as no load', async () => {
    const key = brand.live['full'] ?? '';
    const waiting = ask(edge.url, '/api/v1/events?cursor=latest&wait=20', { key });
    while (edge.deps.feedWatch.waiting === 0) await new Promise((resolve) => setTimeout(resolve, 10));
    expect(await running()).toBe(0);
    edge.deps.feedWatch.close();
    expect((await waiting).status).toBe(200);
    expect(effectsOf('events_list')).toEqual([['read'], ['other']]);
  });

  test('count what the service answers as running', async () => {
    const asked = Promise.withResolvers<void>();
    const answer = Promise.withResolvers<void>();
    edge.answer('campaigns_list', async () => {
      asked.resolve();
      await answer.promise;
      return { campaigns: [] };
    });
    const listing = ask(edge.url, '/api/v1/campaigns', { key: brand.live['full'] ?? '' });
    await asked.promise;
    expect(await running()).toBe(1);
    answer.resolve();
    expect((await listing).status).toBe(200);
    expect(await running()).toBe(0);
  });

  test('do not count a simulated fault of a sandbox', async () => {
    const key = brand.sandbox['full'] ?? '';
    const armed = await ask(edge.url, '/api/sandbox/faults', {
      method: 'POST',
      key,
      headers: { 'idempotency-key': freshKey() },
      body: { operation: 'inventory', status: 503 },
    });
    expect(armed.status).toBe(200);
    expect((await ask(edge.url, '/api/v1/inventory', { key })).status).toBe(503);
    expect(effectsOf('inventory')).toEqual([
      ['read', 'other'],
      ['read', 'other'],
    ]);
  });
});
