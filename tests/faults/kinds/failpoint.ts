import { setTimeout as delay } from 'node:timers/promises';
import type { Quote } from '@cds/contracts';
import type { Agent } from '../agent.js';
import type { System } from '../system.js';

/** The failpoints of the signing saga (docs/reliability.md#signing) and the service whose process dies there. */
export const FAILPOINTS = {
  'sign.before_reserve': 'billing',
  'sign.refusal_held': 'billing',
  'sign.reserved': 'billing',
  'sign.request_late': 'billing',
  'sign.planning_in_tx': 'planning',
  'sign.planning_committed': 'planning',
  'sign.planning_refused': 'planning',
  'sign.verdict_received': 'billing',
  'sign.order_written': 'billing',
} as const;
export type Failpoint = keyof typeof FAILPOINTS;

/**
 * Signs with a failpoint armed: the process dies there and is started again while the agent retries. It is over when
 * the agent's job has ended and the process is ready. Answers whether the process died.
 */
export const dieAt = async (failpoint: Failpoint, { stack }: System, agent: Agent): Promise<boolean> => {
  const service = FAILPOINTS[failpoint];
  let ended = false;
  let died = false;
  const watch = async () => {
    while (!ended) {
      if (stack.services[service]?.[0]?.isAlive() === false) {
        died = true;
        await stack.restartService(service);
        return;
      }
      await delay(20);
    }
  };
  let watching: Promise<void> = Promise.resolve();
  await agent.job(async (plan) => {
    await arm(stack, service, `${failpoint}=kill:1`);
    watching = watch();
    if (failpoint === 'sign.refusal_held')
      await agent.send('approve_plan', { id: plan.plan_id, terms_fingerprint: 'x'.repeat(43) });
    if (failpoint === 'sign.planning_refused') await refuseInsideSigning(stack, agent, plan);
  });
  ended = true;
  await watching;
  return died;
};

/** A price that moves after the terms were read and before they are signed: billing waits there meanwhile. */
const refuseInsideSigning = async (stack: System['stack'], agent: Agent, plan: Quote): Promise<void> => {
  await arm(stack, 'billing', 'sign.request_late=wait:1500');
  const approval = agent.send('approve_plan', { id: plan.plan_id, terms_fingerprint: plan.terms_fingerprint });
  await delay(400);
  await agent.send('sandbox_unit_set', { unit_id: plan.lines[0]?.unit_id, off_sale: true });
  await approval;
  await agent.send('sandbox_unit_clear', { unit_id: plan.lines[0]?.unit_id });
};

const arm = async (stack: System['stack'], service: string, text: string): Promise<void> => {
  const port = stack.services[service]?.[0]?.opsPort();
  const response = await fetch(`http://127.0.0.1:${port}/failpoints`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ arm: text }),
  });
  if (!response.ok) throw new Error(`could not arm ${text}`);
};
