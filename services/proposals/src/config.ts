import { HttpUrl, Keys32Bytes, readEnvironment, secret, serviceVariables } from '@cds/service';
import { z } from 'zod';

const Own = z.object({
  CDS_APP_URL: HttpUrl.transform((url) => url.replace(/\/+$/, '')).describe("The root URL of the application's pages."),
  CDS_CREATOR_LINK_KEYS: secret(Keys32Bytes).describe(
    "The HMAC keys of creators' links, of 32 bytes, by version: the highest makes new links, every one checks what it made.",
  ),
});

export type ProposalsConfig = z.output<typeof Own>;

export const variables = serviceVariables('proposals', Own);

export const readConfig = (env: Record<string, string | undefined> = process.env) =>
  readEnvironment('proposals', Own, env);
