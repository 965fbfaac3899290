import { check } from 'k6';
import exec from 'k6/execution';
import type { Options } from 'k6/options';
import { fixture, inTurn } from './api.ts';
import { look, mainJob } from './jobs.ts';

const RUN = __ENV['CDS_LOAD_RUN'] ?? 'smoke';
const SECONDS = Number(__ENV['CDS_LOAD_SECONDS'] ?? '60');
const RATE = Number(__ENV['CDS_LOAD_RATE'] ?? '100');

const seconds = `${SECONDS}s`;

/** A closed model: each agent begins its next job when the previous one is done. */
const agents = (does: string, vus: number) => ({
  executor: 'constant-vus' as const,
  exec: does,
  vus,
  duration: seconds,
});

/** An open model: requests arrive at a rate, whether or not earlier ones were answered. */
const steady = (does: string) => ({
  executor: 'constant-arrival-rate' as const,
  exec: does,
  rate: RATE,
  timeUnit: '1s',
  preAllocatedVUs: 64,
  maxVUs: 1_000,
  duration: seconds,
});

const SCENARIOS: Record<string, NonNullable<Options['scenarios']>> = {
  smoke: {
    rest: { executor: 'per-vu-iterations', exec: 'jobByRest', vus: 1, iterations: 1 },
    mcp: { executor: 'per-vu-iterations', exec: 'jobByMcp', vus: 1, iterations: 1 },
  },
  'main-job': { rest: agents('jobByRest', 2), mcp: agents('jobByMcp', 2) },
  browse: { browse: steady('browse') },
  soak: { browse: steady('browse'), jobs: agents('jobByRest', 2), tools: agents('jobByMcp', 2) },
};

/** How long an operation may take at the 99th percentile, in milliseconds; the run fails beyond it. */
const LIMIT_MS: Record<string, number> = {
  inventory: 250,
  creators_search: 500,
  resolve_audience: 500,
  campaigns_list: 500,
  brain_get: 500,
  campaign_status: 1_000,
  plan_quote: 1_000,
  evidence_list: 1_000,
  results_list: 1_000,
  create_campaign: 5_000,
  plan_swap_creator: 2_000,
  plan_move_dates: 2_000,
  approve_plan: 5_000,
  sandbox_clock: 1_000,
  sandbox_order_payment: 5_000,
  sandbox_clock_advance: 25_000,
};

const timed = RUN !== 'smoke';

const scenarios = SCENARIOS[RUN];
if (scenarios === undefined) throw new Error(`There is no run ${RUN}. Runs: ${Object.keys(SCENARIOS).join(', ')}.`);

export const options: Options = {
  scenarios,
  thresholds: {
    checks: ['rate==1'],
    ...Object.fromEntries(
      Object.entries(LIMIT_MS).map(([operation, limit]) => [
        `http_req_duration{operation:${operation}}`,
        [timed ? `p(99)<${limit}` : 'max>=0'],
      ]),
    ),
  },
  summaryTrendStats: ['avg', 'med', 'p(95)', 'p(99)', 'max'],
  noConnectionReuse: false,
  discardResponseBodies: false,
};

const turn = (): number => exec.scenario.iterationInTest;

/** A script that does not find what it needs in an answer fails the run too. */
const guarded = (job: () => void) => (): void => {
  try {
    job();
  } catch (error) {
    check(null, { 'the script finds what it needs': () => false });
    throw error;
  }
};

const last = fixture.agents.length - 1;

export const browse = guarded(() => look(inTurn(fixture.readers, turn()), turn()));
export const jobByRest = guarded(() => mainJob(inTurn(fixture.agents, turn()), 'rest'));
export const jobByMcp = guarded(() => mainJob(inTurn(fixture.agents, last - (turn() % (last + 1))), 'mcp'));
