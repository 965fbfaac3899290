import { randomUUID } from 'node:crypto';
import { AudienceFit, FORMATS, type Format, GuestQuote, Inventory, SEGMENTS } from '@cds/contracts';
import { addDays, dayOf } from '@cds/service/calendar';
import { draws, proves, randomOf } from '@cds/service/testing';
import { describe, expect, it } from '@jest/globals';
import { isBuyable, isListed } from '../domain/creator/bookable.js';
import { takeCreator } from '../domain/import/import-creator.js';
import type { ImportedCreator } from '../domain/import/imported-creator.js';
import { generateCreator } from '../generator/generate.js';
import type { RowFacts } from '../present/creator.js';
import { Codes } from '../snapshot/columns.js';
import type { NetworkMemory } from '../snapshot/memory.js';
import { Network } from '../snapshot/network.js';
import { makeRow } from '../snapshot/rows.js';
import { APP_URL, aGuest, NOW } from '../test/network.js';
import { guestAudience } from './guest-audience.js';
import { guestInventory } from './guest-inventory.js';
import { planQuoteGuest } from './plan-quote-guest.js';

/** Networks per run. Most are small, so that formats with 0 to 4 sellers are common. */
const NETWORKS = draws(60);
const CREATORS_MOST = 30;
/** Prices expire in these days, so a later day has fewer sellers. */
const DAYS_LATER_MOST = 40;
/** A shorter name may be part of any word. */
const NAME_LEAST = 4;

type Generated = { imported: ImportedCreator[]; facts: RowFacts[]; memory: NetworkMemory; now: string; day: string };

/** A network as catalog holds it in memory, on some day after its facts were taken. */
const networkOf = (seed: number): Generated => {
  const random = randomOf(seed);
  const taken = new Date(NOW);
  const size = Math.floor(random() ** 2 * CREATORS_MOST);
  const day = addDays(dayOf(taken), Math.floor(random() * DAYS_LATER_MOST));
  const imported = Array.from({ length: size }, (_none, index) => generateCreator(seed, index, taken));
  const source = { asOf: taken, recordedAt: taken, viewsSource: 'network', setBy: 'test' } as const;
  const facts = imported.map((one) => ({ ...takeCreator(one, null, source, randomUUID).creator, network_version: 1 }));
  const rows = facts.filter(isListed).map((one) => makeRow(one, day, APP_URL));
  const network = new Network(rows, 1, day, { countries: new Codes(), languages: new Codes() });
  const now = `${day}T12:00:00.000Z`;
  const counts = { ...network.counts, asOf: new Date(now) };
  return {
    imported,
    facts,
    memory: { at: () => network, counts: () => counts } as unknown as NetworkMemory,
    now,
    day,
  };
};

/** The prices of a format on a day, one for each creator that sells it, by the rule itself. */
const pricesOf = ({ facts, day }: Generated, format: Format): number[] =>
  facts.flatMap((creator) => {
    const prices = creator.units.flatMap((unit) =>
      unit.format === format && unit.price !== null && isListed(creator) && isBuyable(creator, unit, day)
        ? [unit.price.price_cents]
        : [],
    );
    return prices.length === 0 ? [] : [Math.min(...prices)];
  });

/** Everything that would name a creator, in lower case. */
const namesOf = ({ imported, facts }: Generated): string[] =>
  [
    ...imported.flatMap(({ network_id: id, handle, url, name, bio }) => [id, handle, url, name, bio]),
    ...facts.flatMap((creator) => [
      creator._id,
      creator.name,
      creator.bio,
      ...creator.units.map(({ unit_id: id }) => id),
    ]),
  ].flatMap((text) => (text === null || text.length < NAME_LEAST ? [] : [text.toLowerCase()]));

const answersOf = async (generated: Generated, seed: number): Promise<{ quotes: GuestQuote[]; texts: string[] }> => {
  const { memory, now, imported } = generated;
  const random = randomOf(seed + 1_000_000);
  const pick = <T>(all: readonly T[]): T | undefined => all[Math.floor(random() * all.length)];
  const someone = pick(imported);
  const guestQuotes = {
    book: async () => ({ granted: true, left: 1 }) as const,
    left: async () => ({ left: 2, resetsAt: null }),
  };
  const ctx = aGuest('anybody', { now });
  // What a guest sends may name a creator; the answer does not repeat it.
  const described = [
    { audience: pick(SEGMENTS)?.label ?? '', product: someone?.name ?? '' },
    { audience: someone?.bio ?? '', geography: someone?.handle ?? '' },
    {},
  ];
  const quotes = await Promise.all(
    FORMATS.map(async (format) =>
      GuestQuote.parse(
        await planQuoteGuest(
          ctx,
          { format, posts: 1 + Math.floor(random() * 50) },
          { memory, guestQuotes, appUrl: APP_URL },
        ),
      ),
    ),
  );
  const fits = await Promise.all(
    described.map(async (input) => AudienceFit.parse(await guestAudience(ctx, input, { memory }))),
  );
  const coverage = Inventory.parse(await guestInventory(ctx, {}, { memory }));
  return { quotes, texts: [...quotes, ...fits, coverage].map((answer) => JSON.stringify(answer).toLowerCase()) };
};

describe('answers to guests, whatever the network (I62)', () => {
  it('name no creator, and give a range only over three or more that sell the format', async () => {
    proves('guests.quote-no-creator', 'guests.quote-range');
    const sizes = new Map<number, number>();
    for (let seed = 1; seed <= NETWORKS; seed += 1) {
      const generated = networkOf(seed);
      const { quotes, texts } = await answersOf(generated, seed);

      const named = namesOf(generated).filter((name) => texts.some((text) => text.includes(name)));
      expect({ seed, named }).toEqual({ seed, named: [] });
      for (const quote of quotes) {
        const prices = pricesOf(generated, quote.format);
        const range = { min_cents: Math.min(...prices), max_cents: Math.max(...prices) };
        const isPriced = prices.length >= 3;
        sizes.set(prices.length, (sizes.get(prices.length) ?? 0) + 1);
        expect({ seed, ...quote }).toMatchObject({
          seed,
          priced: isPriced,
          creators_in_format: prices.length,
          per_post: isPriced ? range : null,
          total: isPriced
            ? { min_cents: range.min_cents * quote.posts, max_cents: range.max_cents * quote.posts }
            : null,
        });
      }
    }
    // The boundary was met from both sides.
    for (const size of [0, 1, 2, 3, 4]) expect(sizes.get(size) ?? 0).toBeGreaterThan(0);
  });
});
