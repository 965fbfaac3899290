import type { Principal } from '@cds/contracts';
import type { Exchange } from './http/exchange.js';
import type { EdgeRefusal } from './http/refusal.js';

/** Who a request comes from, with both clocks (docs/reliability.md#clocks). */
export type Caller = {
  principal: Principal;
  /** The owner of command ids: the key's uuid, or the kind of a caller without one. */
  commandOwner: string;
  suspended: boolean;
  /** Whether a developer armed faults in the caller's sandbox, so that its calls look for one. */
  faultsArmed: boolean;
  /** Whether the caller's sandbox is being reset. */
  resetting: boolean;
  now: Date;
  networkNow: Date;
};

export type Unauthorized = (exchange: Exchange) => EdgeRefusal;

type Effect = 'read' | 'write';

/**
 * Step 4, which accounts answers: who calls. Each raises 401 for a credential that is missing, unknown or ended, and
 * leaves on the exchange the minute window that it counted. A write reads its credential with majority concern.
 */
export type Callers = {
  bearer: (exchange: Exchange, effect: Effect, transport: 'mcp' | 'rest', refusal?: Unauthorized) => Promise<Caller>;
  /** A person with a session: as the workspace's own agent key on the API, or as themselves. */
  session: (exchange: Exchange, audience: 'brand' | 'person', effect: Effect) => Promise<Caller>;
  operator: (exchange: Exchange, effect: Effect) => Promise<Caller>;
};
