import { createSecretKey, type KeyObject } from 'node:crypto';
import { CALLS, SERVICES, type ServiceName } from '@cds/contracts';
import { z } from 'zod';
import { AuditKey } from '../audit/signature.js';
import type { CallerKeys, PairKeys } from '../bus/envelope.js';
import { ringProblem } from '../pure/key-ring.js';
import { OfProcess } from './of-process.js';
import { secret, type Variable, variablesOf } from './variables.js';

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

/** Versions and base64 keys in JSON, as key objects because Node prepares bytes again for every use. */
export const KeyRingOf = json(
  z.record(
    z.string(),
    Base64.transform((bytes): KeyObject => createSecretKey(bytes)),
  ),
).superRefine((keys, ctx) => {
  const message = ringProblem(Object.keys(keys));
  if (message !== null) ctx.addIssue({ code: 'custom', message });
});

export const Keys32Bytes = KeyRingOf.refine(
  (keys) => Object.values(keys).every((key) => key.symmetricKeySize === 32),
  'must be JSON of version (1, 2 and so on) to 32 bytes in base64',
);

/** An Ed25519 private key, PKCS #8 in DER, in base64. */
const SigningKey = Base64.transform((der, ctx): AuditKey => {
  try {
    return AuditKey.read(der);
  } catch {
    ctx.addIssue({ code: 'custom', message: 'must be an Ed25519 private key: PKCS #8 in DER, in base64' });
    return z.NEVER;
  }
});

export const MongodbUri = z.string().regex(/^mongodb(\+srv)?:\/\/./, 'must begin with mongodb:// or mongodb+srv://');

/** The address of something that speaks HTTP; `localhost:8080` is a URL too, of the scheme `localhost`. */
export const HttpUrl = z.url({ protocol: /^https?$/, error: 'must be a URL that begins with http:// or https://' });

/** Public keys as their owners are named: 32 bytes in base64url. A wrong one would only show as broken chains. */
const FormerKeys = z
  .string()
  .regex(/^(?:[\w-]{43}(?:,|$))*$/, 'must be public keys of 32 bytes in base64url, with commas between')
  .default('')
  .transform((text) => text.split(',').filter((name) => name !== ''));

const Shared = OfProcess.extend({
  CDS_ENV: z
    .enum(['development', 'test', 'production'])
    .default('production')
    .describe('In development there are a generated network and seeded brands, and mail is written to the log.'),
  CDS_MONGODB_URI: secret(MongodbUri).describe(
    "The service's own database user: mongodb://user:password@host/?replicaSet=name.",
  ),
  CDS_MONGODB_DB: z.string().min(1).describe("The service's own database."),
  CDS_AUDIT_DIR: z
    .string()
    .min(1)
    .describe('Where checkpoints of the audit are written: storage that the owner of the database cannot write.'),
  CDS_AUDIT_KEY: secret(SigningKey).describe('The Ed25519 key that signs them: PKCS #8 in DER, in base64.'),
  CDS_AUDIT_FORMER_KEYS: FormerKeys.describe(
    'Public keys whose checkpoints count as well, with commas between: former ones, and the next one.',
  ),
  CDS_FAILPOINTS: z.string().default('').describe('For tests: where the process stops. Empty elsewhere.'),
  CDS_OTEL_ENDPOINT: z
    .literal('')
    .or(HttpUrl)
    .default('')
    .describe('Where traces are sent by OTLP over HTTP, as http://host:4318/v1/traces. Empty: there are none.'),
  CDS_OTEL_SAMPLE: z.coerce
    .number()
    .min(0)
    .max(1)
    .default(0.1)
    .describe('The share of requests that are traced, unless the caller decides.'),
  CDS_OTEL_AUTO: z
    .enum(['0', '1'])
    .default('0')
    .describe('1 adds the automatic spans of HTTP and the MongoDB driver, which cost 29 % of the throughput.'),
});

/** The output length of HMAC-SHA-256; a shorter key weakens it (RFC 2104). */
const CTX_KEY_BYTES = 32;

const callersOf = (service: ServiceName): readonly ServiceName[] =>
  SERVICES.filter((caller) => (CALLS[caller] as readonly ServiceName[]).includes(service));

const OneKey = Base64.transform((bytes) => [bytes]);
const SomeKeys = z.union([OneKey, z.array(Base64).min(1).max(3)]);

