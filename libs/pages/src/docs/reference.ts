import {
  DEPRECATED_FIELDS,
  type DeclaredLimit,
  deprecatedAt,
  ERROR_CODES,
  type ErrorCode,
  errorPath,
  type LimitName,
  limitsOf,
  MANDATE_REASONS,
  type OperationDeclaration,
  operationByName,
  refusalsOf,
} from '@cds/contracts';
import { blocks, type Document, table } from './document.js';
import {
  choicesOf,
  fieldsTable,
  hasPage,
  refOf,
  resolved,
  type Schema,
  type Schemas,
  sampleOf,
  typeOf,
} from './schema.js';

type Parameter = {
  $ref?: string;
  name?: string;
  in?: string;
  required?: boolean;
  description?: string;
  schema?: Schema;
};
type Media = { schema?: Schema; example?: unknown; examples?: Record<string, { value?: unknown }> };

type ApiOperation = {
  operationId: string;
  tags?: string[];
  summary: string;
  description: string;
  parameters?: Parameter[];
  requestBody?: { required?: boolean; content: Record<string, Media> };
  responses: Record<string, { description: string; content?: Record<string, Media> }>;
};

/** The API document (libs/contracts/generated/openapi.json), as far as pages are made of it. */
export type ApiDocument = {
  tags?: { name: string; description: string }[];
  paths: Record<string, Record<string, ApiOperation>>;
  components: { schemas: Schemas };
};

type Described = {
  api: ApiOperation;
  method: string;
  path: string;
  declaration: OperationDeclaration;
  title: string;
};

const titleOf = ({ name, tool }: OperationDeclaration): string => {
  const words = tool?.title ?? name.replaceAll('_', ' ');
  return `${words[0]?.toUpperCase() ?? ''}${words.slice(1)}`;
};

export const describedIn = (document: ApiDocument): Described[] =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, api]) => {
      const declaration = operationByName(api.operationId);
      return declaration === undefined
        ? []
        : [{ api, path, declaration, method: method.toUpperCase(), title: titleOf(declaration) }];
    }),
  );

export const operationPath = (name: string): string => `/docs/reference/${name}`;

const DAY = 86_400;

const WINDOWS: ReadonlyMap<number, string> = new Map([
  [60, ' a minute'],
  [600, ' in ten minutes'],
  [DAY, ' a UTC day'],
]);

const OF_MANDATE: Partial<Record<LimitName, string>> = {
  over_max_plan_total: 'the largest plan total',
  over_monthly_cap: 'the monthly cap',
};

/** A limit in words, such as "60 searches a day for a key, and for all keys of a brand". */
const limitWords = (declared: DeclaredLimit & { name: LimitName }): string => {
  const { name, limit, per_creator, window_seconds, scopes, unit, refills } = declared;
  const whose = (preposition: string) => {
    const each = scopes.map((scope) => `${preposition} ${WHOSE[scope]}`);
    return each.length === 1 ? each[0] : `${each.slice(0, -1).join(', ')}, and ${each.at(-1)}`;
  };
  if (limit === null) return `${OF_MANDATE[name]} in the mandate ${whose('of')}`;
  const rolls = window_seconds === DAY && refills === 'one_by_one';
  const window = rolls ? ' in any 24 hours' : window_seconds === null ? ' at once' : WINDOWS.get(window_seconds);
  const each = per_creator === undefined ? '' : `, at most ${per_creator} of them for one creator`;
  return `${limit} ${unit.replaceAll('_', ' ')}${window} ${whose('for')}${each}`;
};

const WHOSE: Readonly<Record<DeclaredLimit['scopes'][number], string>> = {
  key: 'a key',
  parent: 'the key that made it',
  session: 'a session',
  brand: 'all keys of a brand',
  workspace: 'a workspace',
  address: 'a client address',
};

const refusalOf = (name: LimitName): ErrorCode =>
  MANDATE_REASONS.some((reason) => reason === name) ? 'mandate_refused' : 'rate_limited';

const limitsLine = (operation: OperationDeclaration): string =>
  limitsOf(operation)
    .map((limit) => `[${limitWords(limit)}](${errorPath(refusalOf(limit.name), limit.name)})`)
    .join('; ');

const accessOf = ({ scope, audience }: OperationDeclaration): string => {
  if (audience === 'sandbox') return 'a test key, or a session of a sandbox';
  if (scope === null) return 'none needed';
  return scope === 'any' ? 'any valid key' : `a key with the scope \`${scope}\``;
};

