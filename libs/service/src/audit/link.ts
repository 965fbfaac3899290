import type { ServiceName } from '@cds/contracts';
import { type AuditRow, entryOf, type SealedRow } from './audit.js';
import { hashOf, NO_PREVIOUS } from './entry.js';
import type { Head, Move } from './heads.js';

/** Appends rows to the chains of their workspaces, and says how the heads move. Pure (docs/reliability.md#audit). */
export const link = (
  service: ServiceName,
  rows: readonly AuditRow[],
  heads: ReadonlyMap<string, Head>,
  all: Head,
): { sealed: SealedRow[]; moves: Move[] } => {
  const moves = new Map<string, Move>();
  const sealed = rows.map((row, index): SealedRow => {
    const before = heads.get(row.ws) ?? { _id: row.ws, seq: 0, hash: NO_PREVIOUS };
    const last = moves.get(row.ws)?.after ?? before;
    const seq = last.seq + 1;
    const hash = hashOf(entryOf(service, row, seq, last.hash));
    moves.set(row.ws, { before, after: { _id: row.ws, seq, hash } });
    return { ...row, sealed: true, seq, prev: last.hash, hash, place: all.seq + index + 1 };
  });
  const count: Move = { before: all, after: { ...all, seq: all.seq + rows.length } };
  return { sealed, moves: [...moves.values(), count] };
};