/** The keys of one direction: those of exactly each service in `wanted`. */
const pairKeys = (wanted: readonly ServiceName[], given: typeof OneKey | typeof SomeKeys) =>
  z.record(z.string(), given).transform((found, ctx): ReadonlyMap<ServiceName, readonly KeyObject[]> => {
    const problem = (name: string, message: string) => ctx.addIssue({ code: 'custom', path: [name], message });
    const keys = new Map<ServiceName, readonly KeyObject[]>();
    for (const name of wanted) {
      const all = Object.hasOwn(found, name) ? found[name] : undefined;
      const short = all?.find((bytes) => bytes.length < CTX_KEY_BYTES);
      if (all === undefined) problem(name, 'is missing');
      else if (short !== undefined) problem(name, `has ${short.length} bytes; make it at least ${CTX_KEY_BYTES}`);
      else
        keys.set(
          name,
          all.map((bytes) => createSecretKey(bytes)),
        );
    }
    for (const name of Object.keys(found))
      if (!(wanted as readonly string[]).includes(name))
        problem(name, `is not a pair of this service; remove it. Its pairs are ${wanted.join(', ') || 'none'}.`);
    return keys;
  });

const calleeKeys = (service: ServiceName) =>
  pairKeys(CALLS[service], OneKey).transform(
    (keys): PairKeys => new Map([...keys].flatMap(([name, [key]]) => (key === undefined ? [] : [[name, key]]))),
  );

/** `{"to": {callee: key}, "from": {caller: key}}`, keys in base64; a caller has several while its key is replaced. */
const ctxKeysOf = (service: ServiceName) =>
  z.object({
    CDS_CTX_KEYS: secret(
      z
        .string()
        .transform((text, ctx): unknown => {
          try {
            return JSON.parse(text);
          } catch {
            ctx.addIssue({ code: 'custom', message: 'must be JSON: {"to": {callee: key}, "from": {caller: key}}' });
            return z.NEVER;
          }
        })
        .pipe(z.strictObject({ to: calleeKeys(service), from: pairKeys(callersOf(service), SomeKeys) })),
    ).describe(
      'The keys that prove who calls whom: JSON of {"to": {callee: key}, "from": {caller: key}}, keys of 32 bytes or more in base64; a caller may have a list of keys.',
    ),
  });

export const serviceVariables = (service: ServiceName, own: z.ZodObject): readonly Variable[] =>
  [Shared, ctxKeysOf(service), own].flatMap(variablesOf);

export type SharedConfig = {
  service: ServiceName;
  env: 'development' | 'test' | 'production';
  logLevel: string;
  bus: { url: string; user: string; password: string };
  store: { uri: string; db: string };
  ops: { host: string; port: number };
  ctxKeys: { to: PairKeys; from: CallerKeys };
  /** The directory of checkpoints, the key that signs them, and the public keys that signed earlier ones. */
  audit: { directory: string; key: AuditKey; formerKeys: readonly string[] };
  /** Failpoints that a test arms in this process; empty outside tests. */
  failpoints: string;
  telemetry: { endpoint: string; sample: number; auto: boolean };
};

/** Reads the environment once and reports every problem in one error. Nothing else reads the environment. */
export const readEnvironment = <Own extends z.ZodObject>(
  service: ServiceName,
  own: Own,
  env: Record<string, string | undefined>,
): { shared: SharedConfig; own: z.output<Own> } => {
  const shared = Shared.extend(ctxKeysOf(service).shape).safeParse(env);
  const mine = own.safeParse(env);
  const issues = [...(shared.error?.issues ?? []), ...(mine.error?.issues ?? [])];
  if (!shared.success || !mine.success) {
    const lines = issues.map((issue) => `  ${issue.path.join('.')}: ${issue.message}`);
    throw new Error(
      `${service} cannot start because its environment has ${issues.length} problem(s):\n${lines.join('\n')}`,
    );
  }

  const value = shared.data;
  return {
    shared: {
      service,
      env: value.CDS_ENV,
      logLevel: value.CDS_LOG_LEVEL,
      bus: {
        url: value.CDS_NATS_URL,
        user: value.CDS_NATS_USER,
        password: value.CDS_NATS_PASSWORD,
      },
      store: { uri: value.CDS_MONGODB_URI, db: value.CDS_MONGODB_DB },
      ops: { host: value.CDS_OPS_HOST, port: value.CDS_OPS_PORT },
      ctxKeys: value.CDS_CTX_KEYS,
      audit: {
        directory: value.CDS_AUDIT_DIR,
        key: value.CDS_AUDIT_KEY,
        formerKeys: value.CDS_AUDIT_FORMER_KEYS,
      },
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
