import { addDays } from '@cds/service/calendar';
import { proves } from '@cds/service/testing';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { aCreator, aUnit } from '../../test/builders.js';
import { aNetwork, NOW } from '../../test/network.js';
import { testNetwork } from '../../test/suite.js';
import { bookableFilter, isBookable, isBuyable, isInAutomaticPlans, isListed, LISTED_FILTER } from './bookable.js';
import type { Creator, SaleStatus, Unit } from './creator.js';

const DAY = '2026-11-21';
const byTeam = aUnit({ asOf: '2025-01-01', byTeam: true });

const ROWS: [string, Parameters<typeof aCreator>[0], boolean][] = [
  ['approved with a price of today', { units: [aUnit({ asOf: DAY })] }, true],
  ['a price of 30 days', { units: [aUnit({ asOf: '2026-10-22' })] }, true],
  ['a price of 31 days', { units: [aUnit({ asOf: '2026-10-21' })] }, false],
  ['an old price of the team', { units: [byTeam] }, true],
  ['one fresh price of three', { units: [aUnit({ asOf: '2026-01-01' }), aUnit({ format: 'quote' })] }, true],
  ['no price', { units: [] }, false],
  ['not reviewed', { status: 'not_reviewed' }, false],
  ['borderline', { status: 'borderline' }, false],
  ['declined', { status: 'declined' }, false],
  ['paused', { active: false }, false],
  ['flagged inactive', { flag_inactive: true }, false],
  ['excluded', { excluded: true }, false],
  ['flagged with a price of the team', { flag_inactive: true, units: [byTeam] }, false],
];

describe('the bookable rule', () => {
  const network = testNetwork('bookable');
  let stored: Creator[] = [];

  beforeAll(async () => {
    await network.take(ROWS.map(([, over]) => aCreator({ ...over, name: null })));
    stored = await network.store.db.collection<Creator>('creators').find({}).sort({ 'generated.index': 1 }).toArray();
  });

  it.each(ROWS.map(([name, , bookable], at) => [name, bookable, at] as const))(
    'evaluates %s to %p, in memory and in the database',
    async (_name, bookable, at) => {
      proves('bookable.all-three', 'bookable.fresh-price', 'limits.price-30-days');
      const creator = stored[at];
      expect(creator === undefined ? null : isBookable(creator, DAY)).toBe(bookable);
      const found = await network.store.db
        .collection<Creator>('creators')
        .countDocuments({ ...bookableFilter(DAY), _id: creator?._id ?? '' });
      expect(found).toBe(bookable ? 1 : 0);
    },
  );

  it('selects the same generated creators as predicate and as filter, for any day and switches', async () => {
    const generated = await aNetwork('bookable_generated');
    await generated.generate({ creators: 300, seed: 5 });
    const rows = generated.store.db.collection<Creator>('creators');
    const switches = ['active', 'flag_inactive', 'excluded'] as const;
    let found = 0;
    for (let round = 0; round < 36; round += 1) {
      const field = switches[round % 3] ?? 'active';
      await rows.updateMany({ 'generated.index': { $mod: [29, round % 29] } }, [
        { $set: { [field]: { $not: `$${field}` } } },
      ]);
      const day = addDays(DAY, round - 5);
      const ids = async (filter: object) =>
        (await rows.find(filter, { projection: { _id: 1 }, sort: { _id: 1 } }).toArray()).map(({ _id }) => _id);
      const all = await rows.find({}, { projection: { posts: 0 }, sort: { _id: 1 } }).toArray();
      const bookable = all.filter((creator) => isBookable(creator, day)).map(({ _id }) => _id);
      expect({ day, ids: await ids(bookableFilter(day)) }).toEqual({ day, ids: bookable });
      expect(await ids(LISTED_FILTER)).toEqual(all.filter(isListed).map(({ _id }) => _id));
      found += bookable.length;
    }
    expect(found).toBeGreaterThan(500);
    await generated.drop();
  }, 60_000);

  it('counts the same in memory and in the database', async () => {
    const wanted = ROWS.filter(([, , bookable]) => bookable).length;
    expect(await network.creators.rows.countDocuments(bookableFilter(DAY))).toBe(wanted);
    expect(network.memory.counts(new Date(NOW))).toMatchObject({ priced: wanted });
  });
});

describe('a creator in plans that are built', () => {
  const unit: Unit = {
    unit_id: 'unit',
    format: 'post',
    label: 'Post',
    deliverable: 'One post',
    price: { price_cents: 10_000, source: 'creator', method: 'stated', as_of: DAY, recorded_at: new Date(NOW) },
  };
  const onSale = {
    status: 'approved',
    active: true,
    flag_inactive: false,
    excluded: false,
    manual_only: false,
  } as const;

  it.each<[chosen: boolean, what: string, over: Partial<SaleStatus & Pick<Creator, 'units'>>]>([
    [true, 'on sale', {}],
    [false, 'chosen by hand only', { manual_only: true }],
    [false, 'not on sale', { active: false }],
    [false, 'neither', { active: false, manual_only: true }],
    [false, 'without a price', { units: [{ ...unit, price: null }] }],
    [true, 'with a price in one format of two', { units: [{ ...unit, price: null }, unit] }],
  ])('is chosen by the builder: %s, %s', (chosen, _what, over) => {
    expect(isInAutomaticPlans({ ...onSale, units: [unit], ...over }, DAY)).toBe(chosen);
  });

  it('has only formats with a price to buy', () => {
    expect([isBuyable(onSale, unit, DAY), isBuyable(onSale, { ...unit, price: null }, DAY)]).toEqual([true, false]);
  });
});
