import { codePointCount } from '@cds/contracts';
import { proves } from '@cds/contracts/testing';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { displayName, storedName } from './campaign-writes.js';

const named = (over: Partial<Parameters<typeof displayName>[0]>) =>
  displayName({ renamed_to: null, product: null, company: null, ...over });

describe('the names of a campaign (docs/domain/plans.md#names, docs/domain/plans.md#plan-current)', () => {
  it('stored: company, goal, month and year', () => {
    proves('campaigns.stored-name');
    expect(storedName('Acme', 'launch', '2027-03-10')).toBe('Acme, launch, March 2027');
    expect(storedName('Acme', null, '2027-03-10')).toBe('Acme, creators, March 2027');
  });

  it('shown: the rename, else the product, else the company, else a placeholder', () => {
    proves('campaigns.display-name');
    expect(named({ renamed_to: 'Spring', product: 'Rocket', company: 'Acme' })).toBe('Spring');
    expect(named({ product: 'Rocket', company: 'Acme' })).toBe('Rocket');
    expect(named({ company: 'Acme' })).toBe('Acme');
    expect(named({})).toBe('Untitled campaign');
  });

  it('cuts at a word, with an ellipsis', () => {
    const product = 'A very long description of a product that goes on and on, far beyond sixty characters';
    expect(named({ product })).toBe('A very long description of a product that goes on and on…');
    expect(named({ product: 'x'.repeat(60) })).toBe('x'.repeat(60));
    expect(named({ product: 'x'.repeat(61) })).toBe(`${'x'.repeat(59)}…`);
    expect(named({ renamed_to: product, company: 'Acme' })).toBe(named({ product }));
    expect(named({ company: product })).toBe(named({ product }));
  });

  it('never shows more than 60 characters', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 200 }), (product) => {
        expect(codePointCount(named({ product }))).toBeLessThanOrEqual(60);
      }),
    );
  });
});
