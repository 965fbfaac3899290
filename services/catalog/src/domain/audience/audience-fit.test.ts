import { describe, expect, it } from '@jest/globals';
import { type AudienceTexts, describedAudience, fitSummary, labelsInText } from './audience-fit.js';
import { liveChannel } from './coverage.js';

const texts = (over: {
  sent?: Partial<AudienceTexts['sent']>;
  campaign?: AudienceTexts['campaign'];
  onFile?: string | null;
}): AudienceTexts => ({
  sent: { product: null, audience: null, geography: null, ...over.sent },
  campaign: over.campaign ?? null,
  onFile: over.onFile ?? null,
});
const campaign = { product: 'a CRM', audience: 'gamers', geography: 'Spain' };
const idsOf = (of: AudienceTexts) => describedAudience(of).segments.map(({ id }) => id);

describe('the audience of an audience fit', () => {
  it.each([
    [
      'the text sent before all others',
      texts({ sent: { audience: 'parents' }, campaign, onFile: 'sales' }),
      ['parents'],
    ],
    ['the campaign before the context', texts({ campaign, onFile: 'sales' }), ['gaming']],
    ['the context when nothing else is said', texts({ onFile: 'sales' }), ['sales']],
    ['the context when a blank text is sent', texts({ sent: { audience: '  ' }, onFile: 'sales' }), ['sales']],
    ['the product when no audience is said', texts({ sent: { product: 'recipes' } }), ['food']],
    [
      'the product when the audience names none',
      texts({ sent: { audience: 'nice people', product: 'recipes' } }),
      ['food'],
    ],
    [
      'the product sent before the campaign’s',
      texts({ sent: { product: 'recipes', audience: 'x' }, campaign }),
      ['food'],
    ],
    [
      'the product sent before the audience on file',
      texts({ sent: { product: 'recipes' }, onFile: 'sales' }),
      ['food'],
    ],
    ['the product sent before the campaign', texts({ sent: { product: 'recipes' }, campaign }), ['food']],
    ['the campaign when the product sent names none', texts({ sent: { product: 'a thing' }, campaign }), ['gaming']],
    [
      'the campaign’s product before the audience on file',
      texts({ campaign: { ...campaign, product: 'recipes', audience: null }, onFile: 'sales' }),
      ['food'],
    ],
    [
      'the context when the product sent names none',
      texts({ sent: { product: 'a thing' }, onFile: 'sales' }),
      ['sales'],
    ],
    ['nobody when the audience sent names none', texts({ sent: { audience: 'nice people' }, onFile: 'sales' }), []],
    ['nobody when neither says anything', texts({ sent: { audience: 'nice people', product: 'a thing' } }), []],
    ['nobody when nothing is there', texts({}), []],
  ])('comes from %s', (_name, of, ids) => {
    expect(idsOf(of)).toEqual(ids);
    expect(describedAudience(of).unresolved).toBe(ids.length === 0);
  });

  it.each([
    ['described', texts({ sent: { product: 'recipes' }, onFile: 'sales' })],
    ['described', texts({ sent: { audience: 'nice people' }, onFile: 'sales' })],
    ['described', texts({ campaign, onFile: 'sales' })],
    ['on_file', texts({ onFile: 'sales' })],
    ['on_file', texts({ sent: { product: 'a thing' }, onFile: 'sales' })],
    ['described', texts({ sent: { product: 'a thing' } })],
    [null, texts({})],
  ])('says %p of where it comes from', (from, of) => {
    expect(describedAudience(of).from).toBe(from);
  });

  it('prefers the request’s geography over the campaign’s', () => {
    expect(describedAudience(texts({ sent: { geography: 'Norway' }, campaign })).geography).toBe('Norway');
    expect(describedAudience(texts({ campaign })).geography).toBe('Spain');
  });
});

describe('the summary', () => {
  const of = (bookable: number, verified: number) => liveChannel({ verified, bookable, pricedUnits: bookable });
  const named = (segments: { label: string }[]) => ({ segments, from: 'described' as const, passedOver: false });
  const both = [{ label: 'Startup founders' }, { label: 'Venture investors' }];

  it.each([
    [
      'strong from 20',
      of(42, 60),
      'Strong on X: 42 creators bookable now reach startup founders and venture investors.',
    ],
    ['thin under 20', of(19, 60), 'Thin on X: 19 creators bookable now reach startup founders and venture investors.'],
    ['thin with one', of(1, 1), 'Thin on X: 1 creator bookable now reaches startup founders and venture investors.'],
    ['nobody', of(0, 0), 'No approved creator reaches startup founders and venture investors.'],
  ])('reads %s', (_name, channel, summary) => {
    expect(fitSummary(named(both), channel)).toBe(summary);
  });

  it('asks for more when the description names no audience', () => {
    expect(fitSummary(named([]), of(0, 0))).toBe(
      'The description names no audience we know. Add a role, an industry or an interest.',
    );
  });

  it('says that nothing was described, and that a product was passed over', () => {
    expect(fitSummary({ ...named([]), from: null }, of(0, 0))).toBe(
      'No audience is described and none is on file. Send audience or product.',
    );
    expect(fitSummary({ ...named(both), from: 'on_file', passedOver: true }, of(42, 60))).toBe(
      'The product names no audience we know, so this is the audience on file. Strong on X: 42 creators bookable now ' +
        'reach startup founders and venture investors.',
    );
  });

  it('keeps acronyms and joins three labels', () => {
    expect(labelsInText(['AI builders', 'HR and recruiting', 'Home and DIY'])).toBe(
      'AI builders, HR and recruiting and home and DIY',
    );
  });
});
