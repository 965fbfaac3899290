import { type EventPayload, SERVICES, type ServiceName } from '@cds/contracts';
import type { Sweep } from '../clock/sweeps.js';
import { Deadline } from '../deadline/deadline.js';
import type { Emitted } from '../outbox/outbox.js';
import type { BaseShell } from '../process/shell.js';
import { namedUuid } from '../pure/named-uuid.js';
import { inTx } from '../store/in-tx.js';
import { Lease } from '../store/lease.js';
import { CheckpointDirectory } from './checkpoint-sink.js';
import { Checkpointer } from './checkpointer.js';
import { AuditDuties } from './duties.js';
import { AuditHeads } from './heads.js';
import { Sealer } from './sealer.js';
import { type AuditFinding, SINK, Verifier } from './verifier.js';

type Task = EventPayload<'billing_task.opened'>;

export type OpenTask = (task: Task) => Promise<void>;

/** Sealing, checkpoints and verifying, each under a lease of one replica (docs/reliability.md#audit). */
export const auditWork = (shell: BaseShell, openTask: OpenTask = byEvent(shell)) => {
  const { service, store, audit, log, failpoints, config, trail } = shell;
  const heads = new AuditHeads(store);
  const duties = new AuditDuties(store);
  const lease = new Lease(store, 'audit');
  const verifying = new Lease(store, 'audit_verifier');
  const sink = new CheckpointDirectory(config.audit.directory, service);
  const { key, formerKeys } = config.audit;

  const sealer = new Sealer({ service, store, audit, heads, lease, failpoints });
  const checkpointer = new Checkpointer({
    ...{ service, store, heads, duties, sink, key, lease, failpoints },
    checkpoints: trail.checkpoints,
  });
  const verifier = new Verifier({
    ...{ service, store, log, audit, heads, duties, sink },
    checkpoints: trail.checkpoints,
    lease: verifying,
    trusted: new Set([key.name, ...formerKeys]),
    openTask: (workspace, findings, at) => openTask(taskOf(service, workspace, findings, at)),
  });
  return {
    sweeps: [sealer.sweep(), checkpointer.sweep(), verifier.sweep()] satisfies Sweep[],
    /** Asks a running verification to end; stopping the sweeps waits for it. */
    ending: (): void => verifier.stop(),
    /** Lets another replica continue at once. */
    stop: async (): Promise<void> => {
      await Promise.all([lease.release(), verifying.release()]);
    },
  };
};

const nameOf = (workspace: string): string => {
  if (workspace === SINK) return 'the file of checkpoints';
  return workspace === '' ? "the operators' own chain" : `the chain of workspace ${workspace}`;
};

/** The task about a chain. Its id names the first place, so that later tampering elsewhere opens another task. */
export const taskOf = (service: ServiceName, workspace: string, findings: readonly AuditFinding[], at: Date): Task => {
  const [first] = findings;
  return {
    aggregate: namedUuid('audit_chain_broken', service, workspace, String(first?.seq)),
    version: 1,
    kind: 'audit_chain_broken',
    about: {},
    note: `In ${service}, ${nameOf(workspace)}: ${findings.length} finding(s), the first at place ${first?.seq} (${first?.problem}).`,
    opened_at: at.toISOString(),
  };
};

/** Opens a task by the service's own event; the gateway, which stores tasks, has none and opens its own itself. */
const byEvent =
  ({ service, store, outbox }: BaseShell): OpenTask =>
  async (payload) => {
    if (service === SERVICES[0]) throw new Error('the gateway opens its tasks itself');
    const opened = { name: `${service}_task.opened`, payload } as Emitted;
    await inTx(store, Deadline.in(10_000), (tx) => outbox.add(tx, [opened], new Date(payload.opened_at)));
  };
