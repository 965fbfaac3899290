import { Agent } from 'node:http';
import { type EditablePlan, plansOf } from '../fixture.js';
import { goal, rateRatio } from '../goals.js';
import { copyFor } from '../references.js';
import { targetOf } from '../requests.js';
import { runRounds } from '../rounds.js';
import type { Scenario } from '../scenario.js';
import { ENGINES, ROUNDS, SECONDS, SIGNERS, say } from '../settings.js';
import { swap } from '../swaps.js';
import { bareEdit, openTransactions } from '../transactions.js';
import { loopVariant, pidsOf } from '../variants.js';

/** POST /plans/{id}/lines/{line_id}/swap on plans of about twenty lines, against the bare transaction: goal 9. */
export const edits: Scenario = async (bench) => {
  const { stack, captured } = bench;
  const { editable } = plansOf(bench);
  const database = await copyFor(stack, 'bare', captured);
  const transactions = await openTransactions(stack.mongodbUri, database);
  const agent = new Agent({ keepAlive: true, maxSockets: SIGNERS });
  try {
    await transactions.create(['commands']);
    // Plans take turns, so that none is edited twice at once and no key reaches its limit.
    const turns = (plans: readonly EditablePlan[]) => {
      const waiting = [...plans];
      return async (work: (plan: EditablePlan) => Promise<unknown>) => {
        const plan = waiting.shift();
        if (plan === undefined) throw new Error('every plan is being edited; seed more brands');
        await work(plan);
        waiting.push(plan);
      };
    };
    const [bareTurn, ourTurn] = [turns(editable), turns(editable)];
    const system = targetOf(stack, agent);
    const services = ['gateway', 'planning', 'catalog', 'billing', 'metrics'];
    const found = await runRounds(
      [
        loopVariant('bare', SIGNERS, { driver: [process.pid], ...ENGINES }, () =>
          bareTurn(({ planId }) => bareEdit(transactions, planId)),
        ),
        loopVariant('ours', SIGNERS, pidsOf(stack, services), () => ourTurn((plan) => swap(system, plan))),
      ],
      { rounds: Math.min(ROUNDS, 6), seconds: SECONDS, progress: say },
    );
    return {
      comparisons: { [`POST swap, about 20 lines, ${SIGNERS} in flight`]: found },
      goals: [goal(9, 'POST swap against its bare transaction', '>=', 0.2, rateRatio(found, 'ours', 'bare'))],
    };
  } finally {
    agent.destroy();
    await transactions.close();
  }
};
