import { expect, test } from '@jest/globals';
import {
  AUTHORIZATION_BASELINE,
  BASELINE,
  type Baseline,
  expectedOf,
  FIXTURES_BASELINE,
} from './conformance-baseline.js';

/**
 * How many checks may fail, by baseline and revision. A number only goes down: whoever adds a check to a baseline has
 * to raise it here too, and to say why.
 */
const CEILINGS = {
  'the real tools': { '2025-11-25': 24, '2026-07-28': 33 },
  'the fixtures of the suite': { '2025-11-25': 5, '2026-07-28': 2 },
  'the authorization server': { '2025-11-25': 0, '2026-07-28': 0 },
};

const countsOf = (baseline: Baseline): Record<string, number> =>
  Object.fromEntries(
    Object.keys(baseline).map((revision) => [revision, Object.values(expectedOf(baseline, revision)).flat().length]),
  );

test('each baseline of the conformance suite names as many checks as its ceiling', () => {
  expect({
    'the real tools': countsOf(BASELINE),
    'the fixtures of the suite': countsOf(FIXTURES_BASELINE),
    'the authorization server': countsOf(AUTHORIZATION_BASELINE),
  }).toEqual(CEILINGS);
});
