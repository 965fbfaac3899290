import { type Input, type OperationName, operationByName, type ServiceName } from '@cds/contracts';
import { type Ctx, Deadline, systemContext } from '@cds/service';
import type { Edge } from '../edge/port.js';

const NOBODY = '00000000-0000-4000-8000-000000000000';

/** One cheap read of each service. Any answer of its own, even a refusal, shows that it serves. */
const PROBES: { readonly [N in OperationName]?: Input<N> } = {
  audience_resolve: { text: '' },
  campaign_known: { id: NOBODY },
  terms_current: {},
  proposals_due: { workspace: NOBODY },
  metrics_due: { workspace: NOBODY },
};

const TIMEOUT_MS = 1_000;

/** Without the bus no service can be asked, whatever its state: fix the bus first. */
export const BEHIND_THE_BUS = 'it cannot be asked while the bus is away';

/** A dependency as it answered just now; `problem` is our own text, null if it is well. */
export type Checked = { name: 'database' | 'bus' | ServiceName; problem: string | null; latencyMs: number | null };

export class Dependencies {
  constructor(
    private readonly of: {
      bus: Edge['bus'];
      now: Edge['now'];
      busUp: () => boolean;
    },
  ) {}

  async check(): Promise<Checked[]> {
    const { now, busUp } = this.of;
    const database = this.asked('database', async () => {
      await now();
      return null;
    });
    const isBusUp = busUp();
    const bus: Checked = { name: 'bus', problem: isBusUp ? null : 'the connection is down', latencyMs: null };
    const services = Object.entries(PROBES).map(([name, input]) => this.probed(name as OperationName, input, isBusUp));
    return [await database, bus, ...(await Promise.all(services))];
  }

  private probed(name: OperationName, input: unknown, isBusUp: boolean): Promise<Checked> {
    const service = operationByName(name)?.service ?? 'gateway';
    if (!isBusUp) return Promise.resolve({ name: service, problem: BEHIND_THE_BUS, latencyMs: null });
    return this.asked(service, async () => {
      const at = new Date(0);
      const ctx: Ctx = systemContext({
        workspace: NOBODY,
        sandbox: false,
        now: at,
        networkNow: at,
        limitMs: TIMEOUT_MS,
      });
      const reply = await this.of.bus.send(name, ctx, input, TIMEOUT_MS);
      const well = reply.ok || (reply.error.code !== 'unavailable' && reply.error.code !== 'internal');
      return well ? null : `it answers ${reply.error.code}`;
    });
  }

  private async asked(name: Checked['name'], ask: () => Promise<string | null>): Promise<Checked> {
    const start = performance.now();
    try {
      const problem = await Deadline.in(TIMEOUT_MS).run(ask);
      return { name, problem, latencyMs: Math.round(performance.now() - start) };
    } catch {
      return { name, problem: `it did not answer within ${TIMEOUT_MS} ms`, latencyMs: null };
    }
  }
}
