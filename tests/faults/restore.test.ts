// @night: needs a copy made under load.
import { copyFileSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { RepublishRun } from '@cds/contracts';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { startMongod } from '../../tools/lib/stack.js';
import { Databases } from '../support/audits/audit.js';
import { wrongAtRest } from '../support/audits/audits.js';
import { ask, type Stack, startWholeStack } from '../support/stack.js';
import { Agent } from './agent.js';
import { aCopy, type Copy, canCopyStreams, copyStreams, restoreStreams } from './copies.js';
import { wrongEffects } from './effects.js';
import { History, type Write } from './history.js';
import { Random } from './random.js';

/**
 * The restore drill (docs/operating.md#the-restore-drill), by `npm run drill`: a system is copied under load by the
 * commands of the Kubernetes jobs, and built again from the copy: on engines that never saw it, and in its own place.
 * `CDS_DRILL_APPROVALS` is how many plans are signed before the copy begins.
 */
const APPROVALS = Number(process.env['CDS_DRILL_APPROVALS'] ?? 0);
const AGENTS = 3;
const QUIET_MS = 120_000;
/** What agents write after the copy is made, which nobody has after the restore. */
const AFTER_APPROVALS = 2;
const PREFIX = 'drill_';

const say = (text: string): void => {
  process.stderr.write(`  ${text}\n`);
};

const seconds = (from: number): string => `${((performance.now() - from) / 1_000).toFixed(1)} s`;

const brief = (answer: unknown): string => JSON.stringify(answer).slice(0, 300);

const folder = (name: string): string => mkdtempSync(join(process.env['CDS_TEST_HOME'] ?? tmpdir(), name));

const until = async (what: string, holds: () => boolean | Promise<boolean>): Promise<void> => {
  for (const end = performance.now() + QUIET_MS; !(await holds()); await delay(100))
    if (performance.now() > end) throw new Error(`not within ${QUIET_MS / 1_000} s: ${what}`);
};

const signed = ({ writes }: History): number =>
  writes.filter(({ operation, answers }) => operation === 'approve_plan' && answers[0]?.status === 200).length;

(APPROVALS > 0 ? describe : describe.skip)('a system restored from a copy that was made under load', () => {
  const history = new History();
  const home = folder('drill-');
  const volume = folder('backups-');
  let copy: Copy;
  /** What was answered before the copy began. The others came while it was made, or later. */
  let known: ReadonlySet<Write>;

  beforeAll(async () => {
    const mongod = await startMongod({ home, binary: process.env['CDS_TEST_MONGOD_BIN'] ?? '' });
    copy = aCopy(mongod, home, volume);
    say(`MongoDB is copied by ${copy.means}, streams ${canCopyStreams ? 'by the job' : 'not: no nats program'}`);
    const stack = await startWholeStack({ mongod, home, prefix: PREFIX, creators: 300 });
    const random = new Random(1);
    let over = false;
    const agents = Array.from({ length: AGENTS }, (_none, index) =>
      new Agent(stack, `drill${index}`, random.fork(), history, () => over).run(),
    );
    try {
      await until('plans are signed', () => signed(history) >= APPROVALS);
      if (canCopyStreams) await copyStreams(stack.natsUrl, volume);
      known = new Set(history.writes.filter(({ answers }) => answers.length > 0));
      const began = performance.now();
      await copy.take();
      const meanwhile = history.writes.filter((write) => write.answers.length > 0 && !known.has(write)).length;
      say(`copied in ${seconds(began)}; ${known.size} writes were answered before and ${meanwhile} meanwhile`);
      const atCopy = signed(history);
      await until('more plans are signed', () => signed(history) >= atCopy + AFTER_APPROVALS);
    } finally {
      over = true;
      await Promise.all(agents);
      await stack.stop({ keepData: true });
      await mongod.stop();
    }
    expect(history.faults()).toEqual([]);
  }, 600_000);

  /** A home that never saw the system, with what an operator keeps beside the copy: the secrets. */
  const elsewhere = (): string => {
    const into = folder('restored-');
    copyFileSync(join(home, 'secrets.json'), join(into, 'secrets.json'));
    return into;
  };

  const republish = async (stack: Stack): Promise<void> => {
    const began = performance.now();
    expect((await ask(stack, stack.opsToken, 'ops_republish', {})).status).toBe(202);
    const runs = async () =>
      ((await ask(stack, stack.opsToken, 'ops_republish_progress', {})).body as { runs: RepublishRun[] }).runs;
    await until('all is published again', async () => (await runs()).every(({ done_at }) => done_at !== null));
    say(`published again in ${seconds(began)}`);
  };

  const messages = async (stack: Stack): Promise<number> => {
    const { host, username, password } = new URL(stack.natsUrl.replace('nats:', 'http:'));
    const bus = await connect({ servers: host, user: username, pass: decodeURIComponent(password) });
    try {
      const streams = await (await jetstreamManager(bus)).streams.list().next();
      return streams.reduce((sum, { state }) => sum + state.messages, 0);
    } finally {
      await bus.close();
    }
  };

  /** Agents repeat all that they ever sent, under its keys: those that know no answer, and those that do. */
  const repeated = async (stack: Stack): Promise<{ again: History; lost: string[] }> => {
    const again = new History();
    const agent = new Agent(stack, 'again', new Random(2), again, () => true);
    const lost: string[] = [];
    await Promise.all(
      [...Map.groupBy(history.writes, ({ workspace }) => workspace).values()].map(async (writes) => {
        for (const write of writes) {
          const [answer] = (await agent.again(write)).answers;
          const [first] = write.answers;
          if (known.has(write) && !isDeepStrictEqual(answer, first))
            lost.push(
              `${write.operation} ${write.key} was answered ${brief(first)}, and after the restore ${brief(answer)}`,
            );
        }
      }),
    );
    return { again, lost };
  };

  const restores = async (into: string, withStreams: boolean): Promise<void> => {
    const began = performance.now();
    const mongod = await copy.restoredIn(into);
    if (withStreams) await restoreStreams(into, volume);
    const stack = await startWholeStack({ mongod, home: into, prefix: PREFIX, creators: 0 });
    say(`restored and ready in ${seconds(began)}`);
    const databases = await Databases.open(mongod.uri, PREFIX);
    try {
      await republish(stack);
      expect(await messages(stack)).toBeGreaterThan(0);
      expect(await wrongAtRest(databases)).toEqual([]);

      const { again, lost } = await repeated(stack);
      expect(lost).toEqual([]);
      expect(await wrongAtRest(databases)).toEqual([]);
      expect(await wrongEffects(again, databases)).toEqual([]);

      const further = new History();
      await new Agent(stack, 'further', new Random(3), further, () => signed(further) > 0).run();
      expect(further.faults()).toEqual([]);
      expect(await wrongAtRest(databases)).toEqual([]);
    } finally {
      await databases.close();
      await stack.stop({ keepData: true });
      await mongod.stop();
    }
  };

  it(
    'has every answered write once, with all events and projections, on empty engines',
    () => restores(elsewhere(), false),
    600_000,
  );

  (canCopyStreams ? it : it.skip)(
    'has the same in place of a system that went on, with the copied streams',
    () => restores(home, true),
    600_000,
  );
});
