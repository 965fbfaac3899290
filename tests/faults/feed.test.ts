// @night: a longer run of what `faults` does by day, with followers.
import { seedFrom } from '@cds/service/testing';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { keptStack, type Stack } from '../support/stack.js';
import { type FeedFaultReport, runFeedFaults } from './feed.js';

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
