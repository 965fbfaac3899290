import type { ServiceName } from '@cds/contracts';
import type { Lease } from '../store/lease.js';
import type { Store } from '../store/store.js';
import type { CheckpointSink } from './checkpoint-sink.js';
import type { Checkpoints } from './checkpoints.js';
import type { AuditDuties } from './duties.js';
import type { AuditHeads } from './heads.js';

/** What works on the chains of a service: the lease lets one replica do it. */
export type ChainWorkDeps = { service: ServiceName; store: Store; heads: AuditHeads; lease: Lease };

/** What also writes or reads checkpoints, in the database and outside, and notes when it did so last. */
export type CheckpointWorkDeps = ChainWorkDeps & {
  checkpoints: Checkpoints;
  duties: AuditDuties;
  sink: CheckpointSink;
};
