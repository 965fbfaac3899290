import { AREA_NAMES, AREAS, type Area, blocks, DOCS_ROOT, type Document, table } from './document.js';
import { type ApiDocument, describedIn, operationPath } from './reference.js';

const listOf = (documents: readonly Document[]): string =>
  documents.map(({ title, path, summary }) => `- [${title}](${path}): ${summary}`).join('\n');

const operationsTables = (document: ApiDocument): string => {
  const described = describedIn(document);
  return (document.tags ?? [])
    .map(({ name, description }) => {
      const rows = described
        .filter(({ api }) => api.tags?.includes(name))
        .map(({ title, method, path, declaration }) => [
          `[${title}](${operationPath(declaration.name)})`,
          `\`${method} ${path}\``,
          declaration.tool === undefined ? '' : `\`${declaration.tool.name ?? declaration.name}\``,
          declaration.scope === null ? 'no key' : declaration.scope === 'any' ? 'any key' : `\`${declaration.scope}\``,
        ]);
      return rows.length === 0
        ? ''
        : blocks(`## ${name}`, description, table(['Operation', 'Endpoint', 'Tool', 'Scope'], rows)).trim();
    })
    .filter((part) => part !== '')
    .join('\n\n');
};

const areaDocument = (area: Area, documents: readonly Document[], api: ApiDocument): Document => {
  const { title, about } = AREAS[area];
  const own = documents.filter((document) => document.area === area);
  return {
    path: `${DOCS_ROOT}${area}`,
    area: null,
    title,
    summary: about,
    markdown: blocks(`# ${title}`, about, area === 'reference' ? operationsTables(api) : listOf(own)),
  };
};

/** The index of everything, and of each area. */
export const overviewDocuments = (documents: readonly Document[], api: ApiDocument, appUrl: string): Document[] => {
  const areas = AREA_NAMES.map((area) => areaDocument(area, documents, api));
  const of = (area: Area): Document[] => documents.filter((document) => document.area === area);
  const index: Document = {
    path: DOCS_ROOT,
    area: null,
    title: 'Documents',
    summary: 'Everything that can be called, and how.',
    markdown: blocks(
      '# Documents',
      'Everything that can be called here, for people and for agents. Each page listed here has a Markdown form: add `.md` to its address, or ask with `Accept: text/markdown`.',
      `## Guides\n\n${listOf(of('guides'))}`,
      `## Rules\n\n${listOf(of('rules'))}\n- [Glossary](/docs/glossary): One meaning for each word.`,
      `## Look up\n\n${listOf(areas.filter(({ path }) => /\/(?:reference|resources|errors)$/.test(path)))}\n- [Changelog](/changelog): what changed, and whom it concerns.`,
      blocks(
        '## For programs',
        [
          `- REST: \`${appUrl}/api/v1\`; MCP: \`${appUrl}/api/mcp\``,
          '- [OpenAPI 3.1](/openapi.json) of every public operation',
          '- [llms.txt](/llms.txt) and [llms-full.txt](/llms-full.txt) for language models',
          '- [Version](/version): versions, endpoints and what is switched on here',
          '- Changelog as [JSON](/changelog.json) and as a [feed](/changelog.atom)',
          '- [Public keys](/.well-known/cds-keys.json) of receipts',
        ].join('\n'),
      ),
    ),
  };
  return [index, ...areas];
};
