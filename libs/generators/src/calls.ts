import { type JsonSchema, pathOf, publishedOperations, type RestOperation } from '@cds/contracts';
import type { openapiDocument } from './openapi.js';
import { componentOf, isSchema } from './typescript.js';

export type Document = ReturnType<typeof openapiDocument>;

/** How a list is read page by page: by the answer's `next`, by counting, or by the version of the last item. */
export type Paging = { by: 'cursor' | 'offset' | 'before'; items: string; answer: JsonSchema };

/** One field of an operation's input, and where a request has it. */
export type Field = { name: string; in: 'path' | 'query' | 'body'; required: boolean; schema: JsonSchema };

/** A public operation as its documents describe it, with what a client needs to call it. */
export type Call = {
  operation: RestOperation;
  path: string;
  area: string;
  description: string;
  fields: readonly Field[];
  example: JsonSchema | undefined;
  answer: JsonSchema;
  answerExample: JsonSchema | undefined;
  paging: Paging | undefined;
};

const schemaIn = (value: unknown, ...keys: readonly string[]): JsonSchema | undefined => {
  let found = value;
  for (const key of keys) found = isSchema(found) ? found[key] : undefined;
  return isSchema(found) ? found : undefined;
};

/** A schema, or the component that it refers to. */
export const resolved = (document: Document, schema: JsonSchema): JsonSchema => {
  const component = componentOf(schema);
  return component === undefined ? schema : (schemaIn(document, 'components', 'schemas', component) ?? {});
};

const JSON_TYPE = 'application/json';

const parametersOf = (entry: JsonSchema): Field[] =>
  (Array.isArray(entry['parameters']) ? entry['parameters'] : []).flatMap((one: unknown) =>
    isSchema(one) && isSchema(one['schema']) && (one['in'] === 'path' || one['in'] === 'query')
      ? [
          {
            name: String(one['name']),
            in: one['in'],
            required: one['required'] === true,
            schema:
              typeof one['description'] === 'string'
                ? { ...one['schema'], description: one['description'] }
                : one['schema'],
          },
        ]
      : [],
  );

const bodyFieldsOf = (document: Document, entry: JsonSchema): Field[] => {
  const schema = schemaIn(entry, 'requestBody', 'content', JSON_TYPE, 'schema');
  if (schema === undefined) return [];
  const { properties, required } = resolved(document, schema);
  const needed = new Set(Array.isArray(required) ? required : []);
  return Object.entries(isSchema(properties) ? properties : {}).flatMap(([name, field]) =>
    isSchema(field) && field['deprecated'] !== true
      ? [{ name, in: 'body' as const, required: needed.has(name), schema: field }]
      : [],
  );
};

const exampleOf = (content: JsonSchema | undefined): JsonSchema | undefined => {
  const media = schemaIn(content, 'content', JSON_TYPE);
  const [first] = Object.values(schemaIn(media, 'examples') ?? {});
  return schemaIn(media, 'example') ?? schemaIn(first, 'value');
};

const listOf = (answer: JsonSchema): string | undefined =>
  Object.entries(schemaIn(answer, 'properties') ?? {}).find(
    ([, field]) => isSchema(field) && field['type'] === 'array',
  )?.[0];

const pagingOf = (document: Document, fields: readonly Field[], answer: JsonSchema): Paging | undefined => {
  const by = (['cursor', 'offset', 'before'] as const).find((name) =>
    fields.some((field) => field.name === name && field.in === 'query'),
  );
  if (by === undefined) return undefined;
  const forms = Array.isArray(answer['anyOf']) ? answer['anyOf'].filter(isSchema) : [answer];
  for (const form of forms) {
    const whole = resolved(document, form);
    const items = listOf(whole);
    if (items !== undefined && (by !== 'cursor' || schemaIn(whole, 'properties', 'next') !== undefined))
      return { by, items, answer: form };
  }
  return undefined;
};

export const callsOf = (document: Document): Call[] =>
  publishedOperations().map((operation) => {
    const path = pathOf(operation);
    const entry = schemaIn(document, 'paths', path, operation.rest.method.toLowerCase()) ?? {};
    const response = schemaIn(entry, 'responses', String(operation.success ?? 200));
    const whole = schemaIn(response, 'content', JSON_TYPE, 'schema') ?? {};
    const answer = componentOf(whole) === undefined ? whole : resolvedUnion(document, whole);
    const fields = [...parametersOf(entry), ...bodyFieldsOf(document, entry)];
    return {
      operation,
      path,
      area: String(Array.isArray(entry['tags']) ? entry['tags'][0] : ''),
      description: String(entry['description']),
      fields,
      example: exampleOf(schemaIn(entry, 'requestBody')),
      answer: whole,
      answerExample: exampleOf(response),
      paging: pagingOf(document, fields, answer),
    };
  });

/** A component of several forms as those forms, any other schema as it is. */
const resolvedUnion = (document: Document, schema: JsonSchema): JsonSchema => {
  const whole = resolved(document, schema);
  return Array.isArray(whole['anyOf']) ? whole : schema;
};
