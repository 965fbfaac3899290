import { AppError, type AudienceWeights, type Candidate, type Input, type Output } from '@cds/contracts';
import { aCtx } from '@cds/service/testing';
import { describe, expect, it } from '@jest/globals';
import type { UnitOverrides } from '../store/unit-overrides.js';
import { aCandidate, FOUNDERS } from '../test/builders.js';
import { CurrentUnits } from './current-units.js';

const [A, B, C, D] = Array.from({ length: 4 }, () => aCandidate()).sort((one, other) =>
  one.creator_id < other.creator_id ? -1 : 1,
) as [Candidate, Candidate, Candidate, Candidate];

type Page = { next: string | null; candidates: Candidate[]; segments?: AudienceWeights };

/** Catalog answers these pages in turn, and then the last one forever; `asked` is what it was asked. */
const reading = (pages: Page[]) => {
  const asked: Input<'plan_candidates'>[] = [];
  const catalog = {
    unit_facts: async () => ({ units: [] }),
    plan_candidates: async (_ctx: unknown, input: Input<'plan_candidates'>): Promise<Output<'plan_candidates'>> => {
      asked.push(input);
      const page = pages[Math.min(asked.length, pages.length) - 1];
      if (page === undefined) throw new Error('no page');
      return { segments: FOUNDERS, unresolved: false, ...page };
    },
  };
  const units = new CurrentUnits(catalog, {} as UnitOverrides);
  return {
    asked,
    candidates: (ms = 5_000) => units.candidates(aCtx({ limitMs: ms }), 'founders', 'Worldwide'),
  };
};

describe('the candidates of a plan', () => {
  it('are all pages of catalog', async () => {
    const { asked, candidates } = reading([
      { next: 'p2', candidates: [A, B] },
      { next: 'p3', candidates: [C] },
      { next: null, candidates: [D] },
    ]);
    expect(await candidates()).toEqual({ segments: FOUNDERS, unresolved: false, candidates: [A, B, C, D] });
    expect(asked.map(({ page }) => page)).toEqual([null, 'p2', 'p3']);
  });

  it('count each creator once when a replica repeats some', async () => {
    const { candidates } = reading([
      { next: 'p2', candidates: [A, B] },
      { next: 'q2', candidates: [A, B, C] },
      { next: null, candidates: [D] },
    ]);
    expect((await candidates()).candidates).toEqual([A, B, C, D]);
  });

  it('start again when a replica resolves the text to other segments', async () => {
    const segments = FOUNDERS.map((segment) => ({ ...segment, id: 'gaming' }));
    const { asked, candidates } = reading([
      { next: 'p2', candidates: [A, B] },
      { next: 'p3', candidates: [C], segments },
      { next: 'p2', candidates: [A], segments },
      { next: null, candidates: [D], segments },
    ]);
    expect(await candidates()).toEqual({ segments, unresolved: false, candidates: [A, D] });
    expect(asked.map(({ page }) => page)).toEqual([null, 'p2', null, 'p2']);
  });

  it('are unavailable when the pages do not end in time', async () => {
    const { candidates } = reading([{ next: 'p2', candidates: [A] }]);
    const failure = await candidates(30).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(AppError);
    expect(failure).toMatchObject({ code: 'unavailable' });
  });
});
