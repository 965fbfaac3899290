import type { Input, OperationName } from '@cds/contracts';
import { type Ctx, Deadline, systemContext } from '@cds/service';
import type { Edge } from '../edge/edge.js';

const NOBODY = '00000000-0000-4000-8000-000000000000';

/** One cheap read of each service. Any answer of its own, even a refusal, shows that it serves. */
const PROBES: { readonly [N in OperationName]?: Input<N> } = {
  audience_resolve: { text: '' },
  campaign_known: { id: NOBODY },
  terms_current: {},
  proposals_due: { workspace: NOBODY },
  metrics_due: { workspace: NOBODY },
};

/** How long one service may take to answer, and how long a result is cached. */
const TIMEOUT_MS = 1_000;
const FRESH_MS = 500;

/**
 * Whether the whole system serves: the gateway's bus and database, and each service behind it. Concurrent probes share
 * one check, and its result is cached briefly, so that frequent probes cost little.
 */
export class Readiness {
  private cached: { ready: boolean; at: number } | undefined;
  private checking: Promise<boolean> | undefined;

  constructor(
    private readonly edge: Pick<Edge, 'bus' | 'now'>,
    private readonly busUp: () => boolean,
  ) {}

  ready(): Promise<boolean> | boolean {
    if (this.cached !== undefined && performance.now() - this.cached.at < FRESH_MS) return this.cached.ready;
    this.checking ??= this.check().finally(() => {
      this.checking = undefined;
    });
    return this.checking;
  }

  private async check(): Promise<boolean> {
    const ready = this.busUp() && (await this.everyServiceAnswers());
    this.cached = { ready, at: performance.now() };
    return ready;
  }

  private async everyServiceAnswers(): Promise<boolean> {
    try {
      const now = await Deadline.in(TIMEOUT_MS).run(() => this.edge.now());
      const ctx = systemContext({ workspace: NOBODY, sandbox: false, now, networkNow: now, limitMs: TIMEOUT_MS });
      const found = await Promise.all(Object.entries(PROBES).map(([name, input]) => this.answers(ctx, name, input)));
      return found.every(Boolean);
    } catch {
      return false;
    }
  }

  private async answers(ctx: Ctx, name: string, input: unknown): Promise<boolean> {
    const reply = await this.edge.bus.send(name as OperationName, ctx, input, TIMEOUT_MS);
    return reply.ok || (reply.error.code !== 'unavailable' && reply.error.code !== 'internal');
  }
}
