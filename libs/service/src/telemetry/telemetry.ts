import type { IncomingMessage, ServerResponse } from 'node:http';
import { PrometheusExporter } from '@opentelemetry/exporter-prometheus';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { NodeSDK } from '@opentelemetry/sdk-node';
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  type SpanProcessor,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace';

export type TelemetryConfig = { endpoint: string; sample: number; auto: boolean };

/** A running SDK: the handler behind /metrics, and the stop that flushes. */
export type Telemetry = {
  metrics: (request: IncomingMessage, response: ServerResponse) => void;
  stop: () => Promise<void>;
};

/**
 * Starts OpenTelemetry with our own spans over HTTP and bus. Without an endpoint no span is made at all, which is how
 * `npm start` runs; metrics are always kept and answered on the small port. `processors` is for tests.
 */
export const startTelemetry = async (
  service: string,
  config: TelemetryConfig,
  processors: SpanProcessor[] = [],
): Promise<Telemetry> => {
  const prometheus = new PrometheusExporter({ preventServerStart: true });
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
  return {
    metrics: (request, response) => prometheus.getMetricsRequestHandler(request, response),
    stop: () => sdk.shutdown(),
  };
};

/** Automatic instrumentations cost 0.71x even unsampled (performance 2, rule 4), so they are loaded on demand only. */
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
