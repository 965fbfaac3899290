import { COLLECTION, type CollectionRequest, foldersOf, scriptsOf, VARIABLES } from './collections.js';
import { bodyText } from './samples.js';

/** Names the form of the file; Postman does not fetch it. */
const SCHEMA = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json';
/** Fixed, so that an import replaces the collection instead of adding another. */
const ID = '5d6b3c0e-8f0a-4c8e-9c39-6d2f0e7a1b44';

const scripts = scriptsOf({
  get: '(name) => pm.variables.get(name)',
  set: '(name, value) => pm.collectionVariables.set(name, value)',
  random: "() => pm.variables.replaceIn('{{$guid}}')",
  answer: '(() => { try { return pm.response.json(); } catch { return null; } })()',
});

const script = (listen: 'prerequest' | 'test', exec: readonly string[]) => ({
  listen,
  script: { type: 'text/javascript', exec },
});

const urlOf = ({ path, params, query }: CollectionRequest) => {
  const segments = path
    .slice(1)
    .split('/')
    .map((segment) => segment.replace(/^\{(\w+)\}$/, ':$1'));
  return {
    raw: `{{url}}/${segments.join('/')}`,
    host: ['{{url}}'],
    path: segments,
    ...(query.length === 0
      ? {}
      : {
          query: query.map(({ name, example, description }) => ({
            key: name,
            value: example,
            description,
            disabled: true,
          })),
        }),
    ...(params.length === 0 ? {} : { variable: params.map(({ name, value }) => ({ key: name, value })) }),
  };
};

const header = (key: string, value: string) => ({ key, value });

const requestOf = (request: CollectionRequest) => ({
  method: request.method,
  header: [
    header('Accept', 'application/json'),
    ...(request.write ? [header('Idempotency-Key', '{{idempotency_key}}')] : []),
    ...(request.body === undefined ? [] : [header('Content-Type', 'application/json')]),
  ],
  ...(request.keyed ? {} : { auth: { type: 'noauth' } }),
  url: urlOf(request),
  ...(request.body === undefined
    ? {}
    : { body: { mode: 'raw', raw: bodyText(request.body), options: { raw: { language: 'json' } } } }),
  description: request.description,
});

const itemOf = (request: CollectionRequest) => ({
  name: request.name,
  request: requestOf(request),
  response:
    request.answer === undefined
      ? []
      : [
          {
            name: 'Example',
            originalRequest: requestOf(request),
            code: request.answer.status,
            _postman_previewlanguage: 'json',
            header: [header('Content-Type', 'application/json')],
            body: JSON.stringify(request.answer.body, null, 2),
          },
        ],
});

export const postmanFiles = (requests: readonly CollectionRequest[]): Record<string, string> => {
  const collection = {
    info: { _postman_id: ID, ...COLLECTION, schema: SCHEMA },
    auth: { type: 'bearer', bearer: [{ key: 'token', value: '{{key}}', type: 'string' }] },
    event: [script('prerequest', scripts.before), script('test', scripts.after)],
    variable: VARIABLES.map(([key, value]) => ({ key, value, type: 'string' })),
    item: [...foldersOf(requests)].map(([name, inside]) => ({ name, item: inside.map(itemOf) })),
  };
  return { 'postman.json': `${JSON.stringify(collection, null, 2)}\n` };
};
