import { plansOf, type SignablePlan } from '../fixture.js';
import { goal, p50Ratio, rateRatio } from '../goals.js';
import { requestBytes } from '../http-load.js';
import { runRounds, type VariantReport } from '../rounds.js';
import type { Bench, Scenario } from '../scenario.js';
import { ENGINES, ROUNDS, SECONDS, SIGNERS, say } from '../settings.js';
import { openFloor } from '../transactions.js';
import { httpVariant, loopVariant, pidsOf } from '../variants.js';

/** POST /plans/{id}/approve against its lower bound, one transaction of one database: goal 10. */
export const approve: Scenario = async (bench) => {
  const { signable } = plansOf(bench);
  const many = await approvals(bench, signable, SIGNERS, ROUNDS);
  const single = await approvals(bench, signable, 1, Math.min(ROUNDS, 5));
  return {
    comparisons: {
      [`POST /plans/{id}/approve, ${SIGNERS} in flight`]: many,
      'POST /plans/{id}/approve, 1 in flight': single,
    },
    goals: [
      goal(10, `POST approve against the floor, ${SIGNERS} in flight`, '>=', 0.2, rateRatio(many, 'ours', 'floor')),
      goal(10, 'POST approve against the floor, p50 at 1 in flight', '<=', 6, p50Ratio(single, 'ours', 'floor')),
    ],
  };
};

const approvals = async (
  { stack }: Bench,
  signable: SignablePlan[],
  inFlight: number,
  rounds: number,
): Promise<VariantReport[]> => {
  const database = `${stack.prefix}bench_floor_${inFlight}`;
  const floor = await openFloor(stack.mongodbUri, database);
  let count = 0;
  const next = () => {
    const plan = signable.pop();
    if (plan === undefined) throw new Error('no plans are left to sign; use fewer rounds');
    count += 1;
    return requestBytes(
      'POST',
      `/api/v1/plans/${plan.planId}/approve`,
      {
        host: new URL(stack.appUrl).host,
        authorization: `Bearer ${plan.secret}`,
        'idempotency-key': `bench-${inFlight}-${count}`,
      },
      JSON.stringify({ terms_fingerprint: plan.fingerprint }),
    );
  };
  const services = ['gateway', 'billing', 'planning', 'catalog', 'proposals', 'metrics'];
  const port = Number(new URL(stack.appUrl).port);
  const ours = await httpVariant('ours', { port, connections: inFlight, pids: pidsOf(stack, services) }, next);
  const reference = loopVariant('floor', inFlight, { driver: [process.pid], ...ENGINES }, () => floor.approve());
  try {
    return await runRounds([reference, ours.variant], { rounds, seconds: SECONDS, progress: say });
  } finally {
    ours.close();
    await floor.close();
  }
};
