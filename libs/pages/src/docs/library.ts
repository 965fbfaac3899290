import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { changelogAtom, changelogJson, type Release, releasesOf } from './changelog.js';
import { type Document, markdownPath } from './document.js';
import { errorDocuments } from './errors.js';
import { type File, fileOf } from './file.js';
import { GUIDE_INDEX, guideDocuments, guideSources, listedForCallers, publishedPath } from './guides.js';
import { publishLinks } from './links.js';
import { llmsFullText, llmsText } from './llms.js';
import { overviewDocuments } from './overview.js';
import { type ApiDocument, operationDocuments, resourceDocuments } from './reference.js';
import { type SearchIndex, searchIndex } from './search.js';

/** The folder that holds the documents: the repository's, or the image's with a copy of them (tools/image.ts). */
const HOME = join(import.meta.dirname, '../../../..');

/** A file of the repository, such as `docs/glossary.md`. Raises when it is missing, which a test of the image sees. */
export const readSource = (path: string): Promise<string> => readFile(join(HOME, path), 'utf8');

const API_DOCUMENT = 'libs/contracts/generated/openapi.json';
const CHANGELOG = 'CHANGELOG.md';

export type Contents = {
  /** All documents by path, in reading order. */
  documents: ReadonlyMap<string, Document>;
  releases: readonly Release[];
  /** Files by path, such as `/llms.txt`. */
  files: ReadonlyMap<string, File>;
  index: SearchIndex;
};

const MARKDOWN = 'text/markdown; charset=utf-8';
const TEXT = 'text/plain; charset=utf-8';

const sitemap = (paths: readonly string[], appUrl: string): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${paths
    .map((path) => `  <url><loc>${appUrl}${path}</loc></url>`)
    .join('\n')}\n</urlset>\n`;

const robots = (appUrl: string): string =>
  `User-agent: *\nDisallow: /api/\nDisallow: /pay/\nDisallow: /creator/\nDisallow: /developers\nSitemap: ${appUrl}/sitemap.xml\n`;

const open = async (appUrl: string): Promise<Contents> => {
  const [index, api, log] = await Promise.all([
    readSource(GUIDE_INDEX),
    readSource(API_DOCUMENT),
    readSource(CHANGELOG),
  ]);
  const listed = listedForCallers(index);
  const texts = new Map(
    await Promise.all(guideSources(listed).map(async (path) => [path, await readSource(path)] as const)),
  );
  const described = JSON.parse(api) as ApiDocument;
  const read = [
    ...guideDocuments(listed, texts),
    ...operationDocuments(described),
    ...resourceDocuments(described),
    ...errorDocuments(),
  ];
  const addressed = (text: string): string =>
    text.replaceAll('{app_url}', appUrl).replaceAll('{base_url}', `${appUrl}/api/v1`);
  const all = [...overviewDocuments(read, described, appUrl), ...read].map((document) => ({
    ...document,
    summary: addressed(document.summary),
    markdown: addressed(document.markdown),
  }));
  const documents = new Map(all.map((document) => [document.path, document]));
  const changelog = addressed(publishLinks(CHANGELOG, log, publishedPath(listed, texts)));
  const releases = releasesOf(changelog);
  const files = new Map<string, File>([
    ...all.map((document) => [markdownPath(document), fileOf(MARKDOWN, document.markdown)] as const),
    ['/changelog.md', fileOf(MARKDOWN, changelog)],
    ['/changelog.json', fileOf('application/json; charset=utf-8', changelogJson(releases))],
    ['/changelog.atom', fileOf('application/atom+xml; charset=utf-8', changelogAtom(releases, appUrl))],
    ['/llms.txt', fileOf(TEXT, llmsText(all, appUrl))],
    ['/llms-full.txt', fileOf(TEXT, llmsFullText(all, appUrl))],
    [
      '/sitemap.xml',
      fileOf('application/xml; charset=utf-8', sitemap(['/', ...documents.keys(), '/changelog'], appUrl)),
    ],
    ['/robots.txt', fileOf(TEXT, robots(appUrl))],
  ]);
  return { documents, releases, files, index: searchIndex(all) };
};

/** The public documents (docs/domain/pages.md#health-and-documents): read with the first request, then kept. */
export class Library {
  private opened: Promise<Contents> | null = null;

  constructor(private readonly appUrl: string) {}

  /** Raises when a file is missing; the next call tries again. */
  contents(): Promise<Contents> {
    this.opened ??= open(this.appUrl).catch((error: unknown) => {
      this.opened = null;
      throw error;
    });
    return this.opened;
  }
}
