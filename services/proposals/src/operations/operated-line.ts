import { notFound } from '@cds/contracts';
import type { Clocks } from '@cds/service';
import type { Chain } from '../domain/chain.js';
import type { Offers } from '../store/offers.js';

export type LineClock = { clocks: Pick<Clocks, 'now' | 'read'> };

export const chainOfAny = async (offers: Offers, lineId: string): Promise<Chain> => {
  const chain = await offers.ofAnyWorkspace(lineId);
  if (chain === null || chain.proposal === null) throw notFound('line');
  return { line: chain.line, proposal: chain.proposal };
};
