import { Base64, readEnvironment } from '@cds/service';
import { z } from 'zod';

const Own = z.object({
  /** Where the application's pages are reached, without a slash at the end. */
  CDS_APP_URL: z.url().transform((url) => url.replace(/\/+$/, '')),
  /** The secret that the sandbox rail signs its events with. */
  CDS_SANDBOX_RAIL_SECRET: z.string().min(16),
  /** The key of AES-256-GCM that pay tokens are kept under, 32 bytes in base64. */
  CDS_PAY_TOKEN_KEY: Base64.refine((key) => key.length === 32, 'must be 32 bytes in base64'),
});

/** Billing's own settings. */
export type BillingConfig = z.output<typeof Own>;

/** Reads billing's environment once; every problem is reported in one message. */
export const readConfig = () => readEnvironment('billing', Own, process.env);
