import { scaleBand, scaleLinear } from 'd3-scale';
import { stack } from 'd3-shape';
import { number, shortDay } from './format.js';

export type UsageDay = { day: string; ok: number; errors: number };

/** The kinds of bars, lowest first, with the words of the legend. */
const KINDS = [
  { kind: 'ok', label: 'Answered' },
  { kind: 'errors', label: 'Errors' },
] as const;

/** The height of the bars and of the whole drawing, in pixels. Widths are in percent, so that texts keep their size. */
const BASE = 190;
const HEIGHT = 216;
const TOP = 8;
const TICKS = 4;
const MARKS = 4;
/** A value above zero is never thinner than this, or one error among thousands would be invisible. */
const THINNEST = 2;

const round = (value: number): number => Math.round(value * 100) / 100;

type Part = { kind: string; y: number; height: number };

/** The parts of each day's bar in pixels, from the bottom up. */
const partsOf = (days: readonly UsageDay[], y: (value: number) => number): Part[][] => {
  const series = stack<UsageDay>().keys(KINDS.map(({ kind }) => kind))([...days]);
  return days.map((_day, at) => {
    let floor = BASE;
    return series.flatMap((values) => {
      const [from = 0, to = 0] = values[at] ?? [];
      if (to === from) return [];
      const height = Math.max(THINNEST, y(from) - y(to));
      floor -= height;
      return [{ kind: values.key, y: round(floor), height: round(height) }];
    });
  });
};

const marksOf = (days: readonly UsageDay[], centre: (day: string) => number) => {
  const step = Math.max(1, Math.ceil(days.length / MARKS));
  return days
    .filter((_day, at) => (days.length - 1 - at) % step === 0)
    .map(({ day }, at, all) => {
      const end = at === all.length - 1 && step > 1;
      return { x: end ? 100 : round(centre(day)), anchor: end ? 'end' : 'middle', label: shortDay(day) };
    });
};

/** The chart of requests per day, errors apart, and the same numbers as a table for readers who cannot see it. */
export const usageChart = (days: readonly UsageDay[], label: string) => {
  const most = Math.max(1, ...days.map(({ ok, errors }) => ok + errors));
  const y = scaleLinear([0, most], [BASE, TOP]).nice(TICKS);
  const slots = scaleBand(
    days.map(({ day }) => day),
    [0, 100],
  );
  const bars = scaleBand(
    days.map(({ day }) => day),
    [0, 100],
  ).padding(days.length > 45 ? 0.15 : 0.3);
  const parts = partsOf(days, y);
  return {
    label,
    height: HEIGHT,
    base: BASE,
    legend: KINDS,
    lines: y
      .ticks(TICKS)
      .filter(Number.isInteger)
      .map((value) => ({ y: round(y(value)), label: number(value) })),
    bars: days.map(({ day, ok, errors }, at) => ({
      title: `${shortDay(day)}: ${number(ok)} answered, ${number(errors)} errors`,
      slot: { x: round(slots(day) ?? 0), width: round(slots.bandwidth()) },
      x: round(bars(day) ?? 0),
      width: round(bars.bandwidth()),
      parts: parts[at] ?? [],
    })),
    marks: marksOf(days, (day) => (slots(day) ?? 0) + slots.bandwidth() / 2),
    rows: [...days]
      .reverse()
      .map(({ day, ok, errors }) => ({ day: shortDay(day), values: [number(ok), number(errors)] })),
  };
};
