import { readEnvironment, SecretKeys } from '@cds/service';
import { z } from 'zod';

const List = z
  .string()
  .default('')
  .transform((text) =>
    text
      .split(',')
      .map((one) => one.trim().toLowerCase())
      .filter((one) => one !== ''),
  );

/** The gateway's own settings, beside those that every process shares. */
export const readConfig = () =>
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
    }),
    process.env,
  );

/** What `readConfig` answers as the gateway's own part. */
export type GatewayConfig = ReturnType<typeof readConfig>['own'];
