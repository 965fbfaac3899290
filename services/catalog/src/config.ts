import { readEnvironment } from '@cds/service';
import { z } from 'zod';

const Own = z.object({
  /** The application's address, where creators' pictures are served. */
  CDS_APP_URL: z.url().transform((url) => url.replace(/\/+$/, '')),
  /** The user that may read and write identities, and write catalog's own database beside them in one transaction. */
  CDS_IDENTITY_MONGODB_URI: z.string().min(1),
  CDS_IDENTITY_DB: z.string().min(1),
  /** The app's token for the X API. Empty: no network is asked for anything, and facts come by upload alone. */
  CDS_X_BEARER_TOKEN: z.string().default(''),
});

/** What catalog reads beside the shared settings. */
export type CatalogConfig = z.output<typeof Own>;

export const readConfig = () => readEnvironment('catalog', Own, process.env);
