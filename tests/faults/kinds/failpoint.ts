import { execFileSync } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import type { Quote } from '@cds/contracts';
import { unfinishedHolds } from '../../support/audits/audit.js';
import type { Stack } from '../../support/stack.js';
import type { Agent } from '../agent.js';
import type { History } from '../history.js';
import { type System, until } from '../system.js';

/** The failpoints of the signing saga (docs/reliability.md#signing) and the service whose process stops there. */
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

type Process = NonNullable<Stack['services'][string]>[number];

type Interrupted = { system: System; agent: Agent; history: History };

/**
 * Signs with a failpoint armed: the process dies there and is started again while the agent retries. Answers how long
 * the signing took from then until its agent had a final answer and nothing was held for it, in milliseconds; null if
 * the process did not die.
 */
export const dieAt = (failpoint: Failpoint, by: Interrupted): Promise<number | null> =>
  interruptedAt(failpoint, 'kill', by, async (process, { stack }) => {
    if (process.isAlive()) return false;
    await stack.restartService(FAILPOINTS[failpoint]);
    return true;
  });

/** The same with a process that stops there, and is let go on after a while. */
export const stopAt = (failpoint: Failpoint, by: Interrupted, forMs: number): Promise<number | null> =>
  interruptedAt(failpoint, 'stop', by, async (process) => {
    if (!isStopped(process.pid)) return false;
    await delay(forMs);
    process.resume();
    return true;
  });

/** `healed` answers whether the process was interrupted, once it works again. */
const interruptedAt = async (
  failpoint: Failpoint,
  action: 'kill' | 'stop',
  { system, agent, history }: Interrupted,
  healed: (process: Process, system: System) => Promise<boolean>,
): Promise<number | null> => {
  let settledMs: number | null = null;
  await signAt(failpoint, action, system.stack, agent, async (process) => {
    if (!(await healed(process, system))) return false;
    const began = performance.now();
    const approvals = history.writes.filter(({ operation }) => operation === 'approve_plan');
    await until(`the signing that was interrupted at ${failpoint} is final`, async () => {
      const isAnswered = approvals.every(({ answers }) => answers.length > 0);
      return isAnswered && (await unfinishedHolds(system.databases)).length === 0;
    });
    settledMs = performance.now() - began;
    return true;
  });
  return settledMs;
};

/** Runs a job whose signing meets the armed failpoint. Answers whether `meet` found that it had, and dealt with it. */
const signAt = async (
  failpoint: Failpoint,
  action: 'kill' | 'stop',
  stack: Stack,
  agent: Agent,
  meet: (process: Process) => Promise<boolean>,
): Promise<boolean> => {
  const service = FAILPOINTS[failpoint];
  let ended = false;
  let met = false;
  const watch = async () => {
    while (!ended && !met) {
      const process = stack.services[service]?.[0];
      met = process !== undefined && (await meet(process));
      if (!met) await delay(20);
    }
  };
  let watching: Promise<void> = Promise.resolve();
  await agent.job(async (plan) => {
    await arm(stack, service, `${failpoint}=${action}`);
    watching = watch();
    if (failpoint === 'sign.refusal_held')
      await agent.send('approve_plan', { id: plan.plan_id, terms_fingerprint: 'x'.repeat(43) });
    if (failpoint === 'sign.planning_refused') await refuseInsideSigning(stack, agent, plan);
  });
  ended = true;
  await watching;
  return met;
};

const isStopped = (pid: number | undefined): boolean =>
  pid !== undefined &&
  execFileSync('ps', ['-o', 'state=', '-p', String(pid)], { encoding: 'utf8' })
    .trim()
    .startsWith('T');

/** A price that moves after the terms were read and before they are signed: billing waits there meanwhile. */
const refuseInsideSigning = async (stack: Stack, agent: Agent, plan: Quote): Promise<void> => {
  await arm(stack, 'billing', 'sign.request_late=wait:1500');
  const approval = agent.send('approve_plan', { id: plan.plan_id, terms_fingerprint: plan.terms_fingerprint });
  await delay(400);
  await agent.send('sandbox_unit_set', { unit_id: plan.lines[0]?.unit_id, off_sale: true });
  await approval;
  await agent.send('sandbox_unit_clear', { unit_id: plan.lines[0]?.unit_id });
};

const arm = async (stack: Stack, service: string, text: string): Promise<void> => {
  const port = stack.services[service]?.[0]?.opsPort();
  const response = await fetch(`http://127.0.0.1:${port}/failpoints`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ arm: text }),
  });
  if (!response.ok) throw new Error(`could not arm ${text}`);
};