const toolOf = ({ tool, name, extension }: OperationDeclaration): string => {
  if (tool === undefined) return 'none';
  return `\`${tool.name ?? name}\`${extension === true ? ', where the operator has enabled extensions' : ''}`;
};

/** A deprecated field, and the day on which it ends unless the operator extends it. */
const endOf = (path: string): string => {
  const field = deprecatedAt(path);
  return `\`${path}\`${field === null ? '' : ` until ${DEPRECATED_FIELDS[field]}`}`;
};

/** What is said once about an operation: where it is, who may call it, how often. */
const factsOf = ({ method, path, declaration }: Described): string => {
  const { idempotency, deprecated, effect } = declaration;
  const key =
    idempotency === undefined
      ? ''
      : `Idempotency-Key: ${idempotency === 'required' ? 'required' : 'optional'}; the same key and request are run once`;
  return [
    `Endpoint: \`${method} ${path}\``,
    `MCP tool: ${toolOf(declaration)}`,
    `Credential: ${accessOf(declaration)}`,
    effect === 'write' ? key : 'Effect: reads only',
    `Limits: ${limitsLine(declaration)}`,
    deprecated === undefined ? '' : `Deprecated fields: ${deprecated.map(endOf).join(', ')}`,
  ]
    .filter((fact) => fact !== '')
    .map((fact) => `- ${fact}`)
    .join('\n');
};

/** What the facts of every page already say. */
const SAID_ABOVE = 'Idempotency-Key';

const shownParameters = ({ api }: Described): Parameter[] =>
  (api.parameters ?? []).filter(({ $ref, name }) => $ref === undefined && name !== SAID_ABOVE);

const parametersTable = (described: Described, schemas: Schemas): string =>
  table(
    ['Parameter', 'In', 'Type', 'Required', 'Meaning'],
    shownParameters(described).map(({ name = '', in: place = '', schema = {}, required, description }) => [
      `\`${name}\``,
      place,
      typeOf(schema, schemas),
      required === true ? 'yes' : 'no',
      description ?? schema.description ?? '',
    ]),
  );

const JSON_MEDIA = 'application/json';

const exampleIn = ({ example, examples }: Media): unknown => example ?? Object.values(examples ?? {})[0]?.value;

const json = (value: unknown): string => `\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\``;

const curlOf = (described: Described, schemas: Schemas): string => {
  const { method, path, declaration, api } = described;
  const params = shownParameters(described);
  const filled = path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => {
    const param = params.find((one) => one.name === name && one.in === 'path');
    return String(sampleOf(param?.schema ?? { format: 'uuid' }, schemas, true));
  });
  const query = params
    .filter((one) => one.in === 'query' && one.required === true)
    .map(({ name = '', schema = {} }) => `${name}=${encodeURIComponent(String(sampleOf(schema, schemas, true)))}`);
  const body = api.requestBody?.content[JSON_MEDIA];
  const lines = [
    `curl ${method === 'GET' ? '' : `-X ${method} `}"{app_url}${filled}${query.length === 0 ? '' : `?${query.join('&')}`}"`,
    ...(declaration.scope === null ? [] : ['-H "Authorization: Bearer $CDS_API_KEY"']),
    ...(declaration.idempotency === undefined ? [] : ['-H "Idempotency-Key: $(uuidgen)"']),
    ...(body === undefined
      ? []
      : [
          '-H "Content-Type: application/json"',
          `-d '${JSON.stringify(exampleIn(body) ?? sampleOf(body.schema ?? {}, schemas, true)).replaceAll("'", "'\\''")}'`,
        ]),
  ];
  return `\`\`\`sh\n${lines.join(' \\\n  ')}\n\`\`\``;
};

const VARIABLES = '`$CDS_API_KEY` is your key ([connecting an agent](/docs/guides/connect)).';

const errorsTable = ({ declaration }: Described): string =>
  table(
    ['Status', 'Code', 'When'],
    refusalsOf(declaration).map(({ codes, description, status }) => [
      String(status ?? ERROR_CODES[codes[0] ?? 'internal'].status),
      codes.map((code) => `[\`${code}\`](${errorPath(code)})`).join(', '),
      description,
    ]),
  );

