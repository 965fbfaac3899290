import { OfProcess, variablesOf } from '@cds/service/bus';
import { z } from 'zod';

const Environment = OfProcess.extend({
  CDS_NATS_REPLICAS: z.coerce
    .number()
    .int()
    .min(1)
    .max(5)
    .default(1)
    .describe('The replicas of each stream: 1 on one machine, 3 on a cluster.'),
});

export const variables = variablesOf(Environment);

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
