// What metrics says about a line's post (docs/domain/orders.md#remedies, docs/domain/orders.md#credits).
import type { EventPayload } from '@cds/contracts';
import type { Chain } from './chain.js';
import { asOne, cancelLine, credited, decline, type Move, uncredited, unpublished } from './moves.js';

export type PostChanged = EventPayload<'post.changed'>;

/** Null for an event that is not newer than the last one applied. */
export const followPost = (before: Chain, post: PostChanged): Move | null => {
  const { line } = before;
  if (line.post !== null && line.post.version >= post.version) return null;
  const { version, status, attempt, blocked_reason, still_up_at } = post;
  const seen = {
    version,
    status,
    ...(attempt === undefined ? {} : { attempt }),
    ...(blocked_reason === null ? {} : { blocked_reason }),
    ...(still_up_at === null ? {} : { completed_at: new Date(still_up_at) }),
  };
  const chain = { ...before, line: { ...line, post: seen } };
  // One event may bring both: the event of a proof may be overtaken by that of a claim.
  const made = remedied(chain, post);
  const owed = completed(made?.chain ?? chain, post);
  return owed === null ? (made ?? unpublished(chain, {})) : asOne(before, owed);
};

const remedied = (chain: Chain, { remedy, attempt, status }: PostChanged): Move | null => {
  const { line, proposal } = chain;
  if (remedy == null || line.cancelled || line.remedy_id === remedy.id) return null;
  if (proposal.attempt !== attempt || proposal.state !== 'accepted') return null;
  const seen = { ...chain, line: { ...line, remedy_id: remedy.id } };
  const at = new Date(remedy.at);
  if (remedy.kind === 'replace') return decline(seen, at, 'remedy');
  const amount_cents = remedy.amount_cents ?? line.price_cents;
  return status === 'completed'
    ? credited(seen, { cause: remedy.cause, amount_cents, at })
    : cancelLine(seen, at, remedy.cause, amount_cents);
};

const completed = (chain: Chain, { status, still_up_at }: PostChanged): Move | null => {
  const { line } = chain;
  const difference = line.price_cents - (line.fill_cents ?? line.price_cents);
  const owed = uncredited(line) <= 0 || line.credits?.some(({ cause }) => cause === 'cheaper') === true;
  if (status !== 'completed' || still_up_at === null || difference <= 0 || owed || line.cancelled) return null;
  return credited(chain, { cause: 'cheaper', amount_cents: difference, at: new Date(still_up_at) });
};
