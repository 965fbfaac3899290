import { SEGMENTS } from '@cds/contracts';
import { describe, expect, it } from '@jest/globals';
import file from '../../test/unseen-descriptions.json' with { type: 'json' };
import { resolveAudience } from './segments.js';

type Row = { text: string; must: readonly string[]; may: readonly string[] };

const idsIn = (list: string): string[] => list.split(', ').filter((id) => id !== '');

/**
 * Each description with the segments it must resolve to, and those it may; without a required one it is unresolved.
 * Written and labelled as a reader would, before any phrase was tried on them. Misses stay: phrases are chosen for the
 * meaning of a segment, never to fit a row.
 */
const UNSEEN: readonly Row[] = file.map(({ text, must, may }) => ({ text, must: idsIn(must), may: idsIn(may) }));

const idsOf = (text: string) => resolveAudience(text).segments.map(({ id }) => id);

const isAsMeant = ({ text, must, may }: Row): boolean => {
  const ids = idsOf(text);
  if (must.length === 0) return ids.length === 0;
  return must.every((id) => ids.includes(id)) && ids.every((id) => must.includes(id) || may.includes(id));
};

describe('descriptions written before any phrase was chosen', () => {
  it('cover every segment, and some name none', () => {
    const asked = new Set(UNSEEN.flatMap(({ must }) => must));
    expect(SEGMENTS.map(({ id }) => id).filter((id) => !asked.has(id))).toEqual([]);
    expect(UNSEEN.some(({ must }) => must.length === 0)).toBe(true);
  });

  it('resolve as labelled in at least 90% of cases', () => {
    const wrong = UNSEEN.filter((row) => !isAsMeant(row));
    expect(wrong.length / UNSEEN.length).toBeLessThanOrEqual(0.1);
  });
});
