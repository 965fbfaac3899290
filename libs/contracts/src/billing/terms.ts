import { z } from 'zod';
import { CalendarDate, publicText, Timestamp } from '../fields.js';
import { closed, codePoints, dateInput, integerInput } from '../input.js';
import { defineOperations } from '../operation.js';
import { internalReads, internalWrites } from '../operation-kinds.js';
import { everyRoleReads, leadWrites, pageOf, paging, reason } from '../operator-fields.js';

/** A published version of the brand terms, without its text (docs/domain/orders.md#brand-terms). */
export const BrandTerms = z
  .object({
    version: publicText(),
    number: z.int(),
    text_sha256: publicText(),
    published_at: Timestamp,
    current: z.boolean(),
    url: publicText().describe('The page that shows the text.'),
  })
  .meta({ id: 'BrandTerms' });
export type BrandTerms = z.infer<typeof BrandTerms>;

export const TermsText = z.object({
  version: publicText(),
  number: z.int(),
  text: publicText(),
  text_sha256: publicText(),
  published_at: Timestamp,
});

const NUMBER_MAX = 1_000_000;
/** The longest text, so that a request with it stays below the size limit of request bodies. */
const TEXT_MAX = 60_000;

export const termsOperations = defineOperations('billing', {
  ops_terms_list: {
    ...everyRoleReads,
    rest: { method: 'GET', path: '/api/ops/terms', root: 'app' },
    summary: 'Lists the published versions of the brand terms, newest first.',
    query: closed(paging()),
    output: pageOf(BrandTerms),
  },
  ops_terms_publish: {
    ...leadWrites,
    rest: { method: 'POST', path: '/api/ops/terms', root: 'app' },
    summary:
      'Publishes a version of the brand terms. From then on no key signs until a person has accepted it for that key.',
    body: closed({
      version: dateInput().describe('The date id of the version.'),
      number: integerInput({ min: 1, max: NUMBER_MAX }).describe('Above that of the current version.'),
      text: codePoints({ max: TEXT_MAX }),
      reason: reason(),
    }),
    output: BrandTerms,
    success: 201,
    conflicts: ['version_exists'],
  },
  terms_publish: {
    ...internalWrites,
    callers: ['gateway'],
    summary: 'Publishes a version of the brand terms. The same version with the same text changes nothing.',
    body: z.object({ version: CalendarDate, number: z.int().min(1), text: z.string().min(1) }),
    output: z.object({ version: publicText(), number: z.int(), published_at: Timestamp }),
  },
  terms_current: {
    ...internalReads,
    callers: ['gateway'],
    summary: 'Returns the text of the brand terms in force, or of a given version.',
    body: z.object({ version: z.string().optional() }),
    output: z.object({
      terms: TermsText.nullable(),
    }),
  },
});
