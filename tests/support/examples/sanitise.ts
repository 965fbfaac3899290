/**
 * Replaces what differs between two runs by values that are the same in each: ids by their order, times by their
 * distance in days from the run, hosts and secrets by placeholders. So an example is what the system answered, and a
 * second run of the same script gives it again.
 */

const DAY_MS = 86_400_000;
/** The day that every run is shown to take place on. */
const SHOWN_DAY = Date.parse('2026-11-23T00:00:00.000Z');

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const INSTANT = /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g;
const DAY = /\b\d{4}-\d\d-\d\d\b(?!T)/g;
const HOST = /https?:\/\/(?:localhost|127\.0\.0\.1):\d+/g;
const KEY = /\bcds_(live|test)_[0-9A-Za-z]{12}_[0-9A-Za-z]{49}\b/g;
/** Handles of the generated network, which nothing shows before payment. */
const HANDLE = /\bdemo_[0-9a-z]+\b/g;
const PUBLIC_ID = /^[0-9A-Za-z]{12}$/;
/** Tokens, fingerprints and signatures: long, without a space, and not in words. */
const OPAQUE = /\b(?:[0-9a-f]{32,}|(?=[\w-]*\d)(?=[\w-]*[a-z])(?=[\w-]*[A-Z])[\w-]{20,})\b/g;

const OPAQUE_SHOWN = 43;

export type Sanitiser = (value: unknown) => unknown;

/** A sanitiser for one run that began at `start`; ids keep their order over all that it is given. */
export const sanitiser = (start: Date): Sanitiser => {
  const ids = new Map<string, string>();
  const shift = SHOWN_DAY - Math.floor(start.getTime() / DAY_MS) * DAY_MS;

  const idOf = (id: string): string => {
    const known = ids.get(id) ?? `00000000-0000-4000-8000-${String(ids.size + 1).padStart(12, '0')}`;
    ids.set(id, known);
    return known;
  };
  const dayOf = (day: string): string => new Date(Date.parse(`${day}T00:00:00Z`) + shift).toISOString().slice(0, 10);
  const instantOf = (instant: string): string => {
    const isMidnight = Date.parse(instant) % DAY_MS === 0;
    return `${dayOf(instant.slice(0, 10))}T${isMidnight ? '00:00:00.000' : '12:00:00.000'}Z`;
  };

  const text = (value: string): string =>
    PUBLIC_ID.test(value) && /\d/.test(value) && /[A-Z]/.test(value)
      ? 'A'.repeat(value.length)
      : value
          .replace(KEY, (_key, kind: string) => `cds_${kind}_${'A'.repeat(12)}_${'A'.repeat(49)}`)
          .replace(HANDLE, 'ada_ships')
          .replace(HOST, 'https://app.cds.example')
          .replace(INSTANT, instantOf)
          .replace(DAY, dayOf)
          .split(UUID_SPLIT)
          .map((part) =>
            IS_UUID.test(part)
              ? idOf(part)
              : part.replace(OPAQUE, (token) => 'x'.repeat(Math.min(token.length, OPAQUE_SHOWN))),
          )
          .join('');

  const clean = (value: unknown): unknown => {
    if (typeof value === 'string') return text(value);
    if (Array.isArray(value)) return value.map(clean);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key.replace(UUID, idOf), clean(inner)]));
  };
  return clean;
};

const UUID_SPLIT = new RegExp(`(${UUID.source})`, 'g');
const IS_UUID = new RegExp(`^${UUID.source}$`);
