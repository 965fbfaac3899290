import { setTimeout as delay } from 'node:timers/promises';
import { SERVICES } from '@cds/contracts';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { MongoClient } from 'mongodb';
import { aDraft } from '../support/matrix-arguments.js';
import { aBrand, anIdempotencyKey, ask, type Stack, secretOf, startWholeStack } from '../support/stack.js';

/**
 * Every process of two of each service is replaced, one after the other, while callers work through one address, on a
 * bus of three servers (docs/operating.md#a-cluster-on-one-machine). `CDS_ROLLING_ROUNDS` sets the rounds,
 * `CDS_ROLLING_RPS` how many requests are sent a second, however fast they are answered.
 */
const ROUNDS = Number(process.env['CDS_ROLLING_ROUNDS'] ?? 1);
const REQUESTS_A_SECOND = Number(process.env['CDS_ROLLING_RPS'] ?? 40);
const CALLERS = 16;
/** A caller's requests take turns; each fifth is a write. */
const READS = ['inventory', 'campaign_status', 'orders_list', 'results_list'] as const;

describe('a rolling restart of two replicas of each service', () => {
  let stack: Stack;
  let mongo: MongoClient;
  let callers: { key: string; campaign: string; isWriting: boolean }[];

  beforeAll(async () => {
    stack = await startWholeStack({
      creators: 300,
      behindProxy: true,
      busMembers: 3,
      replicas: Object.fromEntries(SERVICES.map((service) => [service, 2])),
    });
    mongo = await MongoClient.connect(stack.mongodbUri);
    callers = [];
    while (callers.length < CALLERS) {
      const { live, sandbox } = await aBrand(stack);
      for (const workspace of [live, sandbox]) {
        const key = secretOf(workspace, 'full');
        const made = await ask(stack, key, 'create_campaign', aDraft(new Date().toISOString().slice(0, 10)));
        callers.push({ key, campaign: (made.body as { id: string }).id, isWriting: false });
      }
    }
  }, 240_000);

  afterAll(async () => {
    await mongo?.close();
    await stack?.stop();
  }, 60_000);

  /** The load is that of many keys; these few get a new minute each second. */
  const freshMinute = () =>
    mongo
      .db(`${stack.prefix}cds_gateway`)
      .collection('keys')
      .updateMany({}, { $set: { n: 0 } });

  const rename = async (caller: (typeof callers)[number], name: string) => {
    caller.isWriting = true;
    try {
      const { key, campaign: id } = caller;
      return await ask(stack, key, 'rename_campaign', { id, name }, { 'idempotency-key': anIdempotencyKey() });
    } finally {
      caller.isWriting = false;
    }
  };

  const request = async (count: number): Promise<string | null> => {
    const caller = callers[count % callers.length] as (typeof callers)[number];
    const { key, campaign } = caller;
    const turn = Math.floor(count / callers.length) % (READS.length + 1);
    // Writes to one campaign that overlap may well refuse each other, so a caller reads until its last one is answered.
    const read = READS[turn] ?? (caller.isWriting ? 'campaign_status' : undefined);
    const answer =
      read === undefined
        ? await rename(caller, `Draft ${count}`)
        : await ask(stack, key, read, read === 'campaign_status' ? { id: campaign } : {});
    return answer.status < 300 ? null : `${read ?? 'rename_campaign'} ${answer.status} ${JSON.stringify(answer.body)}`;
  };

  it(
    `fails no request in ${ROUNDS} rounds`,
    async () => {
      let over = false;
      let sent = 0;
      const failed: string[] = [];
      const running = new Set<Promise<void>>();
      const began = performance.now();
      const send = (): void => {
        sent += 1;
        const one: Promise<void> = request(sent)
          .catch((error: unknown) => `no answer: ${String(error)}`)
          .then((problem) => {
            if (problem !== null) failed.push(problem);
            running.delete(one);
          });
        running.add(one);
      };
      const atRate = async () => {
        while (!over) {
          const due = ((performance.now() - began) / 1_000) * REQUESTS_A_SECOND;
          while (sent < due) send();
          await delay(10);
        }
      };
      const minutes = (async () => {
        for (; !over; await delay(1_000)) await freshMinute();
      })();
      const load = atRate();

      const gatewayPorts = stack.appUrls.map((url) => Number(new URL(url).port));
      for (let round = 0; round < ROUNDS; round += 1)
        for (const service of SERVICES)
          for (const index of [0, 1]) {
            const restart = () => stack.restartService(service, index);
            if (service === 'gateway') await stack.front?.without(gatewayPorts[index] ?? 0, restart);
            else await restart();
          }
      over = true;
      await Promise.all([load, minutes]);
      await Promise.all(running);

      expect(failed).toEqual([]);
      expect(sent).toBeGreaterThan(100);
    },
    120_000 + ROUNDS * 120_000,
  );
});
