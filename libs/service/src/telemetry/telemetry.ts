import type { IncomingMessage, ServerResponse } from 'node:http';
import { context, metrics, propagation, trace } from '@opentelemetry/api';
import { PrometheusExporter } from '@opentelemetry/exporter-prometheus';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { NodeSDK } from '@opentelemetry/sdk-node';
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  type SpanProcessor,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace';

import { showCountersFromZero } from './metrics.js';
import { showProcess } from './process-metrics.js';

type TelemetryConfig = { endpoint: string; sample: number; auto: boolean };

export type Telemetry = {
  metrics: (request: IncomingMessage, response: ServerResponse) => void;
  stop: () => Promise<void>;
};

/** Without an endpoint no spans are created; metrics are always on the ops port. `processors` is for tests. */
export const startTelemetry = async (
  service: string,
  config: TelemetryConfig,
  processors: SpanProcessor[] = [],
): Promise<Telemetry> => {
  const prometheus = new PrometheusExporter({
    preventServerStart: true,
    withoutScopeInfo: true,
    withoutTargetInfo: true,
  });
  const exporting =
    config.endpoint === ''
      ? []
      : [new BatchSpanProcessor({ exporter: new OTLPTraceExporter({ url: config.endpoint }) })];
  const sdk = new NodeSDK({
    serviceName: `cds-${service}`,
    autoDetectResources: false,
    metricReaders: [prometheus],
    logRecordProcessors: [],
    spanProcessors: [...exporting, ...processors],
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(config.sample) }),
    instrumentations: config.auto ? await automatic() : [],
  });
  sdk.start();
  showCountersFromZero(service);
  showProcess();
  return {
    metrics: (request, response) => prometheus.getMetricsRequestHandler(request, response),
    stop: async () => {
      await sdk.shutdown();
      // The API keeps one SDK per process, and takes another only once this one has left.
      for (const api of [metrics, trace, context, propagation]) api.disable();
    },
  };
};

/** On demand, because it cuts throughput to 0.71x even unsampled (docs/performance.md#reads, rule 4). */
const automatic = async () => {
  const [http, undici, mongodb, runtime] = await Promise.all([
    import('@opentelemetry/instrumentation-http'),
    import('@opentelemetry/instrumentation-undici'),
    import('@opentelemetry/instrumentation-mongodb'),
    import('@opentelemetry/instrumentation-runtime-node'),
  ]);
  return [
    new http.HttpInstrumentation(),
    new undici.UndiciInstrumentation(),
    new mongodb.MongoDBInstrumentation(),
    new runtime.RuntimeNodeInstrumentation(),
  ];
};
