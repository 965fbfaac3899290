/** What the importer refuses, row by row (docs/domain/network.md#imports, neutral JSON). */
import { FORMATS } from '@cds/contracts';
import { POST_COUNTS } from '../creator/creator.js';
import type { ImportedCreator } from './imported-creator.js';

export type Refused = { row: number; field: string; message: string };

const HANDLE = /^[A-Za-z0-9_]{1,15}$/;
const isCount = (value: number | null): boolean => value === null || (Number.isInteger(value) && value >= 0);

export const refusalOf = (creator: ImportedCreator, row: number, today: string): Refused | null => {
  const wrong = (field: string, message: string): Refused => ({ row, field, message });
  if (!HANDLE.test(creator.handle)) return wrong('handle', 'must be 1 to 15 of A-Z, a-z, 0-9 and _');
  if (!isCount(creator.followers)) return wrong('followers', 'must be a whole number of at least 0');

  const seen = new Set<string>();
  for (const [at, post] of creator.posts.entries()) {
    if (post.id === '' || seen.has(post.id)) return wrong(`posts[${at}].id`, 'must appear only once');
    seen.add(post.id);
    if (Number.isNaN(post.created_at.getTime())) return wrong(`posts[${at}].created_at`, 'must be a date');
    if (!POST_COUNTS.every((name) => isCount(post[name])))
      return wrong(`posts[${at}]`, 'counts must be whole numbers of at least 0');
  }
  for (const [at, unit] of creator.units.entries()) {
    if (!FORMATS.includes(unit.format)) return wrong(`units[${at}].format`, `must be one of ${FORMATS.join(', ')}`);
    if (!Number.isInteger(unit.ask_cents) || unit.ask_cents <= 0)
      return wrong(`units[${at}].ask_cents`, 'must be a whole number of cents above 0');
    if (unit.as_of > today) return wrong(`units[${at}].as_of`, 'must not be in the future');
  }
  return null;
};
