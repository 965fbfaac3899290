import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { isListed } from '../domain/creator/bookable.js';
import { takeCreator } from '../domain/import/import-creator.js';
import type { Audience } from '../domain/matching/score.js';
import { generateCreator } from '../generator/generate.js';
import type { RowFacts } from '../present/creator.js';
import { Codes } from './columns.js';
import { type ListQuery, listRows } from './list.js';
import { Network } from './network.js';
import { makeRow, type Row } from './rows.js';

const AT = new Date('2026-11-21T12:00:00.000Z');
const DAY = '2026-11-21';
const AUDIENCES: readonly Audience[] = [
  [
    { id: 'startup-founders', weight: 0.6 },
    { id: 'investors', weight: 0.4 },
  ],
  [{ id: 'software-developers', weight: 1 }],
];
const SOURCE = { asOf: AT, recordedAt: AT, viewsSource: 'network', setBy: 'test' } as const;

const facts: RowFacts[] = Array.from({ length: 400 }, (_none, index) => ({
  ...takeCreator(generateCreator(1, index, AT), null, SOURCE, randomUUID).creator,
  network_version: 1,
})).filter(isListed);

const dictionaries = () => ({ countries: new Codes(), languages: new Codes() });
const matched = (audience: Audience): ListQuery => ({
  audience,
  narrowing: null,
  q: null,
  reachBand: null,
  countries: null,
  onSale: null,
  language: null,
  followersMin: null,
  followersMax: null,
  rateMin: null,
  scoreMin: null,
  format: null,
  priceMinCents: null,
  priceMaxCents: null,
  sort: 'match',
  ascending: false,
});

/** What every audience gets: scores, reach and order by creator. */
const answered = (network: Network) =>
  AUDIENCES.map((audience) => {
    const { scores, reached } = network.scores.view(audience);
    return {
      of: network.rows.map(({ creator }, place) => [creator._id, scores[place], reached[place]]),
      order: [...listRows(network, matched(audience)).passing].map((place) => network.idAt(place)),
    };
  });

type Change = [name: string, of: (creator: RowFacts) => Partial<RowFacts>];
const CHANGES: readonly Change[] = [
  ['followers', () => ({ followers: 77 })],
  ['median views', () => ({ median_views_30d: 123_456 })],
  ['median views that became unknown', () => ({ median_views_30d: null })],
  ['engagement', () => ({ engagement_rate_30d: 9.75 })],
  ['a reach band', ({ reach_band: band }) => ({ reach_band: band === 'micro' ? 'mid' : 'micro' })],
  ['weights', () => ({ weights: [{ id: 'investors', w: 0.9, posts: 20 }] })],
  [
    'collaborations',
    () => ({
      collabs: [
        {
          launch_id: 'l1',
          project: 'Orbit',
          title: null,
          date: '2026-11-01',
          role: 'Launch post',
          segments: ['investors'],
          brand: null,
        },
      ],
    }),
  ],
];

describe('a version patched from the one before', () => {
  it.each(CHANGES)('equals one built from scratch after a change of %s', (_name, change) => {
    let rows: Row[] = facts.map((creator) => makeRow(creator, DAY, ''));
    let network = new Network(rows, 1, DAY, dictionaries());
    for (let version = 2; version < 12; version += 1) {
      answered(network);
      const place = (version * 31) % rows.length;
      rows = rows.map((row, at) => (at === place ? makeRow({ ...row.creator, ...change(row.creator) }, DAY, '') : row));
      network = new Network(rows, version, DAY, dictionaries(), {
        network,
        changed: { places: [place], from: rows.length },
      });
      expect(answered(network)).toEqual(answered(new Network(rows, version, DAY, dictionaries())));
    }
  });

  it('equals one built from scratch when creators come and go', () => {
    let rows: Row[] = facts.slice(0, 150).map((creator) => makeRow(creator, DAY, ''));
    let network = new Network(rows, 1, DAY, dictionaries());
    for (const creator of facts.slice(150, 160)) {
      answered(network);
      const from = rows.length;
      // The last row moves into the place of the first, and a new creator takes the last.
      rows = [...rows.slice(-1), ...rows.slice(1, -1), makeRow(creator, DAY, '')];
      network = new Network(rows, network.version + 1, DAY, dictionaries(), {
        network,
        changed: { places: [0, from - 1], from },
      });
      expect(answered(network)).toEqual(answered(new Network(rows, network.version, DAY, dictionaries())));
    }
  });
});
