import { claimAt } from '@cds/contracts';
import type { ReadHandler } from '@cds/service';

/** The empty company context of a guest, whole or one section. Source: docs/specification.md#brain. */
export const guestContext: ReadHandler<'guest_context', { appUrl: string }> = async (_ctx, { section }, { appUrl }) => {
  const empty = { version: 0, confirmed_at: null, claim: claimAt(appUrl) };

  return section === undefined ? { ...empty, context: {}, versions: [] } : { ...empty, section, value: null };
};
