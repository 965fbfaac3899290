// @night: a longer run of what `faults` does by day, with followers.
import type { FeedEventResource } from '@cds/contracts';
import { seedFrom } from '@cds/service/testing';
import { beforeAll, describe, expect, it, test } from '@jest/globals';
import { keptStack, type Stack } from '../support/stack.js';
import { type FeedFaultReport, runFeedFaults } from './feed.js';
import { wrongWithFollowed, wrongWithKilled, wrongWithWebhooks } from './followed.js';

/** docs/reliability.md#faults. `npm test` kills each process twice, `npm run test:faults` 60 in all. */
const seed = seedFrom('CDS_FAULT_SEED');
const kills = Number(process.env['CDS_FAULT_FEED_KILLS'] ?? 6);

describe(`kill -9 while others follow the events, seed ${seed}`, () => {
  let stack: Stack;
  let report: FeedFaultReport;

  beforeAll(
    async () => {
      stack = await keptStack('faults');
      report = await runFeedFaults(stack, { seed, kills, agents: 3 });
      process.stderr.write(`feed under kills: ${JSON.stringify(report)}\n`);
    },
    400_000 + kills * 40_000,
  );

  it('every reader has every event once and in order, and they add up to what the reads answer (I69)', () => {
    expect(report.violations).toEqual([]);
    expect(report.events).toBeGreaterThan(50);
  });

  it('broke off readers, and killed a gateway that was sending', () => {
    expect(new Set(Object.keys(report.kills))).toEqual(new Set(['billing', 'gateway', 'planning']));
    expect(report.killedWhileSending).toBeGreaterThan(0);
    expect(report.interruptions.cursor).toBeGreaterThan(0);
  });

  it('cut streams that were sending, and each went on after its Last-Event-ID', () => {
    expect(report.streams.cut).toBeGreaterThan(0);
    expect(report.streams.resumed).toBe(report.streams.cut);
  });

  it('killed webhooks that were being sent, and each came again under its id', () => {
    expect(report.webhooks.killed).toBeGreaterThan(0);
    expect(report.webhooks.repeated).toBeGreaterThanOrEqual(report.webhooks.killed);
  });
});

describe('the comparison', () => {
  const event = (id: string, version: number): FeedEventResource => ({
    id,
    at: '2026-11-24T12:00:00.000Z',
    kind: 'plan.changed',
    aggregate: { type: 'plan', id: 'p1' },
    version,
    data: {},
  });
  const feed = [event('a', 1), event('b', 2)];
  const sent = (id: string, data: FeedEventResource, over: Record<string, unknown> = {}) => ({
    headers: { 'webhook-id': id },
    body: JSON.stringify({ type: data.kind, data: { ...data, ...over } }),
  });

  test.each([
    ['every event once', ['a', 'b'], 0],
    ['a lost one', ['a'], 1],
    ['one twice', ['a', 'a', 'b'], 1],
    ['another order', ['b', 'a'], 1],
    ['one of another feed', ['a', 'b', 'c'], 1],
  ])('of a reader finds %s', (_case, ids, wrong) => {
    expect(wrongWithFollowed('a reader', ids, feed)).toHaveLength(wrong);
  });

  test.each([
    ['every event once', [sent('1', event('a', 1)), sent('2', event('b', 2))], 0],
    ['one that came again', [sent('1', event('a', 1)), sent('1', event('a', 1)), sent('2', event('b', 2))], 0],
    ['a lost one', [sent('1', event('a', 1))], 1],
    ['another order', [sent('2', event('b', 2)), sent('1', event('a', 1))], 1],
    ['another id', [sent('1', event('a', 1)), sent('2', event('b', 2)), sent('3', event('b', 2))], 2],
    ['another body', [sent('1', event('a', 1)), sent('1', event('a', 1), { at: '' }), sent('2', event('b', 2))], 1],
    ['another state', [sent('1', event('a', 1), { data: { x: 1 } }), sent('2', event('b', 2))], 1],
  ])('of a receiver finds %s', (_case, all, wrong) => {
    expect(wrongWithWebhooks('a receiver', all, feed)).toHaveLength(wrong);
  });

  test.each([
    ['nothing wrong in one that came again', [sent('1', event('a', 1)), sent('1', event('a', 1))], 0],
    ['one that came no more', [sent('1', event('a', 1)), sent('2', event('b', 2))], 1],
  ])('of a message that was killed finds %s', (_case, all, wrong) => {
    expect(wrongWithKilled('a receiver', all, new Set(['1']))).toHaveLength(wrong);
  });
});
