import { type Counter, type Histogram, metrics } from '@opentelemetry/api';
import { Deadline } from '../deadline/deadline.js';
import {
  type DeclaredMetric,
  type LabelsOf,
  labelSets,
  METRICS,
  type MetricName,
  type MetricOf,
} from './declared-metrics.js';

type Labelled<N extends MetricName> = keyof LabelsOf<N> extends never ? [] : [labels: LabelsOf<N>];

const meter = () => metrics.getMeter('cds');

/** A declared counter. It may be created before telemetry starts, but counts only from then on. */
export const counterOf = <N extends MetricOf<'counter'>>(
  name: N,
): { add: (value: number, ...labels: Labelled<N>) => void } => {
  let counter: Counter | undefined;
  return {
    add: (value, ...[labels]) => {
      counter ??= meter().createCounter(name, { description: METRICS[name].help });
      counter.add(value, labels);
    },
  };
};

export const histogramOf = <N extends MetricOf<'histogram'>>(
  name: N,
): { record: (value: number, ...labels: Labelled<N>) => void } => {
  let histogram: Histogram | undefined;
  return {
    record: (value, ...[labels]) => {
      const { help: description, buckets } = METRICS[name];
      histogram ??= meter().createHistogram(name, { description, advice: { explicitBucketBoundaries: [...buckets] } });
      histogram.record(value, labels);
    },
  };
};

/** A value now: one number, or one for each set of labels; null when it is not known. */
export type Reading<N extends MetricName> = keyof LabelsOf<N> extends never
  ? number | null
  : readonly { value: number; labels: LabelsOf<N> }[] | null;

/** How long reading a value may take, in milliseconds: a scrape must not wait for a database that is gone. */
const READ_MS = 2_000;

type Readings = readonly { value: number; labels: Record<string, string> }[];

/**
 * Read on each request to /metrics; what cannot be read shows as NaN, since the SDK would repeat its last value. Create
 * it after telemetry has started.
 */
export const readingOf = <N extends MetricOf<'gauge' | 'counter'>>(
  name: N,
  read: () => Reading<N> | Promise<Reading<N>>,
): void => {
  const { kind, help: description } = METRICS[name];
  const observable =
    kind === 'counter'
      ? meter().createObservableCounter(name, { description })
      : meter().createObservableGauge(name, { description });
  const seen = new Map<string, Record<string, string>>();
  observable.addCallback(async (result) => {
    const reading = await Deadline.in(READ_MS)
      .run(async () => read())
      .catch(() => null);
    const readings: Readings =
      typeof reading === 'number' ? [{ value: reading, labels: {} }] : ((reading ?? []) as Readings);
    const gone = new Map(seen);
    for (const { value, labels } of readings) {
      result.observe(value, labels);
      seen.set(JSON.stringify(labels), labels);
      gone.delete(JSON.stringify(labels));
    }
    for (const labels of gone.values()) result.observe(Number.NaN, labels);
  });
};

/** Begins counters at 0, so that the first event is an increase; where label values are known in advance. */
export const showCountersFromZero = (process: string): void => {
  for (const [name, declared] of Object.entries<DeclaredMetric>(METRICS)) {
    if (declared.kind !== 'counter' || declared.read === true || !declared.of.includes(process)) continue;
    const counter = meter().createCounter(name, { description: declared.help });
    for (const labels of labelSets(declared)) counter.add(0, labels);
  }
};
