import { Creators, type Input } from '@cds/contracts';
import { Encoded } from '@cds/service';
import { proves } from '@cds/service/testing';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { z } from 'zod';
import { aCreator, anId, aUnit } from '../test/builders.js';
import { aRequest } from '../test/network.js';
import { testNetwork } from '../test/suite.js';
import { creatorsSearch } from './creators-search.js';

const WITH_AUDIENCE = 'ws-with';
const UNRESOLVED = 'ws-unresolved';

describe('creators_search', () => {
  const network = testNetwork('search');

  const answer = async (
    query: Input<'creators_search'>,
    over: Parameters<typeof aRequest>[0] = {},
  ): Promise<z.infer<typeof Creators>> => {
    const encoded = await creatorsSearch(aRequest(over), query, network);
    if (!(encoded instanceof Encoded)) throw new Error('a list is answered as bytes');
    return Creators.strict().parse(JSON.parse(Buffer.from(encoded.json as Uint8Array).toString()));
  };
  const names = async (query: Input<'creators_search'>, over: Parameters<typeof aRequest>[0] = {}) =>
    (await answer(query, over)).creators.map(({ name }) => name);

  beforeAll(async () => {
    const founders = 'startup founders';
    await network.take([
      aCreator({
        name: 'Ada',
        about: founders,
        followers: 20_000,
        country: 'Germany',
        language: 'German',
        units: [aUnit({ usd: 100 }), aUnit({ format: 'quote', usd: 60 })],
      }),
      aCreator({
        name: 'Ben',
        about: founders,
        followers: 60_000,
        views: [9_000, 9_000, 9_000],
        bio: 'Runs a Kitchen',
        units: [aUnit({ usd: 300 })],
      }),
      aCreator({
        name: 'Cem',
        about: 'AI builders',
        followers: 5_000,
        country: 'Germany',
        units: [aUnit({ usd: 50, format: 'quote' })],
      }),
      aCreator({
        name: 'Dan',
        about: founders,
        followers: null,
        views: [],
        units: [],
        language: 'German',
        bio: 'Writes on startup founders',
      }),
      aCreator({ name: 'Eve', about: founders, units: [aUnit({ usd: 20, asOf: '2026-10-21' })] }),
      aCreator({ name: 'Fay', about: founders, status: 'borderline' }),
      aCreator({ name: 'Gus', about: founders, active: false }),
      aCreator({ name: 'Hal', about: 'gaming', flag_inactive: true, id: anId(0xabcdef) }),
    ]);
    await network.contexts.take({ workspace: WITH_AUDIENCE, version: 1, audience: 'startup founders' }, new Date());
    await network.contexts.take({ workspace: UNRESOLVED, version: 1, audience: 'nice people' }, new Date());
  });

  it('lists only approved and active creators, bookable or not', async () => {
    proves('creators.no-audience-filter', 'creators.total-is-listed', 'creators.priced-of-total', 'creators.limit');
    proves('bookable.approved-not-bookable-listed', 'general.only-approved-named');
    const page = await answer({ followers_min: 0 });
    expect(page.creators.map(({ name }) => name).sort()).toEqual(['Ada', 'Ben', 'Cem', 'Eve', 'Hal']);
    expect(page).toMatchObject({
      total: 5,
      cap: 5,
      priced: 3,
      limit: 24,
      offset: 0,
      catalog: { approved: 6, priced: 3 },
    });
  });

  it('sets ask_price exactly when nothing is on sale', async () => {
    proves(
      'creators.ask-price-inverse',
      'offerings.stale-shows-last-price',
      'offerings.buyable-rule',
      'offerings.fields',
    );
    const page = await answer({ match: 'startup-founders' });
    for (const creator of page.creators) {
      expect(creator.ask_price).toBe(!creator.on_sale);
      expect(creator.on_sale).toBe(creator.offerings.some(({ buyable }) => buyable));
    }
    const eve = page.creators.find(({ name }) => name === 'Eve');
    expect(eve?.offerings).toMatchObject([{ price_cents: 2_000, buyable: false, provenance: { stale: true } }]);
  });

  it('requires a filter when nothing is named and no audience is on file', async () => {
    proves('creators.filter-required');
    for (const query of [
      {},
      { limit: 5, offset: 1, sort: 'price', dir: 'asc', goal: 'launch', budget: 9 },
      { fit: false },
    ] as const) {
      await expect(answer(query)).rejects.toMatchObject({ code: 'filter_required' });
      await expect(answer(query, { workspace: UNRESOLVED })).rejects.toMatchObject({ code: 'filter_required' });
    }
    await expect(answer({ fit: true })).rejects.toMatchObject({
      code: 'bad_request',
      details: { problems: [{ field: 'fit' }] },
    });
  });

  it('is limited to the audience on file unless the request names another', async () => {
    proves(
      'creators.nameless-with-audience',
      'creators.audience-limits',
      'creators.segment-replaces-audience',
      'creators.segment',
      'creators.fit',
    );
    const own = { workspace: WITH_AUDIENCE };
    expect((await names({}, own)).sort()).toEqual(['Ada', 'Ben', 'Dan', 'Eve']);
    expect((await names({ fit: true }, own)).sort()).toEqual(['Ada', 'Ben', 'Dan', 'Eve']);
    expect(await names({ segment: 'ai-builders' }, own)).toEqual(['Cem']);
    expect(await names({ match: 'ai-builders,gaming' }, own)).toEqual(expect.arrayContaining(['Cem', 'Hal']));
    expect(await names({ match: 'ai-builders,gaming', segment: 'gaming' }, own)).toEqual(['Hal']);
    expect(await names({ q: 'cem' }, own)).toEqual([]);
  });

  it('scores and ranks for the audience in force', async () => {
    proves('creators.match-adds-score', 'creators.order');
    const page = await answer({ match: 'startup-founders' });
    const scores = page.creators.map(({ match_score }) => match_score ?? -1);
    expect(scores).toEqual([...scores].sort((one, other) => other - one));
    expect(page.creators[0]).toMatchObject({
      name: 'Ben',
      match_label: 'Strong match for startup founders',
      match_reasons: [
        { kind: 'topic', text: 'Posts on startup founders in 3 of the last 3 posts.' },
        { kind: 'reach', text: 'Median of 9,000 views a post over 30 days, above 90% of approved creators.' },
      ],
    });
    const least = scores[1] ?? 0;
    const kept = scores.filter((score) => score >= least);
    expect(await names({ match: 'startup-founders', match_min: least })).toHaveLength(kept.length);
    const unscored = await answer({ country: 'germany' });
    expect(unscored.creators.map(({ match_score, match_label }) => [match_score, match_label])).toEqual([
      [null, null],
      [null, null],
    ]);
  });

  it.each<[string, Input<'creators_search'>, string[]]>([
    ['part of a name', { q: ' aDa '.trim() }, ['Ada']],
    ['part of a bio', { q: 'kitchen' }, ['Ben']],
    ['several terms, each of them found', { q: 'KITCHÉN  ben' }, ['Ben']],
    ['several terms, one of them not', { q: 'kitchen ada' }, []],
    ['a reach band', { reach_band: 'mid' }, ['Ben']],
    ['a country in any case', { country: 'gerMANY' }, ['Ada', 'Cem']],
    ['a language in any case', { language: 'german' }, ['Ada', 'Dan']],
    ['followers within bounds, unknown ones never', { followers_min: 5_000, followers_max: 20_000 }, ['Ada', 'Cem']],
    ['an engagement that nobody has', { er_min: 100 }, []],
    ['a format on sale', { format: 'quote' }, ['Ada', 'Cem']],
    ['a cheapest price within bounds', { price_min: 50, price_max: 60 }, ['Ada', 'Cem']],
    ['a price of the format named', { format: 'post', price_max: 100 }, ['Ada']],
    ['a price that only a stale offer has', { price_max: 20 }, []],
  ])('filters by %s', async (_name, query, found) => {
    proves('creators.filters', 'creators.format-filters', 'creators.price-bounds', 'creators.never-inferred-country');
    expect((await names(query)).sort()).toEqual(found);
  });

  it.each<[Input<'creators_search'>, string[]]>([
    [{ sort: 'followers' }, ['Ben', 'Eve', 'Ada', 'Dan']],
    [{ sort: 'followers', dir: 'asc' }, ['Ada', 'Eve', 'Ben', 'Dan']],
    [{ sort: 'price' }, ['Ben', 'Ada', 'Eve', 'Dan']],
    [{ sort: 'price', dir: 'asc' }, ['Ada', 'Ben', 'Eve', 'Dan']],
    [{ sort: 'views' }, ['Ben', 'Ada', 'Eve', 'Dan']],
    [{ sort: 'engagement' }, ['Ada', 'Eve', 'Ben', 'Dan']],
    [{ sort: 'match' }, ['Ben', 'Ada', 'Eve', 'Dan']],
  ])('sorts by %p with unknown values last', async (query, found) => {
    proves('creators.sorts');
    expect(await names({ match: 'startup-founders', ...query })).toEqual(found);
  });

  it('pages, and returns the total as offset when past the end', async () => {
    proves('creators.pages', 'creators.offset-past-end');
    const all = await names({ followers_min: 0 });
    expect(await names({ followers_min: 0, limit: 2, offset: 2 })).toEqual(all.slice(2, 4));
    expect(await answer({ followers_min: 0, offset: 99 })).toMatchObject({ total: 5, offset: 5, creators: [] });
  });

  it('sizes the page by the budget without filtering', async () => {
    proves('creators.budget-never-filters', 'creators.shortlist-size');
    expect(await answer({ followers_min: 0, budget: 1_500 })).toMatchObject({ total: 5, limit: 50 });
    expect(await answer({ followers_min: 0, budget: 300 })).toMatchObject({ total: 5, limit: 15 });
    expect(await answer({ followers_min: 0, budget: 300, limit: 3 })).toMatchObject({
      limit: 3,
      shortlist: { limit: 15, why: expect.stringMatching(/^\$300 buys 5 posts at \$60/) },
    });
    expect(await answer({ followers_min: 0 })).not.toHaveProperty('shortlist');
    expect(await answer({ reach_band: 'mega', budget: 300 })).toMatchObject({ limit: 25 });
    expect(await answer({ format: 'post', budget: 1_100 })).toMatchObject({ total: 2, limit: 15 });
  });

  it('filters by sale', async () => {
    expect((await names({ followers_min: 0, on_sale: true })).sort()).toEqual(['Ada', 'Ben', 'Cem']);
    expect(await names({ followers_min: 0, on_sale: false })).toHaveLength(2);
  });

  it('takes a country by its name or its ISO code, in any case', async () => {
    for (const country of ['germany', 'DE', 'de']) expect((await names({ country })).sort()).toEqual(['Ada', 'Cem']);
    expect(await names({ country: 'FR' })).toEqual([]);
    await expect(names({ country: 'DACH' })).rejects.toMatchObject({
      code: 'bad_request',
      details: { problems: [{ field: 'country', message: expect.stringContaining('Germany, Austria, Switzerland') }] },
    });
  });

  it('says why a page is empty', async () => {
    expect((await answer({ country: 'FR', reach_band: 'mega' })).note).toBe(
      'No approved creator passes reach_band, country together. Leave out or widen the narrowest of them.',
    );
    expect((await answer({ country: 'FR' })).note).toBe(
      'No approved creator passes country. Leave it out or widen it.',
    );
    expect((await answer({ followers_min: 0, offset: 99 })).note).toBe(
      'offset is past the end of the list, which has 5 creators. Start from 0.',
    );
    expect(await answer({ followers_min: 0 })).not.toHaveProperty('note');
  });

  it('names the audience that limits an empty page, and not a fit that is false', async () => {
    const onFile = await answer({ q: 'nobody', fit: false }, { workspace: WITH_AUDIENCE });
    expect(onFile.note).toBe(
      'No approved creator passes q. Leave it out or widen it. Only creators who reach the audience on file are listed. Send match or segment for another audience.',
    );
    expect((await answer({ q: 'nobody', match: 'startup-founders' })).note).toBe(
      'No approved creator passes q, match together. Leave out or widen the narrowest of them. Only creators who reach startup founders are listed.',
    );
  });

  it('recommends a format by goal', async () => {
    const ofAda = async (goal?: 'launch' | 'feature') =>
      (await answer({ q: 'ada', ...(goal !== undefined && { goal }) })).creators[0]?.advice;
    expect(await ofAda('launch')).toEqual({
      recommended: 'quote',
      reason: 'A quote points readers at your own launch post at no more per view.',
    });
    expect((await ofAda())?.reason).toBe('The lower cost per view of the two.');
    expect((await answer({ q: 'dan' })).creators[0]?.advice).toEqual({
      recommended: null,
      reason: 'Too few measured posts to advise a format.',
    });
  });

  it('includes the deprecated alias until its day', async () => {
    proves('version.deprecated-aliases');
    const [creator] = (await answer({ q: 'ada' })).creators;
    expect(creator?.median_views_30d).toBe(creator?.median_views_30d_network);
    const [without] = (
      await answer({ q: 'ada' }, { switches: { deprecated_until: { median_views_30d: '2026-01-01' } } })
    ).creators;
    expect(without).not.toHaveProperty('median_views_30d');
  });
});
