// @night: one kind of outage, which `faults` causes by day too.
import { setTimeout as delay } from 'node:timers/promises';
import { SERVICES } from '@cds/contracts';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { aDraft } from '../support/matrix-arguments.js';
import { aReplicaSet, type ReplicaSet, whileFrozen } from '../support/replica-set.js';
import { aBrand, anIdempotencyKey, ask, eventually, type Stack, secretOf, startWholeStack } from '../support/stack.js';

const BRANDS = 3;
const KEYS = ['full', 'narrow', 'muted'];
/** So many writes of each key are answered while the primary is frozen; of a brand's 20 messages of feedback, 12. */
const EACH = 3;

/**
 * A hanging primary, such as a full disk or a stopped machine causes (docs/reliability.md#mongodb,
 * docs/reliability.md#faults). It stays frozen until the writes are answered, so only a failover answers them.
 * `npm run test:faults` measures how long that takes.
 */
describe('a frozen primary', () => {
  let set: ReplicaSet;
  let stack: Stack;
  let keys: string[];
  /** A draft of each brand's full keys. Renaming it crosses the bus, so a handler that hung would be counted. */
  const drafts = new Map<string, string>();

  beforeAll(async () => {
    set = await aReplicaSet('frozen');
    stack = await startWholeStack({ mongod: set, creators: 0 });
    keys = [];
    for (let brand = 0; brand < BRANDS; brand += 1) {
      const { live, sandbox } = await aBrand(stack);
      for (const name of KEYS) keys.push(secretOf(live, name), secretOf(sandbox, name));
      for (const workspace of [live, sandbox]) {
        const key = secretOf(workspace, 'full');
        const made = await ask(stack, key, 'create_campaign', aDraft(new Date().toISOString().slice(0, 10)));
        drafts.set(key, (made.body as { id: string }).id);
      }
    }
  }, 180_000);

  afterAll(async () => {
    await stack?.stop();
    await set?.stop();
  }, 60_000);

  /** Writes with one key, each until it is answered. Spread out: a key has 60 requests a minute. */
  const writing = async (key: string): Promise<void> => {
    const draft = drafts.get(key);
    for (let done = 0; done < EACH; done += 1) {
      const headers = { 'idempotency-key': anIdempotencyKey() };
      for (;;) {
        const answer =
          draft === undefined
            ? await ask(stack, key, 'feedback_send', { message: 'hello' }, headers)
            : await ask(stack, key, 'rename_campaign', { id: draft, name: `Draft ${done}` }, headers);
        if (answer.status < 300) break;
        expect([409, 503]).toContain(answer.status);
        await delay(500);
      }
      await delay(1_000);
    }
  };

  const running = async (service: string): Promise<number> => {
    const [one] = stack.services[service] ?? [];
    const answer = await fetch(`http://127.0.0.1:${one?.opsPort()}/metrics`);
    return Number(/^cds_requests_running\S* (\d+)/m.exec(await answer.text())?.[1] ?? Number.NaN);
  };

  it('is abandoned: writes are answered while it is frozen, and no handler hangs', async () => {
    const primary = await set.primary();
    await whileFrozen(primary, () => Promise.all(keys.map(writing)));

    const left = await eventually(
      async () => ({
        status: 200,
        body: await Promise.all(SERVICES.map((service) => running(service))),
        headers: new Headers(),
      }),
      (counts: number[]) => counts.every((count) => count === 0),
    );
    expect(left.body).toEqual(SERVICES.map(() => 0));
    await expect(set.primary()).resolves.toBeDefined();
  }, 90_000);
});
