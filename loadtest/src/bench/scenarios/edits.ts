import { randomUUID } from 'node:crypto';
import { Agent, request } from 'node:http';
import { MongoClient } from 'mongodb';
import type { Stack } from '../../../../tools/lib/stack.js';
import { bareEdit, prepareEditing } from '../editing.js';
import { type EditablePlan, plansOf } from '../fixture.js';
import { gate, rateRatio } from '../gates.js';
import { startMono } from '../references.js';
import { runRounds } from '../rounds.js';
import type { Scenario } from '../scenario.js';
import { ENGINES, ROUNDS, SECONDS, SIGNERS, say } from '../settings.js';
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
    const turns = () => {
      const waiting = editable.map((plan) => ({ ...plan }));
      return async (work: (plan: EditablePlan) => Promise<void>) => {
        const plan = waiting.shift();
        if (plan === undefined) throw new Error('every plan is being edited; seed more brands');
        await work(plan);
        waiting.push(plan);
      };
    };
    const [bareTurn, monoTurn, ourTurn] = [turns(), turns(), turns()];
    const services = ['gateway', 'planning', 'catalog', 'billing', 'metrics'];
    const driver = [process.pid];
    const found = await runRounds(
      [
        loopVariant('bare', SIGNERS, { driver, ...ENGINES }, () => bareTurn(({ planId }) => bare(planId))),
        loopVariant('mono', SIGNERS, { ...mono.pids, ...ENGINES }, () =>
          monoTurn((plan) => swap(stack, mono.port, agent, plan)),
        ),
        loopVariant('ours', SIGNERS, pidsOf(stack, services), () =>
          ourTurn((plan) => swap(stack, Number(new URL(stack.appUrl).port), agent, plan)),
        ),
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

/** Swaps the plan's line for the other unit, and stores the new line's id. */
const swap = async (stack: Stack, port: number, agent: Agent, plan: EditablePlan): Promise<void> => {
  const body = JSON.stringify({ unit_id: plan.units[plan.edits % 2] });
  const secret = plan.secrets[plan.edits % plan.secrets.length];
  const answer = await new Promise<string>((resolve, reject) => {
    const sent = request(
      {
        agent,
        port,
        host: '127.0.0.1',
        method: 'POST',
        path: `/api/v1/plans/${plan.planId}/lines/${plan.lineId}/swap`,
        headers: {
          host: new URL(stack.appUrl).host,
          authorization: `Bearer ${secret}`,
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(body),
          'idempotency-key': randomUUID(),
        },
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString();
          if (response.statusCode === 200) resolve(text);
          else reject(new Error(`a swap responded ${response.statusCode}: ${text.slice(0, 300)}`));
        });
      },
    );
    sent.once('error', reject);
    sent.end(body);
  });
  plan.lineId = /"line_id":"([^"]+)"/.exec(answer)?.[1] ?? '';
  plan.edits += 1;
};
