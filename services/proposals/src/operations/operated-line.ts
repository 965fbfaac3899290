import { notFound } from '@cds/contracts';
import type { Clocks } from '@cds/service';
import type { Chain } from '../domain/chain.js';
import type { Offers } from '../store/offers.js';

/** What operators' writes need besides the offers: the business time of a line's workspace. */
export type LineClock = { clocks: Pick<Clocks, 'now' | 'read'> };

/** A paid line of any workspace with its newest proposal. Raises not_found. */
export const chainOfAny = async (offers: Offers, lineId: string): Promise<Chain> => {
  const chain = await offers.ofAnyWorkspace(lineId);
  if (chain === null || chain.proposal === null) throw notFound('line');
  return { line: chain.line, proposal: chain.proposal };
};
