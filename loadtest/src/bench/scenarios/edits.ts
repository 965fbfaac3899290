import { Agent } from 'node:http';
import { MongoClient } from 'mongodb';
import { bareEdit, prepareEditing } from '../editing.js';
import { type EditablePlan, plansOf } from '../fixture.js';
import { gate, rateRatio } from '../gates.js';
import { startMono } from '../references.js';
import { targetOf } from '../requests.js';
import { runRounds } from '../rounds.js';
import type { Scenario } from '../scenario.js';
import { ENGINES, ROUNDS, SECONDS, SIGNERS, say } from '../settings.js';
import { swap } from '../swaps.js';
import { loopVariant, pidsOf } from '../variants.js';

/**
 * POST /plans/{id}/lines/{line_id}/swap on plans of about twenty lines, against the bare transaction and `mono`: gate
 * 9.
 */
export const edits: Scenario = async (bench) => {
  const { stack, captured } = bench;
  const { editable } = plansOf(bench);
  const mono = await startMono(stack, captured, 'one');
  const client = await MongoClient.connect(stack.mongodbUri, { maxPoolSize: 64 });
  const agent = new Agent({ keepAlive: true, maxSockets: SIGNERS });
  try {
    const bareDb = client.db(`${stack.prefix}bench_mono`);
    await prepareEditing(bareDb);
    const bare = bareEdit(client, bareDb);
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
    const copies = () => editable.map((plan) => ({ ...plan }));
    const [bareTurn, monoTurn, ourTurn] = [turns(copies()), turns(copies()), turns(editable)];
    const [atMono, atOurs] = [targetOf(stack, agent, mono.port), targetOf(stack, agent)];
    const services = ['gateway', 'planning', 'catalog', 'billing', 'metrics'];
    const driver = [process.pid];
    const found = await runRounds(
      [
        loopVariant('bare', SIGNERS, { driver, ...ENGINES }, () => bareTurn(({ planId }) => bare(planId))),
        loopVariant('mono', SIGNERS, { ...mono.pids, ...ENGINES }, () => monoTurn((plan) => swap(atMono, plan))),
        loopVariant('ours', SIGNERS, pidsOf(stack, services), () => ourTurn((plan) => swap(atOurs, plan))),
      ],
      { rounds: Math.min(ROUNDS, 6), seconds: SECONDS, progress: say, watch: bench.watch },
    );
    return {
      comparisons: { [`POST swap, about 20 lines, ${SIGNERS} in flight`]: found },
      gates: [gate(9, 'POST swap against its bare transaction', '>=', 0.2, rateRatio(found, 'ours', 'bare'))],
    };
  } finally {
    agent.destroy();
    mono.stop();
    await client.close();
  }
};
