import type { Input, OperationName } from '@cds/contracts';
import { type Ctx, Deadline, systemContext } from '@cds/service';
import type { Edge } from '../edge/edge.js';

const NOBODY = '00000000-0000-4000-8000-000000000000';

/** One cheap read of each service: any answer of its own, a refusal included, says that it serves. */
const PROBES: { readonly [N in OperationName]?: Input<N> } = {
  audience_resolve: { text: '' },
  campaign_known: { id: NOBODY },
  terms_current: {},
  proposals_due: { workspace: NOBODY },
  metrics_due: { workspace: NOBODY },
};

/** How long one service may take to answer, and how long a finding is believed. */
const PATIENCE_MS = 1_000;
const FRESH_MS = 500;

/**
 * Whether the whole system serves: the gateway's own bus and database, and each service behind it. Findings are shared
 * and kept for a moment, so that asking often costs little.
 */
export class Readiness {
  private known: { ready: boolean; at: number } | undefined;
  private asking: Promise<boolean> | undefined;

  constructor(
    private readonly edge: Pick<Edge, 'bus' | 'now'>,
    private readonly busUp: () => boolean,
  ) {}

  ready(): Promise<boolean> | boolean {
    if (this.known !== undefined && performance.now() - this.known.at < FRESH_MS) return this.known.ready;
    this.asking ??= this.ask().finally(() => {
      this.asking = undefined;
    });
    return this.asking;
  }

  private async ask(): Promise<boolean> {
    const ready = this.busUp() && (await this.everyServiceAnswers());
    this.known = { ready, at: performance.now() };
    return ready;
  }

  private async everyServiceAnswers(): Promise<boolean> {
    try {
      const now = await Deadline.in(PATIENCE_MS).run(() => this.edge.now());
      const ctx = systemContext({ workspace: NOBODY, sandbox: false, now, networkNow: now, limitMs: PATIENCE_MS });
      const found = await Promise.all(Object.entries(PROBES).map(([name, input]) => this.answers(ctx, name, input)));
      return found.every(Boolean);
    } catch {
      return false;
    }
  }

  private async answers(ctx: Ctx, name: string, input: unknown): Promise<boolean> {
    const reply = await this.edge.bus.send(name as OperationName, ctx, input, PATIENCE_MS);
    return reply.ok || (reply.error.code !== 'unavailable' && reply.error.code !== 'internal');
  }
}
