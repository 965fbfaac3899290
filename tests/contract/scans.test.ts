import { describe, expect, it } from '@jest/globals';
import { isWasteful, type Scan } from '../support/scans.js';

const SCAN: Scan = {
  collection: 'metrics.posts',
  shape: 'query [{"ws":"?"},{}]',
  plan: 'IXSCAN { ws: 1, _id: 1 }',
  examined: 10,
  used: 10,
  joins: false,
  runs: 1,
};

/** What the fuzzer fails at, among the statements that the database noted (docs/performance.md#database). */
describe('a statement', () => {
  it.each<[string, Partial<Scan>, boolean]>([
    ['that reads what it uses is fine', {}, false],
    ['may read twice what it uses and a few more', { examined: 40 }, false],
    ['that reads more than that is wasteful', { examined: 41 }, true],
    ['that reads many to find none is wasteful', { examined: 21, used: 0 }, true],
    ['that reads a collection whole is wasteful, however small it is', { plan: 'COLLSCAN', examined: 0 }, true],
    ['may read a collection whole that is always small', { collection: 'billing.put_off', plan: 'COLLSCAN' }, false],
    ['that joins is judged by how it begins', { examined: 90, joins: true }, false],
    ['that joins may not begin with a whole collection', { plan: 'COLLSCAN', joins: true }, true],
    ['that waits for changes reads the log', { plan: 'COLLSCAN', shape: 'getmore [{"$changeStream":{}}]' }, false],
    ['of an exception may read on', { collection: 'catalog.creators', shape: '{"$regex":"?"}', examined: 90 }, false],
    ['is no exception in another collection', { shape: '{"$regex":"?"}', examined: 90 }, true],
  ])('%s', (_name, scan, wasteful) => expect(isWasteful({ ...SCAN, ...scan })).toBe(wasteful));
});
