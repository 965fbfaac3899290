import type { OperationName } from '@cds/contracts';
import type { Bound, Ctx, Reply, WriteShell } from '@cds/service';
import type { Logger } from 'pino';
import type { Claims } from '../store/claims.js';
import type { KeyAdmission } from '../store/key-admission.js';
import type { Operators } from '../store/operators.js';
import type { SwitchBoard } from '../store/switches.js';
import type { Windows } from '../store/windows.js';
import type { AllowedHosts } from './steps/host.js';

/** What the steps depend on: the gateway's own collections, the bus, and its own operations. */
export type Edge = {
  appUrl: string;
  opsToken: string;
  hosts: AllowedHosts;
  keys: Pick<KeyAdmission, 'admit'>;
  operators: Pick<Operators, 'admit'>;
  windows: Pick<Windows, 'count'>;
  claims: Pick<Claims, 'take'>;
  switches: Pick<SwitchBoard, 'current'>;
  /** Database time, for requests that read it by no statement of their own. */
  now: () => Promise<Date>;
  bus: { send: (name: OperationName, ctx: Ctx, input: unknown, limitMs: number) => Promise<Reply> };
  /** The gateway's own operations, which run in this process. */
  own: ReadonlyMap<string, Bound>;
  /** Waits until what a sandbox's write caused has reached every service; never raises. */
  awaitPropagation: (ctx: Ctx) => Promise<void>;
  shell: WriteShell;
  log: Logger;
};
