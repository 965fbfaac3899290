import { proves } from '@cds/service/testing';
import { describe, expect, it } from '@jest/globals';
import { adviceFor } from './format-advice.js';

const facts = (postCost: number | null, quoteCost: number | null, { measured = true, others = false } = {}) => ({
  measured,
  postCost,
  quoteCost,
  others,
});
const WITH_THREAD = { others: true };

describe('the format advice', () => {
  it.each([
    ['unmeasured', facts(100, 50, { measured: false }), null, null, 'Too few measured posts to advise a format.'],
    ['nothing on sale', facts(null, null), 'launch', null, 'No format is on sale.'],
    ['only the post on sale', facts(100, null), 'launch', 'post', 'The only format on sale.'],
    ['only the quote on sale', facts(null, 100), null, 'quote', 'The only format on sale.'],
    ['only a thread on sale', facts(null, null, WITH_THREAD), null, null, 'Neither a post nor a quote is on sale.'],
    ['post and thread', facts(100, null, WITH_THREAD), null, 'post', 'Of post and quote, the only one on sale.'],
    ['all three', facts(100, 99, WITH_THREAD), null, 'quote', 'The lower cost per view of post and quote.'],
    [
      'launch, quote as cheap',
      facts(100, 100),
      'launch',
      'quote',
      'A quote points readers at your own launch post at no more per view.',
    ],
    ['funding, post cheaper', facts(99, 100), 'funding', 'post', 'A post costs less per view here.'],
    [
      'feature, a quarter cheaper',
      facts(100, 75),
      'feature',
      'quote',
      'A quote costs at least a quarter less per view.',
    ],
    [
      'program, less than a quarter',
      facts(100, 76),
      'program',
      'post',
      'A post stands on its own after the moment has passed.',
    ],
    ['no goal, a tie', facts(100, 100), null, 'post', 'The lower cost per view of the two.'],
    ['no goal, quote cheaper', facts(100, 99), null, 'quote', 'The lower cost per view of the two.'],
  ] as const)('%s', (_name, of, goal, recommended, reason) => {
    proves('creators.advice');
    expect(adviceFor(of, goal)).toEqual({ recommended, reason });
  });
});
