import { brunoFiles } from './bruno.js';
import { requestsOf } from './collections.js';
import { documents } from './documents.js';
import { openapiDocument } from './openapi.js';
import { postmanFiles } from './postman.js';
import { sdkFiles } from './sdk.js';

/** Every generated file: by its folder in the repository, then by its path in there. */
export const generatedFiles = (): Record<string, Record<string, string>> => {
  const document = openapiDocument();
  const requests = requestsOf(document);
  return {
    'docs/collections/generated': { ...postmanFiles(requests), ...brunoFiles(requests) },
    'libs/contracts/generated': documents(),
    'packages/sdk/src/generated': sdkFiles(document),
  };
};
