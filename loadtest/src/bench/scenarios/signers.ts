import { plansOf, post, type SignablePlan } from '../fixture.js';
import { goal, rateRatio } from '../goals.js';
import { quantile, runRounds, type Slice, type Variant } from '../rounds.js';
import type { Scenario } from '../scenario.js';
import { ROUNDS, SECONDS, say } from '../settings.js';

/** Approvals at once. A key has 60 requests a minute, so each burst of one key has a key of its own. */
const AT_ONCE = 50;

/** So many approvals at once on one key, against the same on as many keys: goal 11. */
export const signers: Scenario = async (bench) => {
  const { signable } = plansOf(bench);
  const byKey = Map.groupBy(signable, ({ secret }) => secret);
  const rounds = Math.min(ROUNDS, 6);
  // One burst more than the rounds warms up.
  const bursts = rounds + 1;
  const atOnce = Math.min(AT_ONCE, byKey.size - bursts);
  const plans = [...byKey.values()].filter((some) => some.length >= Math.max(atOnce, bursts));
  if (atOnce < 1 || plans.length < bursts + atOnce)
    throw new Error('too few keys with plans to sign; seed more brands');
  const oneKey = plans.slice(0, bursts).map((some) => some.slice(0, atOnce));
  const others = plans.slice(bursts, bursts + atOnce);
  const manyKeys = Array.from({ length: bursts }, (_none, burst) => others.flatMap((some) => some[burst] ?? []));
  const used = new Set([...oneKey, ...manyKeys].flat());
  signable.splice(0, signable.length, ...signable.filter((plan) => !used.has(plan)));

  const found = await runRounds(
    [burstsOf('many keys', bench.stack.apiUrl, manyKeys), burstsOf('one key', bench.stack.apiUrl, oneKey)],
    { rounds, seconds: SECONDS, progress: say },
  );
  return {
    comparisons: { [`POST /plans/{id}/approve, ${atOnce} at once`]: found },
    goals: [
      goal(
        11,
        `${atOnce} approvals on one key against as many keys`,
        '>=',
        0.8,
        rateRatio(found, 'one key', 'many keys'),
      ),
    ],
  };
};

const burstsOf = (name: string, apiUrl: string, bursts: SignablePlan[][]): Variant => ({
  name,
  slice: async (): Promise<Slice> => {
    const plans = bursts.shift() ?? [];
    const began = performance.now();
    const times = await Promise.all(
      plans.map(async ({ planId, fingerprint, secret }) => {
        await post(`${apiUrl}/plans/${planId}/approve`, secret, { terms_fingerprint: fingerprint });
        return performance.now() - began;
      }),
    );
    const sorted = times.sort((one, other) => one - other);
    return {
      operations: plans.length,
      perSecond: (plans.length * 1_000) / (sorted.at(-1) ?? Number.NaN),
      p50: quantile(sorted, 0.5),
      p99: quantile(sorted, 0.99),
      cpu: {},
      failed: 0,
    };
  },
});
