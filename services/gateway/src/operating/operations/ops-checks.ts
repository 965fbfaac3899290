import type { ReadHandler } from '@cds/service';
import { BEHIND_THE_BUS, type Dependencies } from '../dependencies.js';
import { mendOf } from '../domain/installation.js';
import type { Installation } from '../installation.js';

type ChecksDeps = { dependencies: Pick<Dependencies, 'check'>; installation: Pick<Installation, 'check'> };

/** Nothing is cached, and a dependency that is down is an answer (docs/domain/operators.md#operators). */
export const opsChecks: ReadHandler<'ops_checks', ChecksDeps> = async (ctx, _input, { dependencies, installation }) => {
  const [checked, installed] = await Promise.all([dependencies.check(), installation.check()]);

  return {
    ok: [...checked, ...installed].every(({ problem }) => problem === null),
    at: ctx.networkNow.toISOString(),
    checks: [
      ...checked.map(({ name, problem, latencyMs }) => ({
        name,
        ok: problem === null,
        latency_ms: latencyMs,
        problem,
        mend: problem === null ? null : mendOf(problem === BEHIND_THE_BUS ? 'bus' : name),
      })),
      ...installed.map(({ name, problem, mend }) => ({ name, ok: problem === null, latency_ms: null, problem, mend })),
    ],
  };
};
