import type { ReadHandler } from '@cds/service';
import type { Dependencies } from '../public/dependencies.js';

/**
 * Asks everything that the gateway depends on, now: nothing is cached, and a dependency that is down is an answer.
 * Source: docs/domain/access.md#operators.
 */
export const opsChecks: ReadHandler<'ops_checks', { dependencies: Pick<Dependencies, 'check'> }> = async (
  ctx,
  _input,
  { dependencies },
) => {
  const checked = await dependencies.check();

  return {
    ok: checked.every(({ problem }) => problem === null),
    at: ctx.networkNow.toISOString(),
    checks: checked.map(({ name, problem, latencyMs }) => ({
      name,
      ok: problem === null,
      latency_ms: latencyMs,
      problem,
    })),
  };
};
