import { CATEGORIES } from '@cds/contracts';
import { z } from 'zod';
import file from './categories.json' with { type: 'json' };

/** Separated by commas, in the form in which they are compared: lower case, letters and digits, single spaces. */
const phrases = z
  .string()
  .transform((text) => text.split(', '))
  .pipe(z.array(z.string().regex(/^[a-z0-9]+( [a-z0-9]+)*$/)));

const categoryRow = z.strictObject({
  category: z.enum(CATEGORIES).exclude(['other']),
  /** The category in running text. */
  label: z.string(),
  result: z.enum(['banned', 'review']),
  /** Phrases that mean the category wherever they stand. */
  clear: phrases.default([]),
  /** Its shops, venues and makers; a tool for them is not the category. */
  trade: phrases.default([]),
  /** Words with another meaning too. */
  ambiguous: phrases.default([]),
  /** Everyday words: they mean the category only beside a confirming one, and then to a person. */
  weak: phrases.default([]),
  /** Words beside an ambiguous one that leave no doubt. */
  confirming: phrases.default([]),
  /** Phrases that only look like it. */
  not: phrases.default([]),
  /** Roles by name; one phrase of each in a text means the category, as a clear phrase does. */
  together: z
    .array(
      z.record(z.string(), phrases).refine((roles) => {
        const all = Object.values(roles).flat();
        return new Set(all).size === all.length;
      }, 'a phrase has one role'),
    )
    .default([]),
});

export type CategoryRow = z.infer<typeof categoryRow>;

/**
 * The operator's list (docs/domain/network.md#category-screening), in line with X's paid partnerships policy of
 * `as_of`, read and checked when the process starts. Phrases match whole words only.
 */
export const CATEGORY_LIST = z
  .strictObject({
    as_of: z.iso.date(),
    source: z.url(),
    rows: z.array(categoryRow),
    /**
     * A tool, a trade's software or a work of fiction: clears an ambiguous word, and leaves a clear one to a person.
     */
    tools: phrases,
    /** Negates the phrase after it, with at most one word in between. */
    against_before: phrases,
    /** After a phrase that the text is against. */
    against_after: phrases,
  })
  .parse(file);
