import type { Problem } from '@cds/contracts';

const NAME_LENGTH = 100;

/** Whether a text may contain a key; an answer never repeats such a text. */
const looksLikeKey = (text: string): boolean => /cds_[a-z]{3,4}_/i.test(text);

/** A caller's field name in the form that an answer may repeat: bounded, and never a key. */
export const safeName = (name: string): string => {
  if (looksLikeKey(name)) return 'a key';
  return name.length > NAME_LENGTH ? `${name.slice(0, NAME_LENGTH)}…` : name;
};

const decode = (text: string): string | null => {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return null;
  }
};

/** Parses a query. Repeated names and broken escapes are problems (docs/domain/requests.md#every-request). */
export const readQuery = (query: string): { values: Record<string, string>; problems: Problem[] } => {
  const values: Record<string, string> = Object.create(null) as Record<string, string>;
  const problems: Problem[] = [];
  const repeated = new Set<string>();
  for (const pair of query.split('&')) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const name = decode(equals < 0 ? pair : pair.slice(0, equals));
    const value = decode(equals < 0 ? '' : pair.slice(equals + 1));
    if (name === null || value === null) {
      problems.push({ field: safeName(name ?? 'query'), message: 'must be percent-encoded UTF-8' });
    } else if (name in values) {
      if (!repeated.has(name)) problems.push({ field: safeName(name), message: 'must be sent once' });
      repeated.add(name);
    } else {
      values[name] = value;
    }
  }
  return { values, problems };
};
