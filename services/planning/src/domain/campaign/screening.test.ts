import { CATEGORIES } from '@cds/contracts';
import { describe, expect, it } from '@jest/globals';
import { CATEGORY_LIST } from './category-list.js';
import { foundIn, type Screened, screened, screeningReason, textRefusal } from './screening.js';

const of = (over: Partial<Screened> = {}): Screened => ({
  product: 'Orbit, an AI pair for founders',
  moment: 'Goes live on 1 December 2026',
  company: ['Acme', null],
  category: null,
  ...over,
});

describe('screening by category (docs/domain/network.md#category-screening)', () => {
  it.each<[string, Partial<Screened>, string, string | null]>([
    ['allows what matches nothing', {}, 'allowed', null],
    ['allows the category other', { category: 'other' }, 'allowed', null],
    ['bans by the product', { product: 'Small-batch VODKA from Oslo' }, 'banned', 'alcohol'],
    ['bans by the moment', { moment: 'Our casino opens in March' }, 'banned', 'gambling'],
    ['bans by the company', { company: ['Acme Firearms'] }, 'banned', 'weapons'],
    ['bans by the summary of the company', { company: ['Acme', 'We sell e-cigarettes'] }, 'banned', 'tobacco-nicotine'],
    ['bans by the category alone', { category: 'dating' }, 'banned', 'dating'],
    ['reviews by the text', { product: 'A crypto wallet' }, 'review', 'crypto'],
    ['reviews by the category alone', { category: 'financial-products' }, 'review', 'financial-products'],
    ['takes the strictest hit', { product: 'Bet on anything with crypto' }, 'banned', 'gambling'],
    [
      'takes a banned text before a reviewed category',
      { product: 'Vape shop', category: 'crypto' },
      'banned',
      'tobacco-nicotine',
    ],
    [
      'takes a banned text before the category other',
      { product: 'Poker nights', category: 'other' },
      'banned',
      'gambling',
    ],
    ['ignores accents, width and invisible characters', { product: 'ＶＯＤ\u200bＫÁ club' }, 'banned', 'alcohol'],
    ['ignores punctuation', { product: 'weight-loss coach' }, 'banned', 'weight-loss'],
    ['matches whole words only', { product: 'Engine for growing rumours, begun by gunners' }, 'allowed', null],
    ['allows what only looks alike', { product: 'Planning poker for teams; no credit card needed' }, 'allowed', null],
    [
      'still matches beside what only looks alike',
      { product: 'Planning poker and online poker' },
      'banned',
      'gambling',
    ],
    ['joins no two texts', { product: 'Made for slot', moment: 'machines of all kinds' }, 'allowed', null],
  ])('%s', (_name, over, result, category) => {
    expect(screened(of(over))).toMatchObject({ result, category });
  });

  it('has every category but other once, with phrases in the form that is compared', () => {
    const { as_of, rows } = CATEGORY_LIST;
    expect(as_of).toMatch(/^\d{4}-\d{2}-\d{2}$/);
    expect(rows.map((row) => row.category)).toEqual(CATEGORIES.filter((category) => category !== 'other'));
    for (const phrase of rows.flatMap((row) => [
      ...row.clear,
      ...row.trade,
      ...row.ambiguous,
      ...row.weak,
      ...row.confirming,
      ...row.not,
    ]))
      expect(phrase).toMatch(/^[a-z0-9]+( [a-z0-9]+)*$/);
  });

  it.each<[string, Partial<Screened>, string, readonly string[]]>([
    ['names the clear words', { product: 'An online casino with roulette' }, 'banned', ['online casino', 'roulette']],
    ['reviews an ambiguous word alone', { product: 'Rum' }, 'review', ['rum']],
    ['bans an ambiguous word that another confirms', { product: 'Rum in bottles' }, 'banned', ['rum', 'bottles']],
    ['reviews an everyday word that is the whole text', { product: 'Toys' }, 'review', ['toys']],
    ['passes over figurative ammo', { product: 'Ammo for your sales team: battlecards' }, 'allowed', []],
    ['passes over a figurative bet', { product: 'Bet on your team: an employee recognition app' }, 'allowed', []],
    ['passes over a finish', { product: 'Killer deals on laptops, gun metal finish' }, 'allowed', []],
    ['bans ammo for hunters', { product: 'Bulk ammo for hunters' }, 'banned', ['ammo', 'bulk', 'hunters']],
    ['bans a bet on sport', { product: 'Bet on football with friends' }, 'banned', ['bet on football']],
    ['reviews a bet for money', { product: 'Bet on your team and win cash' }, 'review', ['bet on', 'win', 'cash']],
    ['passes over an everyday word', { product: 'A pill-shaped sofa' }, 'allowed', []],
    ['reviews an everyday word that another confirms', { product: 'Pills for sleep' }, 'review', ['pills', 'sleep']],
    ['passes over an ambiguous word beside those of a tool', { product: 'Monitoring (RUM)' }, 'allowed', []],
    ['leaves a clear word beside those of a tool to a person', { product: 'An API for vodka' }, 'review', ['vodka']],
    ['passes over a maker beside words of a tool', { product: 'CRM for breweries' }, 'allowed', []],
    ['passes over what the text is against', { product: 'Quit vaping, gambling addiction help' }, 'allowed', []],
    ['takes free delivery for an offer', { product: 'Vodka, free delivery' }, 'banned', ['vodka']],
    ['has no words where the brand named the category', { category: 'gambling' }, 'banned', []],
  ])('%s', (_name, over, result, found) => {
    expect(screened(of(over))).toMatchObject({ result, words: found });
  });

  it.each<[string, string, string, readonly string[]]>([
    ['Cyrillic letters', 'An online саsinо with rоulеttе', 'review', ['online casino', 'roulette']],
    ['a blank inside a word', 'An online ca\u2800sino', 'review', ['online casino']],
    ['single letters', 'A night of c a s i n o', 'review', ['casino']],
    ['a digit for a letter', 'A cas1no', 'review', ['casino']],
    ['a plain word beside a disguised one', 'A casino with r0ulette', 'banned', ['casino']],
    ['what a disguised text is against', 'Quit g4mbling', 'allowed', []],
    ['a disguised word beside those of a tool', 'An API for v0dka', 'review', ['vodka']],
  ])('leaves what only looks like a phrase to a person: %s', (_name, product, result, found) => {
    expect(screened(of({ product }))).toMatchObject({ result, words: found });
    expect(screened(of({ company: [product] }))).toMatchObject({ result, words: found });
  });

  it.each<[string, string, string, string | null]>([
    ['an office, a candidate and an ask', 'Chip in for our candidate for governor', 'banned', 'politics-social-issues'],
    [
      'a measure, a device and a condition',
      'A home meter that checks your clotting before each dose',
      'review',
      'health-devices-services',
    ],
    ['two of the three', 'A governor valve, voted best candidate', 'allowed', null],
    ['all of them beside words of a tool', 'A CRM for candidates for governor: ask voters to donate', 'allowed', null],
    ['all of them in a text that is against something', 'Chip in: no candidate for governor, no pill', 'allowed', null],
  ])('lets words decide together: %s', (_name, product, result, category) => {
    expect(screened(of({ product }))).toMatchObject({ result, category });
  });

  it.each([
    'Программа для команд: расписание, задачи и отчёты. МТС, ТНС и ВТС уже с нами',
    'Онлайн-курс для сов и котов, 3 урока в неделю',
    'Η εφαρμογή που οργανώνει την ομάδα σας κάθε μέρα',
    'Kafe ve kitap ısmarlayın: İstanbul için küçük bir uygulama',
    'Ứng dụng giúp nhóm của bạn lập kế hoạch mỗi tuần',
    'Ein Werkzeug für große Mannschaften, schön und schnell',
    'ابزاری برای برنامه ریزی تیم شما',
    '一款帮助团队安排每周计划的工具',
    'k8s, S3 and GPT4 for B2B teams in the U S A, v2 1 0; A B tests by J R R Tolkien',
  ])('reads other languages and short names as they are: %s', (product) => {
    expect(screened(of({ product }))).toMatchObject({ result: 'allowed' });
  });

  it.each([
    ...['A canvas tote for readers', 'Coffee shops near the Sydney CBD', 'A phone holster for cyclists'],
    ...['A Suzuki Katana manual', 'Sherry’s bakery in Leeds', 'A bike lock that blunts angle grinders'],
    ...['Nic’s notes on typography', 'A Guinness World Records attempt', 'A stationery set by Mead'],
    ...['A rice field survey: Oryza sativa', 'Pre-workout playlist', 'A Brandy Melville lookbook'],
    ...['Bookmakers of Leipzig: letterpress', 'A Kanban board for wineries', 'Tobacco Road: a history book'],
  ])('never bans by a word with an everyday meaning, or a name: %s', (product) => {
    expect(screened(of({ product })).result).not.toBe('banned');
  });

  it.each([
    ['alcohol', 'Craft lagers; hoppy ales from a brewhouse; our peated Scotch'],
    ['dating', 'A matrimonial site; single Christians looking for love; meet your future husband'],
    ['adult', 'Hot webcam shows; explicit photo sets by amateurs'],
    ['weight-loss', 'Suppress your appetite for a flatter tummy; lose 5 kg before summer'],
    ['contraceptives', 'Ultra-thin latex protection for couples'],
    ['politics-social-issues', 'Rally for climate justice; help elect Maria Lopez to city council'],
    ['gambling', 'Win a house with a single ticket'],
    ['drugs', 'Ketamine lozenges by mail'],
    ['financial-products', 'Trade stocks commission free'],
    ['crypto', 'A decentralised exchange; staking your tokens'],
    ['health-devices-services', 'LASIK, invisible braces, and a patch for atrial fibrillation'],
    ['products-for-children', 'Storybooks that rhyme'],
  ])('finds %s in each part of: %s', (category, parts) => {
    const found = parts.split('; ').map((product) => screened(of({ product })).category);
    expect(new Set(found)).toEqual(new Set([category]));
  });

  it('says what was found, in the words of the list', () => {
    expect(foundIn(screened(of({ product: 'An online casino with roulette' })))).toBe(
      'gambling (from “online casino”, “roulette”)',
    );
    expect(foundIn(screened(of({ category: 'crypto' })))).toBe('crypto, the category of the campaign');
    expect(foundIn(screened(of()))).toBe('this category');
  });

  it('refuses a text for a category that the campaign was not in before', () => {
    const before = { product: 'An online casino', moment: null, company: 'Acme', category: null };
    expect(textRefusal(before, { ...before, moment: 'We bet on you: free spins' })).toBeNull();
    expect(textRefusal(before, { ...before, moment: 'With a vodka bar' })).toMatchObject({
      reason: 'category_banned',
      details: { category: 'alcohol', words: ['vodka'] },
    });
  });

  it('gives the reason for having no plan', () => {
    expect(screeningReason(of())).toBeNull();
    expect(screeningReason(of({ category: 'adult' }))).toBe('category_banned');
    expect(screeningReason(of({ category: 'crypto' }))).toBe('category_review');
  });

  it('never gets milder with more text', () => {
    const strictness = { allowed: 0, review: 1, banned: 2 };
    const phrases = CATEGORY_LIST.rows.flatMap((row) => [...row.clear, ...row.trade]);
    for (const [at, phrase] of phrases.entries()) {
      const category = CATEGORIES[at % CATEGORIES.length] ?? null;
      const alone = screened(of({ category }));
      const more = screened(of({ category, company: ['Acme', `We do ${phrase}.`] }));
      if (strictness[more.result] < Math.max(1, strictness[alone.result]))
        throw new Error(`“${phrase}” makes ${category} ${more.result}`);
    }
  });
});
