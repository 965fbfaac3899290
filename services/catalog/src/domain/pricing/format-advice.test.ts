import { proves } from '@cds/service/testing';
import { describe, expect, it } from '@jest/globals';
import { adviceFor } from './format-advice.js';

const facts = (postCost: number | null, quoteCost: number | null, measured = true) => ({
  measured,
  postCost,
  quoteCost,
});

describe('the format advice', () => {
  it.each([
    ['unmeasured', facts(100, 50, false), null, null, 'Too few measured posts to advise a format.'],
    ['nothing on sale', facts(null, null), 'launch', null, 'No format is on sale.'],
    ['only the post on sale', facts(100, null), 'launch', 'post', 'The only one of the two formats on sale.'],
    ['only the quote on sale', facts(null, 100), null, 'quote', 'The only one of the two formats on sale.'],
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
