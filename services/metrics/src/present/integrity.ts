import type { Output } from '@cds/contracts';
import { brokenAt, digestOf, type IntegrityEntry, type Seen } from '../domain/integrity.js';

/** The chain of what was seen of a line's post. Source: docs/domain/orders.md#integrity. */
export const presentIntegrity = (entries: readonly IntegrityEntry[]): Output<'line_integrity'> => ({
  items: entries.map(({ at, kind, before, after, seq, previous_hash, hash }) => ({
    at: at.toISOString(),
    kind,
    before: seenOnWire(before),
    after: seenOnWire(after),
    seq,
    previous_hash,
    hash,
  })),
  unbroken: brokenAt(entries) === null,
});

const seenOnWire = (seen: Seen | null) => {
  if (seen === null) return null;
  const { post_id: _post, ...shown } = seen;
  return { digest: digestOf(seen), ...shown };
};
