/** Which format to buy, and why (docs/domain/network.md#advice). */
import type { FormatAdvice, Goal } from '@cds/contracts';
import { QUOTE_SAVES } from '../constants.js';

/** Cents per 1,000 views of post and quote, null when not buyable. `others`: another format is buyable too. */
export type AdviceFacts = { measured: boolean; postCost: number | null; quoteCost: number | null; others: boolean };

const advice = (recommended: FormatAdvice['recommended'], reason: string): FormatAdvice => ({ recommended, reason });

/** The advice for a creator, depending on the goal if one is given. */
export const adviceFor = ({ measured, postCost, quoteCost, others }: AdviceFacts, goal: Goal | null): FormatAdvice => {
  if (!measured) return advice(null, 'Too few measured posts to advise a format.');
  if (postCost === null && quoteCost === null)
    return advice(null, others ? 'Neither a post nor a quote is on sale.' : 'No format is on sale.');
  if (postCost === null || quoteCost === null)
    return advice(
      postCost === null ? 'quote' : 'post',
      others ? 'Of post and quote, the only one on sale.' : 'The only format on sale.',
    );

  switch (goal) {
    case 'launch':
    case 'funding':
      return quoteCost <= postCost
        ? advice('quote', 'A quote points readers at your own launch post at no more per view.')
        : advice('post', 'A post costs less per view here.');
    case 'feature':
    case 'program':
      return quoteCost <= QUOTE_SAVES * postCost
        ? advice('quote', 'A quote costs at least a quarter less per view.')
        : advice('post', 'A post stands on its own after the moment has passed.');
    case null:
      return advice(
        quoteCost < postCost ? 'quote' : 'post',
        others ? 'The lower cost per view of post and quote.' : 'The lower cost per view of the two.',
      );
  }
};
