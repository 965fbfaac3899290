import type { Output } from '@cds/contracts';
import { LISTED_ENTRIES } from '../domain/constants.js';
import { brokenAt, digestOf, type IntegrityEntry, type Seen } from '../domain/integrity.js';

export const presentIntegrity = (entries: readonly IntegrityEntry[]): Output<'line_integrity'> => {
  const listed = entries.slice(-LISTED_ENTRIES);
  return {
    items: listed.map(presentEntry),
    unbroken: brokenAt(listed, entries.at(-LISTED_ENTRIES - 1)) === null,
  };
};

const presentEntry = ({ at, kind, before, after, seq, previous_hash, hash }: IntegrityEntry) => ({
  at: at.toISOString(),
  kind,
  before: seenOnWire(before),
  after: seenOnWire(after),
  seq,
  previous_hash,
  hash,
});

const seenOnWire = (seen: Seen | null) => {
  if (seen === null) return null;
  const { post_id: _post, ...shown } = seen;
  return { digest: digestOf(seen), ...shown };
};
