import { namedUuid } from '@cds/service/named-uuid';

/**
 * Cursors of the feed (docs/domain/events.md#events): a place, and a check that it is this workspace's. The check finds
 * mistakes, not attacks: with any cursor, a caller reads its own workspace only.
 */
const CURSOR = /^(0|[1-9]\d{0,14})\.([0-9a-f]{8})$/;

const checkOf = (workspace: string, seq: string): string => namedUuid('feed-cursor', workspace, seq).slice(0, 8);

export const feedCursor = (workspace: string, seq: number): string =>
  Buffer.from(`${seq}.${checkOf(workspace, String(seq))}`).toString('base64url');

export const feedPlaceIn = (workspace: string, cursor: string): number | null => {
  const [, seq, check] = CURSOR.exec(Buffer.from(cursor, 'base64url').toString()) ?? [];
  return seq === undefined || check !== checkOf(workspace, seq) ? null : Number(seq);
};
