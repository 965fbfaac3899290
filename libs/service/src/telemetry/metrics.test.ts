// @isolated: counters are made once per process.
import type { ServerResponse } from 'node:http';
import { Writable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { labelSets, METRICS } from './declared-metrics.js';
import { counterOf, histogramOf, readingOf } from './metrics.js';
import { startTelemetry, type Telemetry } from './telemetry.js';

const OF_ANOTHER = 'cds_snapshot_creators';

/** A metric as code counts it, and as /metrics of its process then shows it. */
describe('a declared metric', () => {
  let telemetry: Telemetry;
  beforeAll(async () => {
    telemetry = await startTelemetry('billing', { endpoint: '', sample: 0, auto: false });
  });
  afterAll(() => telemetry.stop());

  /** The lines of /metrics for one metric. */
  const shown = async (name: string): Promise<string[]> => {
    const parts: string[] = [];
    await new Promise<void>((resolve) => {
      const response = Object.assign(
        new Writable({
          write: (chunk, _encoding, done) => {
            parts.push(String(chunk));
            done();
          },
        }),
        { setHeader: () => undefined },
      ).on('finish', resolve);
      telemetry.metrics({} as never, response as unknown as ServerResponse);
    });
    return parts
      .join('')
      .split('\n')
      .filter((line) => line.startsWith(name));
  };

  it('that counts begins at 0 for each combination of known label values, so that the first is an increase', async () => {
    const before = await shown('cds_transactions_total');
    expect(before).toEqual(
      ['committed', 'aborted', 'busy', 'unknown'].map((one) => line('cds_transactions_total', one, 0)),
    );
    counterOf('cds_transactions_total').add(2, { outcome: 'busy' });
    expect(await shown('cds_transactions_total')).toContain(line('cds_transactions_total', 'busy', 2));
    expect(await shown('cds_meter_refusals_total')).toEqual([]);
  });

  it('that measures has the declared bounds', async () => {
    histogramOf('cds_event_publish_delay_seconds').record(0.3);
    const bounds = (await shown('cds_event_publish_delay_seconds_bucket')).map((one) => /le="([^"]+)"/.exec(one)?.[1]);
    expect(bounds).toEqual([...METRICS.cds_event_publish_delay_seconds.buckets.map(String), '+Inf']);
  });

  it('that is read is asked on each scrape, and no number when it cannot be read in time', async () => {
    let answer: () => Promise<number> = async () => 3;
    readingOf(OF_ANOTHER, () => answer());
    expect(await shown(OF_ANOTHER)).toEqual([`${OF_ANOTHER} 3`]);
    answer = () => Promise.reject(new Error('the database is unavailable'));
    expect(await shown(OF_ANOTHER)).toEqual([`${OF_ANOTHER} NaN`]);
    answer = () => new Promise(() => undefined);
    expect(await shown(OF_ANOTHER)).toEqual([`${OF_ANOTHER} NaN`]);
    answer = async () => 4;
    expect(await shown(OF_ANOTHER)).toEqual([`${OF_ANOTHER} 4`]);
  }, 15_000);

  it('that is read for several labels shows those that are gone as no number', async () => {
    const labelled = (database: string) => ({ value: 1, labels: { database } });
    let found = [labelled('a'), labelled('b')];
    readingOf('cds_database_primary', () => found);
    expect(await shown('cds_database_primary')).toHaveLength(2);
    found = [labelled('b')];
    expect(await shown('cds_database_primary')).toEqual([
      'cds_database_primary{database="a"} NaN',
      'cds_database_primary{database="b"} 1',
    ]);
  });

  const line = (name: string, outcome: string, value: number): string => `${name}{outcome="${outcome}"} ${value}`;
});

describe('the declarations', () => {
  it('end in _total where they count', () => {
    for (const [name, { kind }] of Object.entries(METRICS))
      expect([name, name.endsWith('_total')]).toEqual([name, kind === 'counter']);
  });

  it('combine known label values, and none where one is not known', () => {
    const of = (labels: Parameters<typeof labelSets>[0]['labels']) =>
      labelSets({ area: 'Money', kind: 'counter', of: [], labels, help: '' });
    expect(of({})).toEqual([{}]);
    expect(of({ a: ['1', '2'], b: ['x'] })).toEqual([
      { a: '1', b: 'x' },
      { a: '2', b: 'x' },
    ]);
    expect(of({ a: ['1'], b: 'open' })).toEqual([]);
  });
});
