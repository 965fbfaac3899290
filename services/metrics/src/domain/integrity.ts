// What was seen of a post and how it changed, chained by hashes per line (docs/domain/orders.md#integrity).
import { createHash } from 'node:crypto';
import type { IntegrityKind } from '@cds/contracts';
import { canonicalJson } from '@cds/service/canonical-json';
import type { IntegrityHead, Post } from './post.js';

export type Seen = {
  post_id: string | null;
  present: boolean;
  text: string | null;
  media_ids: string[];
  disclosure: string | null;
  views: number | null;
  likes: number | null;
};

export type IntegrityEntry = {
  _id: string;
  ws: string;
  line_id: string;
  attempt: number;
  seq: number;
  at: Date;
  kind: IntegrityKind;
  before: Seen | null;
  after: Seen | null;
  previous_hash: string | null;
  hash: string;
};

export const seenOf = (post: Post | null): Seen | null =>
  post === null || post.published_at === null
    ? null
    : {
        post_id: post.post_id,
        present: post.gone_at === null,
        text: post.content?.text ?? null,
        media_ids: post.content?.media_ids ?? [],
        disclosure: post.disclosure,
        views: post.figures.latest?.views ?? null,
        likes: post.figures.latest?.likes ?? null,
      };

export const digestOf = (seen: Seen): string => sha256(canonicalJson(seen));

/** Counts grow with every reading and are no change. */
export const changesBetween = (before: Post | null, after: Post): IntegrityKind[] => {
  const [was, is] = [seenOf(before), seenOf(after)];
  if (was === null && is === null) return [];
  if (was === null || is === null) return [was === null ? 'accepted' : 'withdrawn'];
  if (was.post_id !== is.post_id) return ['withdrawn', 'accepted'];
  return [
    ...(was.present === is.present ? [] : [is.present ? ('restored' as const) : ('deleted' as const)]),
    ...(was.text === is.text && was.media_ids.join() === is.media_ids.join() ? [] : ['edited' as const]),
    ...(was.disclosure === is.disclosure
      ? []
      : [is.disclosure === null ? ('disclosure_hidden' as const) : ('disclosure_shown' as const)]),
    ...((before?.inflated_by ?? 1) === (after.inflated_by ?? 1) ? [] : ['inflated' as const]),
  ];
};

export const withEntries = (before: Post | null, after: Post, at: Date): { post: Post; entries: IntegrityEntry[] } => {
  let head = before?.integrity ?? null;
  const [was, is] = [seenOf(before), seenOf(after)];
  const entries = changesBetween(before, after).map((kind): IntegrityEntry => {
    const of = {
      ws: after.ws,
      line_id: after._id,
      attempt: kind === 'withdrawn' ? (before?.attempt ?? after.attempt) : after.attempt,
      seq: (head?.seq ?? 0) + 1,
      at,
      kind,
      before: kind === 'accepted' ? null : was,
      after: kind === 'withdrawn' ? null : is,
      previous_hash: head?.hash ?? null,
    };
    const hash = hashOf(of);
    head = { seq: of.seq, hash, kind, at };
    return { _id: `${of.line_id}|${of.seq}`, ...of, hash };
  });
  return { post: { ...after, integrity: head }, entries };
};

/** The `seq` of the first entry that does not follow from the one before it; null when the chain is whole. */
export const brokenAt = (entries: readonly IntegrityEntry[], before: IntegrityHead | null = null): number | null => {
  let previous = before?.hash ?? null;
  for (const [index, entry] of entries.entries()) {
    if (
      entry.seq !== (before?.seq ?? 0) + index + 1 ||
      entry.previous_hash !== previous ||
      entry.hash !== hashOf(entry)
    )
      return entry.seq;
    previous = entry.hash;
  }
  return null;
};

const hashOf = ({
  ws,
  line_id,
  attempt,
  seq,
  at,
  kind,
  before,
  after,
  previous_hash,
}: Omit<IntegrityEntry, '_id' | 'hash'>): string =>
  sha256(canonicalJson({ ws, line_id, attempt, seq, at: at.toISOString(), kind, before, after, previous_hash }));

const sha256 = (text: string): string => createHash('sha256').update(text, 'utf8').digest('hex');
