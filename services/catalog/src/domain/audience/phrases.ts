import { SEGMENTS } from '@cds/contracts';
import { z } from 'zod';
import { listed } from '../listed.js';
import file from './phrases.json' with { type: 'json' };

const bySegment = z.record(z.enum(SEGMENTS.map(({ id }) => id)), listed());

/** `phrases.json`, read and checked once, when the process starts. */
const { aliases, people, buying } = z
  .strictObject({ aliases: bySegment, people: bySegment, buying: listed() })
  .parse(file);

type BySegment = Readonly<Record<string, readonly string[]>>;

/**
 * The phrases that name each segment of the taxonomy, version 1 (docs/domain/network.md#taxonomy), chosen for how
 * brands describe the people they want: their roles, their tools, what they love. A single word is used where it is
 * specific enough; a longer phrase where its last word alone would be ambiguous, or to take words away from another
 * segment ("data scientists" and "scientists"). A phrase in several segments counts less for each.
 */
export const ALIASES: BySegment = aliases;

/**
 * Further phrases by which descriptions name the people of a segment: roles, hobbies, what they own and follow
 * (docs/domain/network.md#audience-text). Posts and bios are read without them, since people seldom post the name of
 * what they are. Chosen for the meaning of a segment; a phrase that other segments would claim too is left out.
 */
export const PEOPLE: BySegment = people;

/** Purchase phrases that say nothing about an audience (docs/domain/network.md#audience-text, step 3). */
export const BUYING_PHRASES: readonly string[] = buying;