const reasonsOf = ({ conflicts = [] }: OperationDeclaration): string =>
  conflicts.length === 0
    ? ''
    : `Reasons of \`conflict\`: ${conflicts.map((reason) => `[\`${reason}\`](${errorPath('conflict', reason)})`).join(', ')}.`;

/** The part of an operation's answer: its status, type, fields and an example. */
const answerOf = ({ api }: Described, schemas: Schemas): string => {
  const [status = '200', response] = Object.entries(api.responses).find(([code]) => code.startsWith('2')) ?? [];
  const [mediaType, media] = Object.entries(response?.content ?? {})[0] ?? [];
  if (media?.schema === undefined) return `\`${status}\`, without a body.`;
  const { schema } = media;
  const example = exampleIn(media);
  return blocks(
    `\`${status}\`${mediaType === JSON_MEDIA ? '' : ` as ${mediaType}`}: ${typeOf(schema, schemas)}`,
    fieldsTable(resolved(schema, schemas), schemas, false),
    example === undefined ? 'An answer has this form:' : 'For example:',
    json(example ?? sampleOf(schema, schemas, false)),
  ).trim();
};

const bodyOf = ({ api }: Described, schemas: Schemas): string => {
  const media = api.requestBody?.content[JSON_MEDIA];
  if (media?.schema === undefined) return '';
  const optional = api.requestBody?.required === true ? '' : 'The body may be left out.';
  return blocks(
    '## Body',
    optional,
    fieldsTable(resolved(media.schema, schemas), schemas, true) || typeOf(media.schema, schemas),
  ).trim();
};

export const operationDocuments = (document: ApiDocument): Document[] => {
  const { schemas } = document.components;
  return describedIn(document).map((described) => {
    const parameters = parametersTable(described, schemas);
    return {
      path: operationPath(described.declaration.name),
      area: 'reference',
      title: described.title,
      summary: described.api.summary,
      markdown: blocks(
        `# ${described.title}`,
        described.declaration.tool?.description ?? described.api.description,
        factsOf(described),
        parameters === '' ? '' : `## Parameters\n\n${parameters}`,
        bodyOf(described, schemas),
        `## Example\n\n${curlOf(described, schemas)}`,
        described.declaration.scope === null ? '' : VARIABLES,
        `## Answer\n\n${answerOf(described, schemas)}`,
        `## Refusals\n\n${errorsTable(described)}`,
        reasonsOf(described.declaration),
      ),
    };
  });
};

const namesIn = (schema: Schema): string[] => {
  const ref = refOf(schema);
  const inner = [
    ...Object.values(schema.properties ?? {}),
    ...(choicesOf(schema) ?? []),
    ...(schema.items === undefined ? [] : [schema.items]),
    ...(typeof schema.additionalProperties === 'object' ? [schema.additionalProperties] : []),
  ];
  return [...(ref === undefined ? [] : [ref]), ...inner.flatMap(namesIn)];
};

/** By resource, the links to what holds it: operations that answer it, and other resources. */
const holdersOf = (document: ApiDocument): Map<string, string[]> => {
  const holders = new Map<string, string[]>();
  const note = (schema: Schema, link: string): void => {
    for (const name of new Set(namesIn(schema))) holders.set(name, [...(holders.get(name) ?? []), link]);
  };
  for (const { api, declaration, title } of describedIn(document)) {
    const medias = [api.requestBody, ...Object.values(api.responses)].flatMap((one) =>
      Object.values(one?.content ?? {}),
    );
    const merged: Schema = { anyOf: medias.flatMap(({ schema }) => schema ?? []) };
    note(merged, `[${title}](${operationPath(declaration.name)})`);
  }
  for (const [name, schema] of Object.entries(document.components.schemas))
    if (hasPage(schema)) note(schema, `[${name}](/docs/resources/${name})`);
  return holders;
};

export const resourceDocuments = (document: ApiDocument): Document[] => {
  const { schemas } = document.components;
  const holders = holdersOf(document);
  return Object.entries(schemas)
    .filter(([, schema]) => hasPage(schema))
    .map(([name, schema]) => {
      const fields = fieldsTable(schema, schemas, false);
      const forms = choicesOf(schema)?.map((one) => typeOf(one, schemas)) ?? [];
      const self = `[${name}](/docs/resources/${name})`;
      const within = (name === 'Error' ? [] : (holders.get(name) ?? [])).filter((link) => link !== self);
      return {
        path: `/docs/resources/${name}`,
        area: 'resources',
        title: name,
        summary: schema.description ?? `The fields of ${name}.`,
        markdown: blocks(
          `# ${name}`,
          schema.description ?? '',
          fields === '' && forms.length > 0 ? `One of: ${[...new Set(forms)].join(', ')}.` : fields,
          within.length === 0 ? '' : `Found in: ${[...new Set(within)].join(', ')}.`,
        ),
      };
    });
};
