import { COLLECTION, type CollectionRequest, foldersOf, scriptsOf, VARIABLES } from './collections.js';
import { bodyText } from './samples.js';

const scripts = scriptsOf({
  get: '(name) => bru.getVar(name) || bru.getEnvVar(name)',
  set: '(name, value) => bru.setVar(name, value)',
  random: "() => require('crypto').randomUUID()",
  answer: 'res.getBody()',
});

const indented = (lines: readonly string[]): string => lines.map((line) => `  ${line}`.trimEnd()).join('\n');

const block = (name: string, lines: readonly string[]): string => `${name} {\n${indented(lines)}\n}\n`;

const oneLine = (text: string): string => text.replace(/\s+/g, ' ');

const requestFile = (request: CollectionRequest, seq: number): string => {
  const { name, method, path, params, query, body } = request;
  const blocks = [
    block('meta', [`name: ${name}`, 'type: http', `seq: ${seq}`]),
    block(method.toLowerCase(), [
      `url: {{url}}${path.replace(/\{(\w+)\}/g, ':$1')}`,
      `body: ${body === undefined ? 'none' : 'json'}`,
      `auth: ${request.keyed ? 'inherit' : 'none'}`,
    ]),
    query.length === 0
      ? ''
      : block(
          'params:query',
          query.map((one) => `~${one.name}: ${oneLine(one.example)}`),
        ),
    params.length === 0
      ? ''
      : block(
          'params:path',
          params.map((one) => `${one.name}: ${one.value}`),
        ),
    request.write ? block('headers', ['Idempotency-Key: {{idempotency_key}}']) : '',
    body === undefined ? '' : block('body:json', bodyText(body).split('\n')),
    block('docs', [oneLine(request.description), ...query.map((one) => `- ${one.name}: ${oneLine(one.description)}`)]),
  ];
  return blocks.filter((text) => text !== '').join('\n');
};

const collectionFile = (): string =>
  [
    block('meta', [`name: ${COLLECTION.name}`]),
    block('auth', ['mode: bearer']),
    block('auth:bearer', ['token: {{key}}']),
    block('script:pre-request', scripts.before),
    block('script:post-response', scripts.after),
    block('docs', [COLLECTION.description]),
  ].join('\n');

/** The key is a secret: Bruno keeps its value out of the file. */
const environmentFile = (): string => {
  const open = VARIABLES.filter(([name]) => name !== 'key').map(([name, value]) => `${name}: ${value}`.trimEnd());
  return `${block('vars', open)}vars:secret [\n  key\n]\n`;
};

export const brunoFiles = (requests: readonly CollectionRequest[]): Record<string, string> => {
  const files: Record<string, string> = {
    'bruno/bruno.json': `${JSON.stringify({ version: '1', name: COLLECTION.name, type: 'collection', ignore: [] }, null, 2)}\n`,
    'bruno/collection.bru': collectionFile(),
    'bruno/environments/local.bru': environmentFile(),
  };
  [...foldersOf(requests)].forEach(([folder, inside], index) => {
    files[`bruno/${folder}/folder.bru`] =
      `${block('meta', [`name: ${folder}`, `seq: ${index + 1}`])}\n${block('auth', ['mode: inherit'])}`;
    inside.forEach((request, place) => {
      files[`bruno/${folder}/${request.name}.bru`] = requestFile(request, place + 1);
    });
  });
  return files;
};
