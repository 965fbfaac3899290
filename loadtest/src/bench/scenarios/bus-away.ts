import { getRequest } from '../fixture.js';
import { goal } from '../goals.js';
import { HttpLoad } from '../http-load.js';
import { quantile } from '../rounds.js';
import type { Scenario } from '../scenario.js';
import { SECONDS } from '../settings.js';
import { inTurn } from '../variants.js';

const CONNECTIONS = 16;
/** Until the gateway has noticed: requests in progress then wait for their deadline. */
const NOTICED_MS = 3_000;

/** How fast reads are refused while nats-server is away: goal 14. Nothing can be measured after it. */
export const busAway: Scenario = async ({ stack, readers }) => {
  const requests = readers.map(({ secret }) => getRequest(stack, '/api/v1/inventory', secret));
  const load = new HttpLoad(Number(new URL(stack.appUrl).port), CONNECTIONS);
  await load.open();
  try {
    await stack.nats.kill();
    await new Promise((resolve) => setTimeout(resolve, NOTICED_MS));
    const { latencies, statuses } = await load.slice(SECONDS, inTurn(requests));
    const others = [...statuses.keys()].filter((status) => status !== 503);
    if (others.length > 0) throw new Error(`without a bus, a read responded ${others.join(', ')}`);
    const [p50, p99] = [quantile(latencies, 0.5), quantile(latencies, 0.99)];
    return {
      comparisons: {},
      figures: { 'Reads without a bus: ms until 503': { p50: round(p50), p99: round(p99), answers: latencies.length } },
      goals: [goal(14, 'reads without a bus, p99 of their 503', '<=', 50, p99, 'ms')],
    };
  } finally {
    load.close();
  }
};

const round = (ms: number): number => Number(ms.toFixed(1));
