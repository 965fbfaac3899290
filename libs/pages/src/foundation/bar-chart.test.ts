import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type UsageDay, usageChart } from './bar-chart.js';

const dayOf = (at: number): string => new Date(Date.UTC(2026, 8, 1 + at)).toISOString().slice(0, 10);
const days = (values: readonly [ok: number, errors: number][]): UsageDay[] =>
  values.map(([ok, errors], at) => ({ day: dayOf(at), ok, errors }));

describe('the chart of requests per day', () => {
  test('stacks errors on top of what was answered, in proportion', () => {
    const { bars, base } = usageChart(days([[30, 10]]), 'Requests');
    const [ok, errors] = bars[0]?.parts ?? [];
    expect([ok?.kind, errors?.kind]).toEqual(['ok', 'errors']);
    expect((ok?.y ?? 0) + (ok?.height ?? 0)).toBe(base);
    expect((errors?.y ?? 0) + (errors?.height ?? 0)).toBe(ok?.y);
    expect((ok?.height ?? 0) / (errors?.height ?? 1)).toBeCloseTo(3);
  });

  test('one error among many requests stays visible', () => {
    const [, errors] = usageChart(days([[100_000, 1]]), 'Requests').bars[0]?.parts ?? [];
    expect(errors?.height).toBe(2);
  });

  test('a workspace without requests has lines and days, but no bars', () => {
    const chart = usageChart(
      days([
        [0, 0],
        [0, 0],
      ]),
      'Requests',
    );
    expect(chart.bars.flatMap(({ parts }) => parts)).toEqual([]);
    expect(chart.lines.map(({ label }) => label)).toEqual(['0', '1']);
  });

  test.each([7, 30, 90])('%i days have at most seven marks, the last of them today', (length) => {
    const { marks } = usageChart(days(Array.from({ length }, () => [1, 0])), 'Requests');
    expect(marks.length).toBeLessThanOrEqual(7);
    expect(marks.at(-1)?.label).toBe(usageChart(days(Array.from({ length }, () => [1, 0])), '').rows[0]?.day);
  });

  test('every bar lies within the drawing, and the table holds every number', () => {
    const value = fc.integer({ min: 0, max: 1_000_000 });
    fc.assert(
      fc.property(fc.array(fc.tuple(value, value), { minLength: 1, maxLength: 90 }), (drawn) => {
        const chart = usageChart(days(drawn), 'Requests');
        for (const { x, width, parts } of chart.bars) {
          expect(x).toBeGreaterThanOrEqual(0);
          expect(x + width).toBeLessThanOrEqual(100.01);
          for (const part of parts) expect(part.y).toBeGreaterThanOrEqual(0);
        }
        expect(chart.rows.map(({ values }) => values)).toEqual(
          [...drawn].reverse().map((pair) => pair.map((one) => one.toLocaleString('en-US'))),
        );
      }),
    );
  });
});
