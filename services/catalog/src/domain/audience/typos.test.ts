import { describe, expect, it } from '@jest/globals';
import { resolveAudience, segmentsIn } from './segments.js';
import { Spelling } from './typos.js';

const spelling = new Spelling(['keyboards', 'founders', 'parents', 'gaming', 'tax', 'trainers', 'traders']);

describe('a misspelled word (docs/domain/network.md#audience-text)', () => {
  it.each([
    ['keybords', 'keyboard'],
    ['keyybords', 'keyybord'],
    ['foundres', 'founder'],
    ['fuonders', 'founder'],
    ['founderz', 'founder'],
    ['faunders', 'founder'],
    ['foundders', 'founder'],
    ['gamign', 'gaming'],
    ['patents', 'patent'],
    ['bounders', 'bounder'],
    ['taxx', 'taxx'],
    ['traiders', 'traider'],
    ['founders', 'founder'],
  ])('%p reads %p', (written, read) => {
    expect(spelling.corrected(written)).toBe(read);
  });

  it.each([
    ['mechanical keybords', ['consumer-tech']],
    ['markting teams', ['marketing']],
    ['profesors', ['education']],
    ['patent lawyers', []],
    ['police officers', []],
  ])('%p resolves to %p', (text, ids) => {
    expect(resolveAudience(text).segments.map(({ id }) => id)).toEqual(ids);
  });

  it('stays as it is in posts and bios', () => {
    expect(segmentsIn('keybords').unresolved).toBe(true);
  });
});
