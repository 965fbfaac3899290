import type { JsonSchema } from '@cds/contracts';

const REFERENCE = '#/components/schemas/';

/** A component that has the name of a global is exported under another one. */
const RENAMED: Readonly<Record<string, string>> = { Error: 'ErrorBody', Event: 'FeedEvent' };

export const typeNameOf = (component: string): string => RENAMED[component] ?? component;

export const isSchema = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const schemasOf = (value: unknown): JsonSchema[] => (Array.isArray(value) ? value.filter(isSchema) : []);

export const componentOf = (schema: JsonSchema): string | undefined =>
  typeof schema['$ref'] === 'string' ? schema['$ref'].replace(REFERENCE, '') : undefined;

const COLUMNS = 120;

/** A text as a doc comment: on one line where it fits, else wrapped. */
export const docComment = (text: string, indent: string): string => {
  const words = text.replaceAll('*/', '* /').split(/\s+/);
  const oneLine = `${indent}/** ${words.join(' ')} */`;
  if (oneLine.length <= COLUMNS) return `${oneLine}\n`;
  const lines: string[] = [];
  let line = `${indent} *`;
  for (const word of words) {
    if (line.length + 1 + word.length > COLUMNS) {
      lines.push(line);
      line = `${indent} *`;
    }
    line += ` ${word}`;
  }
  return [`${indent}/**`, ...lines, line, `${indent} */\n`].join('\n');
};

export const commentOf = (schema: JsonSchema, indent: string): string => {
  const { description, deprecated, 'x-sunset': sunset } = schema;
  const words = typeof description === 'string' ? [description] : [];
  const said =
    deprecated === true
      ? [...words, sunset === undefined ? '@deprecated' : `@deprecated Ends on ${String(sunset)}.`]
      : words;
  return said.length === 0 ? '' : docComment(said.join(' '), indent);
};

export const fieldOf = (name: string, schema: JsonSchema, required: boolean, indent: string): string => {
  const type = typeOf(schema, indent);
  return `${commentOf(schema, indent)}${indent}${name}${required ? `: ${type}` : `?: ${type} | undefined`};\n`;
};

const objectOf = (schema: JsonSchema, indent: string): string => {
  const { properties, required, additionalProperties } = schema;
  if (!isSchema(properties)) {
    const values = isSchema(additionalProperties) ? typeOf(additionalProperties, indent) : 'unknown';
    return `Record<string, ${values}>`;
  }
  const needed = new Set(Array.isArray(required) ? required : []);
  const inner = `${indent}  `;
  const fields = Object.entries(properties)
    .filter((entry): entry is [string, JsonSchema] => isSchema(entry[1]))
    .map(([name, field]) => fieldOf(name, field, needed.has(name), inner));
  return fields.length === 0 ? 'Record<string, never>' : `{\n${fields.join('')}${indent}}`;
};

const listOf = (items: unknown, indent: string): string => {
  const item = isSchema(items) ? typeOf(items, indent) : 'unknown';
  return /[ |]/.test(item) && !item.startsWith('{') ? `(${item})[]` : `${item}[]`;
};

const ofType = (type: unknown, schema: JsonSchema, indent: string): string => {
  switch (type) {
    case 'object':
      return objectOf(schema, indent);
    case 'array':
      return listOf(schema['items'], indent);
    case 'integer':
    case 'number':
      return 'number';
    case 'string':
    case 'boolean':
    case 'null':
      return type;
    default:
      return 'unknown';
  }
};

/** The TypeScript type of a JSON Schema of the API documents. */
export const typeOf = (schema: JsonSchema, indent = ''): string => {
  const component = componentOf(schema);
  if (component !== undefined) return typeNameOf(component);
  if ('const' in schema) return JSON.stringify(schema['const']);
  if (Array.isArray(schema['enum'])) return schema['enum'].map((value) => JSON.stringify(value)).join(' | ');
  const forms = schemasOf(schema['anyOf'] ?? schema['oneOf']);
  if (forms.length > 0) return forms.map((form) => typeOf(form, indent)).join(' | ');
  const types: readonly unknown[] = Array.isArray(schema['type']) ? schema['type'] : [schema['type']];
  return types.map((type) => ofType(type, schema, indent)).join(' | ');
};
