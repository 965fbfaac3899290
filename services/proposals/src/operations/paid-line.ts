import { notFound } from '@cds/contracts';
import type { Clocks } from '@cds/service';
import type { Chain } from '../domain/chain.js';
import type { Offers } from '../store/offers.js';

export type LineClock = { clocks: Pick<Clocks, 'now' | 'read'> };

/** Of any workspace when `ws` is null. Raises not_found. */
export const paidChain = async (offers: Offers, lineId: string, ws: string | null): Promise<Chain> => {
  const chain = await offers.byLine(ws, lineId);
  if (chain === null || chain.proposal === null) throw notFound('line');
  return { line: chain.line, proposal: chain.proposal };
};
