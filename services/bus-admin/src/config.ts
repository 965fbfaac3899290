import { variablesOf } from '@cds/service/bus';
import { z } from 'zod';

const Environment = z.object({
  CDS_LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'silent']).default('info'),
  /** The bus, and its only user that may create and change streams and durables. */
  CDS_NATS_URL: z.string().min(1),
  CDS_NATS_USER: z.string().min(1),
  CDS_NATS_PASSWORD: z.string().min(1),
  /** The replicas of each stream: 1 on one machine, 3 on a cluster. */
  CDS_NATS_REPLICAS: z.coerce.number().int().min(1).max(5).default(1),
  /** The operations port with /livez, /readyz and /metrics. */
  CDS_OPS_HOST: z.string().default('127.0.0.1'),
  CDS_OPS_PORT: z.coerce.number().int().min(0).max(65_535),
});

/** Every variable that bus-admin reads. */
export const variables = variablesOf(Environment);

/** Reads the environment and reports every problem in one message. */
export const readConfig = (env: Record<string, string | undefined> = process.env) => {
  const { data, error } = Environment.safeParse(env);
  if (error !== undefined) {
    const lines = error.issues.map((issue) => `  ${issue.path.join('.')}: ${issue.message}`);
    throw new Error(`bus-admin cannot start; its environment has ${lines.length} problem(s):\n${lines.join('\n')}`);
  }
  return {
    logLevel: data.CDS_LOG_LEVEL,
    bus: { url: data.CDS_NATS_URL, user: data.CDS_NATS_USER, password: data.CDS_NATS_PASSWORD },
    replicas: data.CDS_NATS_REPLICAS,
    ops: { host: data.CDS_OPS_HOST, port: data.CDS_OPS_PORT },
  };
};
