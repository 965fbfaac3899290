import { installPlatform } from './platform/platform.js';
import type { Blow } from './platform/scheduler.js';
import { enact, KEYS_FROM, type Outcome, PAYMENTS_FROM, simulate } from './simulation.js';
import { SCENARIOS } from './world/scenarios.js';

installPlatform();
// The trace shows what happened; stacks of the many expected errors would cost a third of the time.
Error.stackTraceLimit = 0;

export type Failure = { replay: string; violations: string[] };

export type Report = { runs: number; steps: number; simulatedMs: number; failures: Failure[] };

export const explore = async (seed: number, runs: number, most: number): Promise<Report> => {
  const report = aReport();
  for (let run = 0; run < runs && report.failures.length < most; run += 1)
    count(report, await simulate(seed + run), `--seed ${seed + run}`);
  return report;
};

/** Longer than leases and holds live (docs/reliability.md#deadlines). */
const PAUSE_MS = 6_500;
const BLOWS: readonly Blow[] = ['kill', PAUSE_MS];

export const explorePayments = (seed: number, runs: number, most: number): Promise<Report> =>
  explore(PAYMENTS_FROM + seed, runs, most);

export const exploreKeys = (seed: number, runs: number, most: number): Promise<Report> =>
  explore(KEYS_FROM + seed, runs, most);

/**
 * Every scenario, with the replica of a step killed, and again with it paused: at each step, or at each `every`th of
 * them.
 */
export const strike = async (every: number, most: number): Promise<Report> => {
  const report = aReport();
  for (const scenario of SCENARIOS) {
    const whole = await enact(scenario, null);
    count(report, whole, `--scenario "${scenario.name}"`);
    for (let point = 1; point <= whole.points; point += every)
      for (const blow of BLOWS) {
        if (report.failures.length >= most) return report;
        const again = `--scenario "${scenario.name}" ${blow === 'kill' ? '--kill' : '--pause'} ${point}`;
        count(report, await enact(scenario, { point, blow }), again);
      }
  }
  return report;
};

export const replay = (of: {
  seed: number;
  scenario: string | null;
  kill: number | null;
  pause: number | null;
}): Promise<Outcome> => {
  if (of.scenario === null) return simulate(of.seed, true);
  const scenario = SCENARIOS.find((one) => one.name === of.scenario);
  if (scenario === undefined)
    throw new Error(`no scenario "${of.scenario}"; there are: ${SCENARIOS.map((one) => one.name).join(', ')}`);
  const struck =
    of.kill !== null
      ? { point: of.kill, blow: 'kill' as const }
      : of.pause !== null
        ? { point: of.pause, blow: PAUSE_MS }
        : null;
  return enact(scenario, struck, true);
};

const aReport = (): Report => ({ runs: 0, steps: 0, simulatedMs: 0, failures: [] });

const count = (report: Report, outcome: Outcome, again: string): void => {
  report.runs += 1;
  report.steps += outcome.steps;
  report.simulatedMs += outcome.simulatedMs;
  if (outcome.violations.length > 0) report.failures.push({ replay: again, violations: outcome.violations });
};
