import { SEGMENTS } from '@cds/contracts';
import { z } from 'zod';
import { listed } from '../listed.js';
import file from './phrases.json' with { type: 'json' };

const bySegment = z.record(z.enum(SEGMENTS.map(({ id }) => id)), listed());

const { aliases, people, buying, lookalikes } = z
  .strictObject({
    aliases: bySegment,
    people: bySegment,
    buying: listed(),
    lookalikes: z.record(z.string(), listed()),
  })
  .parse(file);

type BySegment = Readonly<Record<string, readonly string[]>>;

/**
 * How brands name a segment (docs/domain/network.md#taxonomy): a single word where it is specific enough. A phrase in
 * several segments counts less for each.
 */
export const ALIASES: BySegment = aliases;

/** Further phrases in descriptions. Posts and bios are read without them: people seldom post what they are. */
export const PEOPLE: BySegment = people;

/** Purchase phrases that say nothing about an audience (docs/domain/network.md#audience-text, step 3). */
export const BUYING_PHRASES: readonly string[] = buying;

/** Common words one letter away from a phrase's: a new phrase of six letters or more may need new entries. */
export const LOOKALIKES: ReadonlySet<string> = new Set(Object.values(lookalikes).flat());
