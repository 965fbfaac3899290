import { getRequest, plansOf } from '../fixture.js';
import { startMono } from '../references.js';
import type { Scenario } from '../scenario.js';
import { ROUNDS } from '../settings.js';
import { compareReads } from '../variants.js';

/** GET /plans/{id}/quote against `mono` on the same documents; it decides no gate. */
export const quote: Scenario = async (bench) => {
  const { stack, captured } = bench;
  const mono = await startMono(stack, captured, 'one');
  try {
    const requests = plansOf(bench).readable.flatMap((plan) =>
      plan.secrets.map((secret) => getRequest(stack, `/api/v1/plans/${plan.planId}/quote`, secret)),
    );
    const services = ['gateway', 'planning', 'catalog', 'billing'];
    const found = await compareReads(bench, [mono], requests, services, Math.min(ROUNDS, 6));
    return { comparisons: { 'GET /plans/{id}/quote, 64 connections': found }, gates: [] };
  } finally {
    mono.stop();
  }
};
