import { KeyRingOf, Keys32Bytes, readEnvironment, serviceVariables } from '@cds/service';
import { z } from 'zod';
import { trustedProxyProblem } from './edge/http/trusted-proxies.js';

const List = z
  .string()
  .default('')
  .transform((text) =>
    text
      .split(',')
      .map((one) => one.trim().toLowerCase())
      .filter((one) => one !== ''),
  );

/** The address ranges of trusted proxies; every invalid entry is reported. */
const TrustedProxies = List.superRefine((entries, ctx) => {
  for (const entry of entries) {
    const message = trustedProxyProblem(entry);
    if (message !== null) ctx.addIssue({ code: 'custom', message });
  }
});

const Own = z.object({
  /** Where the HTTP server listens. */
  CDS_HTTP_HOST: z.string().default('127.0.0.1'),
  CDS_HTTP_PORT: z.coerce.number().int().min(0).max(65_535),
  /** The root URL that callers see, without a trailing slash. */
  CDS_APP_URL: z.url().transform((url) => url.replace(/\/+$/, '')),
  /** The peppers of key secrets by version: the highest makes new keys, and all of them verify keys. */
  CDS_KEY_PEPPERS: KeyRingOf,
  /** The AES-256-GCM keys that seal secrets at rest, 32 bytes each, by version: the highest seals, all open. */
  CDS_SEAL_KEYS: Keys32Bytes,
  /** Where mail is handed over, as smtps://user:password@host. Empty: the operator's relay fetches messages. */
  CDS_SMTP_URL: z
    .string()
    .regex(/^(smtps?:\/\/.+)?$/, 'must begin with smtp:// or smtps://')
    .default(''),
  /** The sender of that mail. */
  CDS_MAIL_FROM: z.email().default('no-reply@localhost.localdomain'),
  /** The token for the operator's scripts. */
  CDS_OPS_TOKEN: z.string().min(16),
  /** The Host headers that are accepted; by default the application's host, and loopback with its ports. */
  CDS_ALLOWED_HOSTS: List,
  /** CIDR ranges of the proxies in front; X-Forwarded-For is believed from these peers only. */
  CDS_TRUSTED_PROXIES: TrustedProxies,
});

/** Every variable that the gateway reads. */
export const variables = serviceVariables('gateway', Own);

/** Reads the gateway's own settings, and those that every process shares. */
export const readConfig = (env: Record<string, string | undefined> = process.env) =>
  readEnvironment('gateway', Own, env);

/** The gateway's own settings. */
export type GatewayConfig = ReturnType<typeof readConfig>['own'];
