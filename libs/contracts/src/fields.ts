import { z } from 'zod';

/**
 * Who may see a string of an answer (docs/reliability.md#handles): `redacted` is third-party text that was cleaned at
 * import. A string without a mark fails the build.
 */
export type Disclosure = 'public' | 'redacted' | 'paid';

const marked = (disclosure: Disclosure) => () => z.string().meta({ disclosure });

export const publicText = marked('public');
/** Third-party text, cleaned of mentions, links and handles at import. */
export const redactedText = marked('redacted');
export const paidText = marked('paid');

/** A UUID in lower or upper case, compared as sent. */
export const Uuid = z.uuid().meta({ format: 'uuid', id: 'Uuid' });

/** An instant, ISO 8601 with milliseconds and Z. */
export const Timestamp = z.iso.datetime({ offset: true }).meta({ format: 'date-time', id: 'Timestamp' });

export const CalendarDate = z.iso.date().meta({ format: 'date', id: 'CalendarDate' });

export const Cents = z.int().min(0).max(Number.MAX_SAFE_INTEGER).meta({ description: 'US cents', id: 'Cents' });

export const Count = z.int().min(0).max(Number.MAX_SAFE_INTEGER).meta({ id: 'Count' });

/** Why a list is empty, in one sentence; only in empty answers. */
export const emptyListNote = () =>
  publicText().optional().meta({ description: 'Why the list is empty; only in an empty answer.' });
