import type { MandateTried } from '@cds/contracts';
import { describe, expect, test } from '@jest/globals';
import { triedModel } from './tried-model.js';

const NOW = new Date('2026-11-22T12:00:00.000Z');
const refused = (request_id: string): MandateTried['refused'][number] => ({
  at: '2026-11-21T12:00:00.000Z',
  operation: 'approve_plan',
  request_id,
  reason: 'over_monthly_cap',
  details: { over_by_cents: 250_000 },
});
const tried = (over: Partial<MandateTried> = {}): MandateTried => ({
  from: '2026-10-23T12:00:00.000Z',
  to: '2026-11-22T12:00:00.000Z',
  tried: 40,
  refused: [],
  changed: [],
  ...over,
});

describe('the preview of a mandate', () => {
  test('names what the draft would have refused, and why', () => {
    const changed = [{ request_id: 'req_1', was: null, would: 'over_monthly_cap' as const }];
    const model = triedModel(tried({ refused: [refused('req_1')], changed }), NOW);
    expect([model.kind, model.title]).toEqual(['warn', 'It would have refused 1 write']);
    expect(model.rows).toMatchObject([
      { ago: '1 day ago', operation: 'approve plan', reason: 'the month is above its limit', over: 'over by $2,500' },
    ]);
    expect(model.text).toContain('Compared with 40 writes since 23 October 2026. 1 answer would have been different');
  });

  test.each([
    ['nothing refused', tried(), 'good', 'It would have refused nothing'],
    ['nothing to compare with', tried({ tried: 0 }), 'good', 'This key has written nothing in the last 30 days'],
  ])('%s', (_name, answer, kind, title) => {
    expect(triedModel(answer, NOW)).toMatchObject({ kind, title, rows: [] });
  });

  test('shows the newest twenty, and counts the rest', () => {
    const model = triedModel(tried({ refused: Array.from({ length: 25 }, (_none, at) => refused(`req_${at}`)) }), NOW);
    expect([model.rows.length, model.more]).toEqual([20, 5]);
  });
});
