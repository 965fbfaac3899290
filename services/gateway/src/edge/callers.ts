import type { Principal } from '@cds/contracts';
import type { Exchange } from './http/exchange.js';
import type { EdgeRefusal } from './http/refusal.js';

/** Who a request comes from, with both clocks (docs/reliability.md#clocks). */
export type Caller = {
  principal: Principal;
  commandOwner: string;
  suspended: boolean;
  faultsArmed: boolean;
  resetting: boolean;
  now: Date;
  networkNow: Date;
};

export type Unauthorized = (exchange: Exchange) => EdgeRefusal;

type Effect = 'read' | 'write';

/**
 * Step 4, which accounts answers. Each raises 401, leaves the minute window that it counted on the exchange, and reads
 * with majority concern for a write.
 */
export type Callers = {
  bearer: (exchange: Exchange, effect: Effect, transport: 'mcp' | 'rest', refusal?: Unauthorized) => Promise<Caller>;
  /** A person with a session: as the workspace's own agent key on the API, or as themselves. */
  session: (exchange: Exchange, audience: 'brand' | 'person', effect: Effect) => Promise<Caller>;
  operator: (exchange: Exchange, effect: Effect) => Promise<Caller>;
};
