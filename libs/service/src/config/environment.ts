import { createSecretKey, type KeyObject } from 'node:crypto';
import { SERVICES, type ServiceName } from '@cds/contracts';
import { z } from 'zod';

/** A string of base64 as its bytes. */
export const Base64 = z
  .string()
  .min(1)
  .transform((text) => Buffer.from(text, 'base64'));

const json = <T extends z.ZodType>(inner: T) =>
  z.string().transform((text, ctx): z.output<T> => {
    try {
      return inner.parse(JSON.parse(text)) as z.output<T>;
    } catch {
      ctx.addIssue({ code: 'custom', message: 'must be JSON of the documented shape' });
      return z.NEVER;
    }
  });

/** A JSON object of names to base64 keys. As key objects, since Node prepares a key of bytes anew for every use. */
export const SecretKeys = json(
  z.record(
    z.string(),
    Base64.transform((bytes): KeyObject => createSecretKey(bytes)),
  ),
);

const Port = z.coerce.number().int().min(0).max(65_535);

/** What every process reads from its environment. */
const Shared = z.object({
  CDS_ENV: z.enum(['development', 'test', 'production']).default('production'),
  CDS_LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'silent']).default('info'),
  CDS_NATS_URL: z.string().min(1),
  CDS_NATS_USER: z.string().min(1),
  CDS_NATS_PASSWORD: z.string().min(1),
  CDS_NATS_REPLICAS: z.coerce.number().int().min(1).max(5).default(1),
  CDS_MONGODB_URI: z.string().min(1),
  CDS_MONGODB_DB: z.string().min(1),
  CDS_OPS_HOST: z.string().default('127.0.0.1'),
  CDS_OPS_PORT: Port,
  CDS_CTX_KEYS: SecretKeys,
  CDS_FAILPOINTS: z.string().default(''),
  CDS_OTEL_ENDPOINT: z.string().default(''),
  CDS_OTEL_SAMPLE: z.coerce.number().min(0).max(1).default(0.1),
  CDS_OTEL_AUTO: z.enum(['0', '1']).default('0'),
});

/** The settings that every process shares, nested and typed. */
export type SharedConfig = {
  service: ServiceName;
  env: 'development' | 'test' | 'production';
  logLevel: string;
  bus: { url: string; user: string; password: string; replicas: number };
  store: { uri: string; db: string };
  /** The small port with /livez, /readyz and /metrics. */
  ops: { host: string; port: number };
  /** Keys that contexts are signed with: the own key and those of every service that may call. */
  ctxKeys: Partial<Record<ServiceName, KeyObject>>;
  /** Named points at which a test makes this process die; empty outside tests. */
  failpoints: string;
  telemetry: { endpoint: string; sample: number; auto: boolean };
};

/**
 * Reads the environment once, the shared part and the service's own, and reports every problem in one message. Nothing
 * else reads the environment.
 */
export const readEnvironment = <Own extends z.ZodObject>(
  service: ServiceName,
  own: Own,
  env: Record<string, string | undefined>,
): { shared: SharedConfig; own: z.output<Own> } => {
  const shared = Shared.safeParse(env);
  const mine = own.safeParse(env);
  const issues = [...(shared.error?.issues ?? []), ...(mine.error?.issues ?? [])];
  if (!shared.success || !mine.success) {
    const lines = issues.map((issue) => `  ${issue.path.join('.')}: ${issue.message}`);
    throw new Error(`${service} cannot start; its environment has ${issues.length} problem(s):\n${lines.join('\n')}`);
  }

  const value = shared.data;
  const ctxKeys: Partial<Record<ServiceName, KeyObject>> = {};
  for (const name of SERVICES) {
    const key = value.CDS_CTX_KEYS[name];
    if (key !== undefined) ctxKeys[name] = key;
  }
  return {
    shared: {
      service,
      env: value.CDS_ENV,
      logLevel: value.CDS_LOG_LEVEL,
      bus: {
        url: value.CDS_NATS_URL,
        user: value.CDS_NATS_USER,
        password: value.CDS_NATS_PASSWORD,
        replicas: value.CDS_NATS_REPLICAS,
      },
      store: { uri: value.CDS_MONGODB_URI, db: value.CDS_MONGODB_DB },
      ops: { host: value.CDS_OPS_HOST, port: value.CDS_OPS_PORT },
      ctxKeys,
      failpoints: value.CDS_FAILPOINTS,
      telemetry: {
        endpoint: value.CDS_OTEL_ENDPOINT,
        sample: value.CDS_OTEL_SAMPLE,
        auto: value.CDS_OTEL_AUTO === '1',
      },
    },
    own: mine.data,
  };
};
