import { Audit, AuditHeads, Deadline, inTx, Lease, Sealer, Store } from '@cds/service';
import { pino } from 'pino';
import type { Scenario } from '../scenario.js';

const ENTRIES = 10_000;
/** How many workspaces the entries belong to. */
const WORKSPACES = [1, 1_000] as const;
const INSERTED_AT_ONCE = 500;

/** The time that one sealer takes for 10,000 waiting audit entries, of one workspace and of many. */
export const sealing: Scenario = async ({ stack }) => {
  const figures: Record<string, unknown> = {};
  for (const workspaces of WORKSPACES)
    figures[`Sealing ${ENTRIES} audit entries of ${workspaces} workspaces`] = await sealed(
      stack.mongodbUri,
      `${stack.prefix}bench_sealing_${workspaces}`,
      workspaces,
    );
  return { comparisons: {}, figures, gates: [] };
};

const sealed = async (uri: string, db: string, workspaces: number): Promise<Record<string, number>> => {
  const store = await Store.open({ uri, db }, pino({ level: 'silent' }));
  try {
    const audit = new Audit(store);
    const heads = new AuditHeads(store);
    const lease = new Lease(store, 'audit');
    await store.migrate();
    await insert(store, audit, workspaces);

    const failpoints = { hit: () => undefined, pause: async () => undefined };
    const sealer = new Sealer({ service: 'billing', store, audit, heads, lease, failpoints });
    const cpu = process.cpuUsage();
    const started = performance.now();
    for (let done = 0; done < ENTRIES; ) done += await sealer.run();
    const ms = performance.now() - started;
    const { user, system } = process.cpuUsage(cpu);
    return {
      ms: Math.round(ms),
      'cpu ms': Math.round((user + system) / 1000),
      'per second': Math.round(ENTRIES / (ms / 1000)),
    };
  } finally {
    await store.db.dropDatabase();
    await store.close();
  }
};

const insert = async (store: Store, audit: Audit, workspaces: number): Promise<void> => {
  for (let made = 0; made < ENTRIES; made += INSERTED_AT_ONCE)
    await inTx(store, Deadline.in(30_000), (tx) =>
      audit.add(
        tx,
        Array.from({ length: INSERTED_AT_ONCE }, (_none, index) => ({
          ws: `workspace-${(made + index) % workspaces}`,
          actor: 'system',
          action: 'bench.act',
          object: `object-${made + index}`,
          payload: { index: made + index },
        })),
        new Date(),
      ),
    );
};
