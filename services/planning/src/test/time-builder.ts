import fc from 'fast-check';
import { choose } from '../domain/builder/build.js';
import { AUDIENCE, networks } from './networks.js';

/**
 * Prints the builder's CPU time for 5,000 candidates, the lesser of two runs of each brief: a busy machine only adds to
 * it.
 */
const RUNS = 2;
const [candidates = []] = fc.sample(networks({ minLength: 5_000, maxLength: 5_000 }), { numRuns: 1, seed: 8 });

const times = (['launch', 'program'] as const).flatMap((goal) =>
  [600_000, 5_000_000].map((capCents) => {
    const runs = Array.from({ length: RUNS }, () => {
      const before = process.cpuUsage();
      const { choice } = choose(candidates, { goal, audience: AUDIENCE, capCents, postTwice: goal === 'program' });
      if (choice === null) throw new Error('5,000 candidates make a plan');
      const { user, system } = process.cpuUsage(before);
      return (user + system) / 1000;
    });
    return { brief: `${goal} ${capCents}`, cpuMs: Math.min(...runs) };
  }),
);
process.stdout.write(JSON.stringify(times));
