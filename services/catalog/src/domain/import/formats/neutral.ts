/** One creator of neutral JSON (docs/domain/network.md#imports). A bad post or unit is refused by itself. */
import { FORMATS, type Format, isDay } from '@cds/contracts';
import { countsOf } from '../../creator/creator.js';
import type { Refused } from '../import-checks.js';
import type { ImportedPost, ImportedUnit } from '../imported-creator.js';
import type { ReadRow } from '../stated.js';
import { BadField, countOf, dayOrInstantIn, type Fields, fieldsOf, flagOf, idOf, instantOf, textOf } from './fields.js';
import { languageOfCode } from './language.js';

const HANDLE = /^[A-Za-z0-9_]{1,15}$/;

export const handleIn = (value: unknown, field: string): string => {
  if (typeof value !== 'string' || !HANDLE.test(value))
    throw new BadField(field, 'must be 1 to 15 of A-Z, a-z, 0-9 and _');
  return value;
};

const languageIn = (fields: Fields): string | null | undefined => {
  const language = textOf(fields, 'language');
  return typeof language === 'string' ? (languageOfCode(language) ?? language) : language;
};

const formatIn = (value: unknown, field: string): Format => {
  const format = FORMATS.find((one) => one === value);
  if (format === undefined) throw new BadField(field, `must be one of ${FORMATS.join(', ')}`);
  return format;
};

const eachOf = <T>(
  fields: Fields,
  field: string,
  row: number,
  refused: Refused[],
  read: (value: Fields) => T,
): T[] | undefined => {
  const list = fields[field];
  if (list === undefined || list === null) return undefined;
  if (!Array.isArray(list)) throw new BadField(field, 'must be a list');
  return list.flatMap((value: unknown, at): T[] => {
    try {
      return [read(fieldsOf(value, ''))];
    } catch (error) {
      if (!(error instanceof BadField)) throw error;
      const inner = error.field === '' ? '' : `.${error.field}`;
      refused.push({ row, field: `${field}[${at}]${inner}`, message: error.message });
      return [];
    }
  });
};

const postReader =
  (seen: Set<string>) =>
  (post: Fields): ImportedPost => {
    const id = idOf(post, 'id');
    if (seen.has(id)) throw new BadField('id', 'must appear only once');
    const createdAt = dayOrInstantIn(post['created_at']);
    if (createdAt === null) throw new BadField('created_at', 'is required and must be an ISO 8601 date-time');
    seen.add(id);
    return {
      id,
      created_at: createdAt,
      kind: formatIn(post['kind'] ?? 'post', 'kind'),
      text: textOf(post, 'text') ?? '',
      ...countsOf((name) => countOf(post, name) ?? null),
      paid_partnership: flagOf(post, 'paid_partnership') ?? false,
      quoted_handle: textOf(post, 'quoted_handle') ?? null,
    };
  };

/** The stated posts; undefined if none of them could be read. */
const postsOf = (fields: Fields, row: number, refused: Refused[]): ImportedPost[] | undefined => {
  const unread: Refused[] = [];
  const posts = eachOf(fields, 'posts', row, unread, postReader(new Set()));
  refused.push(...unread);
  return posts?.length === 0 && unread.length > 0 ? undefined : posts;
};

const unitReader =
  (asOf: string, today: string) =>
  (unit: Fields): ImportedUnit => {
    const ask = unit['ask_cents'];
    if (typeof ask !== 'number' || !Number.isSafeInteger(ask) || ask <= 0)
      throw new BadField('ask_cents', 'must be a whole number of cents above 0');
    const day = textOf(unit, 'as_of') ?? asOf;
    if (!isDay(day)) throw new BadField('as_of', 'must be a day, YYYY-MM-DD');
    if (day > today) throw new BadField('as_of', 'must not be in the future');
    return {
      format: formatIn(unit['format'], 'format'),
      label: textOf(unit, 'label') ?? null,
      deliverable: textOf(unit, 'deliverable') ?? null,
      ask_cents: ask,
      as_of: day,
      source: 'creator',
      method: 'stated',
    };
  };

/** Reads one entry of `creators`. `asOf` is the file's day, `today` the network's. */
export const readNeutral = (value: unknown, row: number, asOf: string, today: string): ReadRow => {
  const refused: Refused[] = [];
  try {
    const fields = fieldsOf(value, 'creators');
    const networkId = textOf(fields, 'network_id');
    const stated = {
      network_id: networkId === undefined || networkId === null || networkId === '' ? null : networkId,
      handle: handleIn(fields['handle'], 'handle'),
      name: textOf(fields, 'name'),
      bio: textOf(fields, 'bio'),
      followers: countOf(fields, 'followers'),
      verified_badge: flagOf(fields, 'verified_badge'),
      account_created_at: instantOf(fields, 'account_created_at'),
      protected: flagOf(fields, 'protected'),
      parody: flagOf(fields, 'parody'),
      withheld: flagOf(fields, 'withheld'),
      country: textOf(fields, 'country'),
      language: languageIn(fields),
      avatar_source: textOf(fields, 'avatar_url'),
      posts: postsOf(fields, row, refused),
      units: eachOf(fields, 'units', row, refused, unitReader(asOf, today)) ?? [],
    };
    return { row, stated, refused };
  } catch (error) {
    if (!(error instanceof BadField)) throw error;
    return { row, stated: null, refused: [{ row, field: error.field, message: error.message }] };
  }
};
