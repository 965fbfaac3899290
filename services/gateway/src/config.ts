import { readEnvironment, SecretKeys } from '@cds/service';
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

/** The networks of trusted proxies; every entry that cannot be used is reported. */
const TrustedProxies = List.superRefine((entries, ctx) => {
  for (const entry of entries) {
    const message = trustedProxyProblem(entry);
    if (message !== null) ctx.addIssue({ code: 'custom', message });
  }
});

/** The gateway's own settings, beside those that every process shares. */
export const readConfig = (env: Record<string, string | undefined> = process.env) =>
  readEnvironment(
    'gateway',
    z.object({
      /** Where the public doors listen. */
      CDS_HTTP_HOST: z.string().default('127.0.0.1'),
      CDS_HTTP_PORT: z.coerce.number().int().min(0).max(65_535),
      /** The application host root that callers see, without a slash at its end. */
      CDS_APP_URL: z.url().transform((url) => url.replace(/\/+$/, '')),
      /** The peppers of key secrets by version; the highest makes new keys, every one opens old keys. */
      CDS_KEY_PEPPERS: SecretKeys,
      /** The token that scripts of the operator send. */
      CDS_OPS_TOKEN: z.string().min(16),
      /** Host headers that are answered; when empty, the host of the application and loopback with its ports. */
      CDS_ALLOWED_HOSTS: List,
      /** Networks of the proxies in front, in CIDR form; X-Forwarded-For is believed from these peers alone. */
      CDS_TRUSTED_PROXIES: TrustedProxies,
    }),
    env,
  );

/** What `readConfig` answers as the gateway's own part. */
export type GatewayConfig = ReturnType<typeof readConfig>['own'];
