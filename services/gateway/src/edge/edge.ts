import type { AppError, OperationName, Switches } from '@cds/contracts';
import type { Library } from '@cds/pages';
import type { Bound, Client, Ctx, Reply, WriteShell } from '@cds/service';
import type { Logger } from 'pino';
import type { Callers } from './callers.js';
import type { RequestLog } from './request-log.js';
import type { AllowedHosts } from './steps/host.js';
import type { Claims } from './store/claims.js';
import type { Quotas } from './store/quotas.js';
import type { Windows } from './store/windows.js';

/** A fault of a sandbox: it answers after the delay, or lets the operation answer. */
export type TakenFault = { delayMs: number; error: AppError | null };

export type Edge = {
  appUrl: string;
  opsToken: string;
  relayToken: string;
  hosts: AllowedHosts;
  callers: Callers;
  windows: Pick<Windows, 'count'>;
  claims: Pick<Claims, 'take' | 'wasCounted'>;
  quotas: Pick<Quotas, 'use'>;
  /** Counts a call on the fault that its sandbox armed for it, and returns what that answers; null without one. */
  takeFault: (workspace: string, operation: string, now: Date) => Promise<TakenFault | null>;
  switches: { current: () => Promise<Switches> | Switches };
  /** Database time, for requests without a statement of their own. */
  now: () => Promise<Date>;
  bus: { send: (name: OperationName, ctx: Ctx, input: unknown, limitMs: number) => Promise<Reply> };
  /** What creators' links open, which proposals knows. */
  creatorLinks: Client<'creator_link' | 'creator_link_opened'>;
  /** The gateway's own operations, which run in this process. */
  own: ReadonlyMap<string, Bound>;
  /** Waits until what a sandbox's write caused has reached every service; never raises. */
  awaitPropagation: (ctx: Ctx) => Promise<void>;
  library: Pick<Library, 'contents'>;
  /** Takes note of every answered request of a key. */
  requestLog: Pick<RequestLog, 'add'>;
  shell: WriteShell;
  log: Logger;
};
