import { createSecretKey } from 'node:crypto';
import { Base64, readEnvironment, SecretKeys } from '@cds/service';
import { z } from 'zod';

const Own = z.object({
  /** The base URL of the application's pages, without a trailing slash. */
  CDS_APP_URL: z.url().transform((url) => url.replace(/\/+$/, '')),
  /** The secret that the sandbox rail signs its events with. */
  CDS_SANDBOX_RAIL_SECRET: z.string().min(16),
  /**
   * The AES-256-GCM keys that seal pay tokens, 32 bytes each, by version: the highest seals new tokens, every one opens
   * what it sealed.
   */
  CDS_PAY_TOKEN_KEYS: SecretKeys.refine(
    (keys) =>
      Object.keys(keys).length > 0 &&
      Object.entries(keys).every(([version, key]) => /^[1-9]\d{0,8}$/.test(version) && key.symmetricKeySize === 32),
    'must be JSON of version (1, 2 and so on) to 32 bytes in base64',
  ),
  /** The key that authenticates the forms of pay pages, 32 bytes in base64. */
  CDS_PAY_FORM_KEY: Base64.refine((key) => key.length === 32, 'must be 32 bytes in base64').transform((key) =>
    createSecretKey(key),
  ),
});

/** Billing's own settings. */
export type BillingConfig = z.output<typeof Own>;

/** Reads billing's environment once; every problem is reported in one message. */
export const readConfig = (env: Record<string, string | undefined> = process.env) =>
  readEnvironment('billing', Own, env);
