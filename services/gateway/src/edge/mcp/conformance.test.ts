import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { BASELINE, expectedOf, FIXTURES_BASELINE } from '../../test/conformance-baseline.js';
import { CONFORMANCE_FIXTURES } from '../../test/conformance-fixtures.js';
import { type Front, runSuite, startFront } from '../../test/conformance-suite.js';
import { type EdgeApp, makeBrand, startEdgeApp } from '../../test/edge-app.js';

const KEYS = 8;

describe.each([
  { served: 'the real tools', standIn: undefined, baseline: BASELINE },
  { served: 'its own fixtures', standIn: CONFORMANCE_FIXTURES, baseline: FIXTURES_BASELINE },
])("the protocol's conformance suite finds on $served only what the baseline names", ({ standIn, baseline }) => {
  let edge: EdgeApp;
  let front: Front;

  beforeAll(async () => {
    edge = await startEdgeApp('gateway_conformance', 'test', [], undefined, standIn);
    const brands = await Promise.all(Array.from({ length: KEYS }, () => makeBrand(edge)));
    front = await startFront(
      `${edge.url}/api/mcp`,
      brands.map((brand) => brand.live['full'] ?? ''),
    );
  });
  afterAll(async () => {
    front?.close();
    await edge?.stop();
  });

  test.each(['2025-11-25', '2026-07-28'])(
    'in revision %s',
    async (revision) => {
      expect(await runSuite(front.url, revision)).toEqual(expectedOf(baseline, revision));
    },
    120_000,
  );
});
