import { CATEGORIES } from '@cds/contracts';
import { z } from 'zod';
import file from './categories.json' with { type: 'json' };

/** Phrases with a comma between them; each in lower case, of letters and digits in single spaces, as it is compared. */
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
  /** Its shops, venues and makers; a tool for them is not the category itself. */
  trade: phrases.default([]),
  /** Words with another meaning too. */
  ambiguous: phrases.default([]),
  /** Everyday words, which mean the category only beside a confirming one, and then to a person. */
  weak: phrases.default([]),
  /** Words beside an ambiguous one that leave no doubt. */
  confirming: phrases.default([]),
  /** Phrases that only look alike. */
  not: phrases.default([]),
});

/** One category of the operator's list: its result, and the phrases that tell of it. */
export type CategoryRow = z.infer<typeof categoryRow>;

/**
 * The operator's list of categories (docs/domain/network.md#category-screening), in line with X's paid partnerships
 * policy of `as_of`: `categories.json`, read and checked once, when the process starts. Phrases match whole words only.
 * A new version of the policy needs a new list with a new day.
 */
export const CATEGORY_LIST = z
  .strictObject({
    as_of: z.iso.date(),
    source: z.url(),
    rows: z.array(categoryRow),
    /**
     * Words of a tool, of a trade's software or of a work of fiction: they clear an ambiguous word, and leave a clear
     * one to a person.
     */
    tools: phrases,
    /** Words that negate the phrase after them, with at most one word in between. */
    against_before: phrases,
    /** What follows a phrase that a text is against. */
    against_after: phrases,
  })
  .parse(file);
