import { type Input, type ListedEntry, type Output, operationByName, type ServiceName } from '@cds/contracts';
import type { Bound } from '../process/dispatch.js';
import type { Store } from '../store/store.js';
import { type Audit, shownEntry } from './audit.js';
import { Checkpoints } from './checkpoints.js';

export class AuditTrail {
  readonly checkpoints: Checkpoints;

  constructor(
    private readonly service: ServiceName,
    store: Store,
    private readonly audit: Audit,
  ) {
    this.checkpoints = new Checkpoints(store);
  }

  async list({ workspace, before, limit }: Input<'billing_audit'>): Promise<{ entries: ListedEntry[] }> {
    const rows = await this.audit.newest(workspace, before, limit);
    return {
      entries: rows.map((row) => ({
        ...shownEntry(this.service, row),
        place: workspace === null ? row.place : row.seq,
        reason: row.reason ?? null,
      })),
    };
  }

  /** Sealed entries of one chain after a place, oldest first, with the checkpoints of those places. */
  async chain({ workspace, after, limit }: Input<'billing_audit_chain'>): Promise<Output<'billing_audit_chain'>> {
    const rows = await this.audit.chain(workspace, after, limit);
    const last = rows.at(-1);
    return {
      entries: rows.map((row) => shownEntry(this.service, row)),
      checkpoints: last === undefined ? [] : await this.checkpoints.between(workspace, after + 1, last.seq),
    };
  }
}

/** Binds the operations on a service's own audit; the gateway has none on the bus. */
export const bindAuditOperations = (service: ServiceName, trail: AuditTrail): Map<string, Bound> => {
  const answers: Readonly<Record<string, (input: never) => Promise<unknown>>> = {
    [`${service}_audit`]: (input) => trail.list(input),
    [`${service}_audit_chain`]: (input) => trail.chain(input),
  };
  return new Map(
    Object.entries(answers).flatMap(([name, answer]): [string, Bound][] => {
      const operation = operationByName(name);
      return operation === undefined ? [] : [[name, { operation, run: (_ctx, input) => answer(input as never) }]];
    }),
  );
};
