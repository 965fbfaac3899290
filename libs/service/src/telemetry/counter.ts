import { type Attributes, type Counter, metrics } from '@opentelemetry/api';

/** A counter on /metrics. It may be created before telemetry starts, but counts only from then on. */
export const counterOf = (name: string, description: string): Pick<Counter, 'add'> => {
  let counter: Counter | undefined;
  return {
    add: (value, attributes?: Attributes) => {
      counter ??= metrics.getMeter('cds').createCounter(name, { description });
      counter.add(value, attributes);
    },
  };
};

/** A gauge on /metrics, read on each request. Create it after telemetry has started. */
export const gaugeOf = (name: string, description: string, read: () => number): void => {
  metrics
    .getMeter('cds')
    .createObservableGauge(name, { description })
    .addCallback((result) => result.observe(read()));
};
