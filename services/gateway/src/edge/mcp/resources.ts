import { type Contents, type Document, markdownPath } from '@cds/pages';
import type { Resource, ResourceTemplateType, TextResourceContents } from '@modelcontextprotocol/server';

const MARKDOWN = 'text/markdown';

/** What the list names: texts to read as a whole. Pages to look up are found by the templates. */
const isListed = ({ area, path }: Document): boolean =>
  area === 'guides' || area === 'rules' || path === '/docs/glossary';

const uriOf = (document: Pick<Document, 'path'>, appUrl: string): string => `${appUrl}${markdownPath(document)}`;

/** What resources/list answers: the guides, the rules and the glossary, under their public addresses. */
export const resourcesIn = ({ documents }: Pick<Contents, 'documents'>, appUrl: string): Resource[] =>
  [...documents.values()].filter(isListed).map((document) => ({
    uri: uriOf(document, appUrl),
    name: document.path.slice(document.path.lastIndexOf('/') + 1),
    title: document.title,
    description: document.summary,
    mimeType: MARKDOWN,
    size: Buffer.byteLength(document.markdown),
    annotations: { audience: ['assistant'], priority: document.area === 'guides' ? 0.8 : 0.4 },
  }));

/** What resources/templates/list answers: an operation by its tool's name, and an error by its code and reason. */
export const resourceTemplates = (appUrl: string): ResourceTemplateType[] => [
  {
    uriTemplate: `${appUrl}/docs/reference/{operation}.md`,
    name: 'operation',
    title: 'An operation',
    description: 'Its fields, limits, answer and errors, by the name of the operation, such as approve_plan.',
    mimeType: MARKDOWN,
  },
  {
    uriTemplate: `${appUrl}/docs/errors/{code}.md`,
    name: 'error',
    title: 'An error code',
    description: 'What happened and what to do next, by error.code, such as mandate_refused.',
    mimeType: MARKDOWN,
  },
  {
    uriTemplate: `${appUrl}/docs/errors/{code}/{reason}.md`,
    name: 'reason',
    title: 'A reason of an error',
    description: 'What happened and what to do next, by error.code and error.details.reason.',
    mimeType: MARKDOWN,
  },
];

/** What resources/read answers for the address of any document, with its ending or without; null if it has none. */
export const readResource = (
  { documents }: Pick<Contents, 'documents'>,
  appUrl: string,
  uri: string,
): TextResourceContents | null => {
  for (const document of documents.values())
    if (uri === uriOf(document, appUrl) || uri === `${appUrl}${document.path}`)
      return { uri, mimeType: MARKDOWN, text: document.markdown };
  return null;
};
