import { FEED_KINDS, FEED_SCOPES, type FeedAggregate, type FeedKind, type Scope } from '@cds/contracts';

const aggregateOf = (kind: FeedKind): FeedAggregate => kind.slice(0, kind.indexOf('.')) as FeedAggregate;

/** The scope that a kind needs besides campaigns:read; undefined for most. */
const scopeOfKind = (kind: FeedKind): Scope | undefined => FEED_SCOPES[aggregateOf(kind)];

/**
 * What a caller sees of the feed: the kinds that it asked for, or the scope that one of them lacks; undefined for every
 * kind. No scope contains another, so proof and readings take their own (docs/domain/events.md#events).
 */
export const viewOf = (
  scopes: readonly Scope[],
  asked: readonly FeedKind[] | null,
): { kinds: readonly FeedKind[] | undefined } | { missing: Scope } => {
  const missingFor = (kind: FeedKind): Scope | null => {
    const scope = scopeOfKind(kind);
    return scope === undefined || scopes.includes(scope) ? null : scope;
  };
  if (asked === null) {
    const kinds = FEED_KINDS.filter((kind) => missingFor(kind) === null);
    return { kinds: kinds.length === FEED_KINDS.length ? undefined : kinds };
  }
  const missing = asked.map(missingFor).find((scope) => scope !== null);
  return missing === undefined ? { kinds: asked } : { missing };
};
