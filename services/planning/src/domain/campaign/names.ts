import { codePointCount, type Goal } from '@cds/contracts';
import { monthInWords } from '@cds/service/calendar';
import { DISPLAY_NAME_MAX } from '../constants.js';
import type { Campaign } from '../plan.js';

/**
 * A campaign's stored name: "Acme, launch, March 2027", or "creators" for a missing goal (docs/domain/plans.md#names,
 * docs/domain/plans.md#plan-current).
 */
export const storedName = (company: string, goal: Goal | null, windowStart: string): string =>
  `${company}, ${goal ?? 'creators'}, ${monthInWords(windowStart)}`;

/** The rename, else product, company or a placeholder; cut at a word (docs/domain/plans.md#names). */
export const displayName = (campaign: Pick<Campaign, 'renamed_to' | 'product' | 'company'>): string =>
  shortened(campaign.renamed_to ?? campaign.product ?? campaign.company ?? 'Untitled campaign');

const shortened = (text: string): string => {
  const line = text.replace(/\s+/g, ' ').trim();
  if (codePointCount(line) <= DISPLAY_NAME_MAX) return line;
  const head = [...line].slice(0, DISPLAY_NAME_MAX).join('');
  const word = head.lastIndexOf(' ');
  const cut = word <= 0 ? [...head].slice(0, DISPLAY_NAME_MAX - 1).join('') : head.slice(0, word);
  return `${cut.replace(/[\s,;:.]+$/, '')}…`;
};
