import { AppError, type Output } from '@cds/contracts';
import type { Caller } from '../callers.js';
import { contextOf, LIMIT_MS } from '../context.js';
import type { Edge } from '../edge.js';
import type { Exchange } from '../http/exchange.js';
import { EdgeRefusal } from '../http/refusal.js';
import { admitAddress, CREATOR_WINDOW, withoutWorkspace } from './caller.js';
import { bearerOf, unknownCredential } from './credential.js';

/** What a link's token looks like (docs/domain/pages.md#creator-links); any other is unknown without a call. */
const TOKEN = /^cdl_[0-9a-f-]{36}_\d{1,6}_[A-Za-z0-9_-]{43}$/;

/** Step 4 without a link that opens something: never made, replaced by a newer one, or ended. */
const noLink = (): EdgeRefusal =>
  new EdgeRefusal(
    'unauthorized',
    'This link is unknown, or a newer one has replaced it. Open the newest message from the team.',
    undefined,
    { 'WWW-Authenticate': 'Bearer' },
  );

type Opened = Output<'creator_link'>;

/** A caller who was counted by client address, as the creator whom a link lets in. */
export const asCreator = (caller: Caller, opened: Opened): Caller => ({
  ...caller,
  principal: {
    ...caller.principal,
    audience: 'creator',
    workspace: opened.workspace,
    sandbox: opened.sandbox,
    creator: {
      id: opened.creator_id,
      proposal: opened.proposal_id,
      line: opened.line_id,
      attempt: opened.attempt,
    },
  },
  commandOwner: `creator:${opened.proposal_id}`,
  now: new Date(opened.now),
});

/**
 * Opening a link delivers the proposal if nobody reported its message sent (docs/domain/orders.md#proposals). Null for
 * a token that opens nothing.
 */
export const openLink = async (edge: Edge, exchange: Exchange, token: string): Promise<Opened | null> => {
  if (!TOKEN.test(token)) return null;
  const caller = withoutWorkspace('system', await edge.now());
  const ctx = contextOf(exchange, caller, null, await edge.switches.current(), LIMIT_MS.read);
  try {
    const opened = await edge.creatorLinks.creator_link(ctx, { token });
    const { proposal_id } = opened;
    if (opened.undelivered) await edge.creatorLinks.creator_link_opened(ctx, { proposal_id });
    return opened;
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_found') return null;
    throw error;
  }
};

/** Step 4 with the token of a link, as bearer (docs/domain/pages.md#creator-links). */
export const admitCreator = async (edge: Edge, exchange: Exchange): Promise<Caller> => {
  const token = bearerOf(exchange);
  const opened = token === null ? null : await openLink(edge, exchange, token);
  if (opened === null) throw await unknownCredential(exchange, noLink);
  return asCreator(await admitAddress(edge, exchange, CREATOR_WINDOW), opened);
};
