import { HttpUrl, MongodbUri, readEnvironment, secret, serviceVariables } from '@cds/service';
import { z } from 'zod';

const Own = z.object({
  CDS_APP_URL: HttpUrl.transform((url) => url.replace(/\/+$/, '')).describe(
    "The application's root URL, where creators' pictures are served.",
  ),
  CDS_IDENTITY_MONGODB_URI: secret(MongodbUri).describe(
    "A database user that may read and write identities, and write catalog's own database in the same transaction.",
  ),
  CDS_IDENTITY_DB: z.string().min(1).describe('The database of identities.'),
  CDS_X_BEARER_TOKEN: secret(z.string().default('')).describe(
    'The X API token. Empty: no social network is queried, and facts come by upload only.',
  ),
});

export type CatalogConfig = z.output<typeof Own>;

export const variables = serviceVariables('catalog', Own);

export const readConfig = (env: Record<string, string | undefined> = process.env) =>
  readEnvironment('catalog', Own, env);
