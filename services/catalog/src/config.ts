import { readEnvironment, serviceVariables } from '@cds/service';
import { z } from 'zod';

const Own = z.object({
  /** The application's address, where creators' pictures are served. */
  CDS_APP_URL: z.url().transform((url) => url.replace(/\/+$/, '')),
  /** A database user that may read and write identities, and write catalog's own database in the same transaction. */
  CDS_IDENTITY_MONGODB_URI: z.string().min(1),
  CDS_IDENTITY_DB: z.string().min(1),
  /** The X API token. When empty, no social network is queried, and facts come by upload only. */
  CDS_X_BEARER_TOKEN: z.string().default(''),
});

/** Catalog's settings in addition to the shared ones. */
export type CatalogConfig = z.output<typeof Own>;

/** Every variable that catalog reads. */
export const variables = serviceVariables('catalog', Own);

/** Reads catalog's environment once; every problem is reported in one message. */
export const readConfig = (env: Record<string, string | undefined> = process.env) =>
  readEnvironment('catalog', Own, env);
