// @night: kills gateways and waits for what the last second loses.
import { setTimeout as delay } from 'node:timers/promises';
import type { Output } from '@cds/contracts';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Databases } from '../support/audits/audit.js';
import { aBrand, ask, keptStack, type SeededWorkspace, type Stack, secretOf } from '../support/stack.js';

/** The seeded keys that ask, each of both gateways at once, so that two gateways count on the same days. */
const KEYS = ['full', 'reader', 'writer'] as const;
const KILLS = 3;
const ANSWERS = 20;
/**
 * A killed gateway loses what it noted since its last write began: a second, and what that write took, which is long on
 * a busy machine.
 */
const LOST_MS = 1_000 + 1_500;
/** How long a gateway answers before it is killed: a log that was written less often would lose more than LOST_MS. */
const SERVED_MS = 3_000;
/** How much later in its second the next kill comes. */
const LATER_MS = 300;
/** Between two requests of a client, so that the log stays small while a gateway starts. */
const PAUSE_MS = 10;
const WAIT_MS = 60_000;

type Row = { _id: string; request_id: string; key_id: string; status: number };
type Day = { key_id: string; ok: number; errors: number };
type Answered = { id: string; key: string; status: number; at: number };

/** The request log of gateways that are killed (docs/domain/requests.md#usage; I52). */
describe('the request log, when gateways are killed', () => {
  let stack: Stack;
  let databases: Databases;
  let workspace: SeededWorkspace;

  beforeAll(async () => {
    stack = await keptStack('pairs');
    databases = await Databases.open(stack.mongodbUri, stack.prefix);
    ({ live: workspace } = await aBrand(stack));
  }, 180_000);
  afterAll(async () => {
    await databases?.close();
  });

  const at = (gateway: number) => ({ ...stack, appUrl: stack.appUrls[gateway] ?? '' });
  const idOf = (name: string) => workspace.keys.find((key) => key.name === name)?.id ?? '';
  const keyIds = () => KEYS.map(idOf);

  /** Log and counted days of the keys at one instant. */
  const stored = async (): Promise<{ rows: Row[]; days: Day[] }> => {
    const gateway = databases.of('gateway');
    const of = { key_id: { $in: keyIds() } };
    const session = databases.client.startSession({ snapshot: true });
    try {
      const rows = await gateway.collection<Row>('request_log').find(of, { session }).toArray();
      const days = await gateway.collection<Day>('usage_days').find(of, { session }).toArray();
      return { rows, days };
    } finally {
      await session.endSession();
    }
  };

  const until = async (what: string, holds: () => boolean | Promise<boolean>): Promise<void> => {
    for (const end = performance.now() + WAIT_MS; !(await holds()); await delay(20))
      if (performance.now() > end) throw new Error(`${what}: not within ${WAIT_MS / 1_000} s`);
  };

  let clients = 0;
  /** A client that asks one gateway with one key, one request after the other, until it is stopped or not answered. */
  const client = (gateway: number, name: string) => {
    clients += 1;
    const one = clients;
    const answers: Answered[] = [];
    /** Requests without an answer, which a kill leaves counted or not. */
    const unanswered: string[] = [];
    let going = true;
    const run = async (): Promise<void> => {
      while (going) {
        const id = `client-${one}-${answers.length}`;
        try {
          const { status } = await ask(at(gateway), secretOf(workspace, name), 'inventory', {}, { 'x-request-id': id });
          answers.push({ id, key: idOf(name), status, at: performance.now() });
          await delay(PAUSE_MS);
        } catch {
          unanswered.push(id);
          return;
        }
      }
    };
    const done = run();
    const stop = async () => {
      going = false;
      await done;
    };
    return { answers, unanswered, done, stop };
  };
  const fleet = (gateway: number) => KEYS.map((name) => client(gateway, name));
  type Client = ReturnType<typeof client>;

  const storedIds = async () => new Set((await stored()).rows.map(({ request_id }) => request_id));
  const countOf = (fleetOf: readonly Client[]) => fleetOf.reduce((sum, { answers }) => sum + answers.length, 0);

  it(
    'counts each answered request once and loses at most the last second of a killed gateway',
    async () => {
      const surviving = fleet(1);
      const killed: { fleet: Client[]; at: number }[] = [];
      for (let kill = 0; kill < KILLS; kill += 1) {
        const asking = fleet(0);
        await until('every client has a stored request', async () => {
          const ids = await storedIds();
          return asking.every(({ answers }) => answers.some(({ id }) => ids.has(id)));
        });
        const served = performance.now() + SERVED_MS + kill * LATER_MS;
        await until('the gateway has answered for long enough', () => performance.now() >= served);
        const killedAt = performance.now();
        await stack.kill('gateway', 0);
        await Promise.all(asking.map(({ done }) => done));
        killed.push({ fleet: asking, at: killedAt });
        await stack.restartService('gateway', 0);
      }
      const restarted = fleet(0);
      await until('the restarted gateway answers', () => countOf(restarted) >= ANSWERS);
      await Promise.all([...surviving, ...restarted].map(({ stop }) => stop()));
      const whole = [...surviving, ...restarted];
      await until('all that was answered by a living gateway is stored', async () => {
        const ids = await storedIds();
        return whole.every(({ answers }) => answers.every(({ id }) => ids.has(id)));
      });

      const { rows, days } = await stored();
      const ids = new Set(rows.map(({ request_id }) => request_id));
      const all = [...whole, ...killed.flatMap((one) => one.fleet)];

      expect(rows).toHaveLength(ids.size);
      const sent = new Set(all.flatMap(({ answers, unanswered }) => [...answers.map(({ id }) => id), ...unanswered]));
      expect([...ids].filter((id) => !sent.has(id))).toEqual([]);

      for (const { fleet: asked, at: killedAt } of killed)
        for (const { answers } of asked) {
          const lost = answers.filter(({ id }) => !ids.has(id));
          // Only the end is lost, never a request before one that is stored.
          expect(answers.slice(answers.length - lost.length)).toEqual(lost);
          for (const one of lost) expect(killedAt - one.at).toBeLessThan(LOST_MS);
        }

      for (const key of keyIds()) {
        const own = rows.filter(({ key_id }) => key_id === key);
        const errors = own.filter(({ status }) => status >= 400).length;
        const counted = days.filter(({ key_id }) => key_id === key);
        expect({
          ok: counted.reduce((sum, day) => sum + day.ok, 0),
          errors: counted.reduce((sum, day) => sum + day.errors, 0),
        }).toEqual({ ok: own.length - errors, errors });
        // Asked with another key, which this key's counts leave out.
        for (const gateway of [0, 1]) {
          const answer = await ask(at(gateway), secretOf(workspace, 'muted'), 'keys_usage', { days: 7, key_id: key });
          expect(answer.body as Output<'keys_usage'>).toMatchObject({ total: own.length, errors });
        }
      }
      // The statuses are those that the callers saw.
      const seen = new Map(all.flatMap(({ answers }) => answers.map(({ id, status }) => [id, status] as const)));
      expect(rows.filter(({ request_id, status }) => (seen.get(request_id) ?? status) !== status)).toEqual([]);
    },
    WAIT_MS * (KILLS + 2) * 2,
  );
});
