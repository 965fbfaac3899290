import { describe, expect, it } from '@jest/globals';
import { segmentsShown, weightsOf } from './weights.js';

describe('the weights of a creator', () => {
  it('add the share of its posts and its bio', () => {
    const posts = ['On sales.', 'On sales.', 'On gaming.', 'Nothing.'];
    expect(weightsOf(posts, 'All about gaming')).toEqual([
      { id: 'gaming', w: 0.475, posts: 1 },
      { id: 'sales', w: 0.35, posts: 2 },
    ]);
  });

  it('reach a segment mentioned in three of fourteen posts', () => {
    const posts = [...Array.from({ length: 11 }, () => 'Nothing.'), 'On sales.', 'On sales.', 'On sales.'];
    expect(segmentsShown(weightsOf(posts, null))).toEqual(['sales']);
  });

  it('show at most six segments, strongest first', () => {
    const weights = 'abcdefgh'.split('').map((id, at) => ({ id, w: 0.9 - at / 10, posts: 1 }));
    expect(segmentsShown(weights)).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
  });
});
