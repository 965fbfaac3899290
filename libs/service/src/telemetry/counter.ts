import { type Attributes, type Counter, metrics } from '@opentelemetry/api';

/** A count of the process, answered on /metrics; made before telemetry starts, it counts from the first `add` after it. */
export const counterOf = (name: string, description: string): Pick<Counter, 'add'> => {
  let counter: Counter | undefined;
  return {
    add: (value, attributes?: Attributes) => {
      counter ??= metrics.getMeter('cds').createCounter(name, { description });
      counter.add(value, attributes);
    },
  };
};

/** A figure of the process as it is when /metrics is asked; made after telemetry has started. */
export const gaugeOf = (name: string, description: string, read: () => number): void => {
  metrics
    .getMeter('cds')
    .createObservableGauge(name, { description })
    .addCallback((result) => result.observe(read()));
};
