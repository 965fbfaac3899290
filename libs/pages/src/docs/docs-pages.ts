import { AppError } from '@cds/contracts';
import { page, seeOther } from '../foundation/page.js';
import { publicRoutes } from '../foundation/visitor.js';
import type { Answer, PageRequest, Route, Visitor } from '../port.js';
import { PUBLIC_LINKS } from '../public-pages.js';
import { AREA_NAMES, AREAS, type Area, DOCS_ROOT, type Document, markdownPath } from './document.js';
import { etagOf, fileAnswer } from './file.js';
import type { Contents, Library } from './library.js';
import { renderMarkdown } from './markdown.js';
import { RESULTS, search } from './search.js';

/** Pages name files of the deployment that made them, so they are asked for again. */
const PAGE_CACHE = { 'Cache-Control': 'no-cache', Vary: 'Accept' };

/** How many rendered pages a gateway keeps, and how much of a query counts. */
const KEPT = 40;
const QUERY_CHARACTERS = 100;

/** The parts of every page here. They run our scripts only for the buttons that copy. */
const FRAME = { indexed: true, scripts: true, width: 'wide', links: PUBLIC_LINKS } as const;

type Link = { href: string; label: string; current: boolean };

const CHANGELOG = { href: '/changelog', label: 'Changes' } as const;

/** The parts of the documents, above every page; `current` is a path of one of them. */
const docsTabs = (current: string): { label: string; items: Link[] } => ({
  label: 'Documents',
  items: [
    { href: DOCS_ROOT, label: 'Overview' },
    ...AREA_NAMES.map((area) => ({ href: `${DOCS_ROOT}${area}`, label: AREAS[area].title })),
    CHANGELOG,
  ].map((link) => ({ ...link, current: link.href === current })),
});

/** Errors are listed by code; the reasons of the open code are listed below it. */
const isListed = (document: Document, open: Document): boolean => {
  if (document.area !== 'errors') return true;
  const [code = '', reason] = document.path.slice('/docs/errors/'.length).split('/');
  return reason === undefined || open.path.startsWith(`/docs/errors/${code}`);
};

/** The other documents of an area, beside or below the open one. */
const besideOf = (area: Area, open: Document, documents: readonly Document[]) => ({
  label: AREAS[area].title,
  items: documents
    .filter((document) => document.area === area && isListed(document, open))
    .map(({ path, title }) => ({ href: path, label: title, current: path === open.path })),
});

const documentModel = (document: Document, documents: readonly Document[], html: string) => ({
  title: `${document.title} · Creator Distribution Service`,
  description: document.summary,
  tabs: docsTabs(document.area === null ? document.path : `${DOCS_ROOT}${document.area}`),
  query: '',
  html,
  beside: document.area === null ? null : besideOf(document.area, document, documents),
  markdownHref: markdownPath(document),
});

const acceptedTypes = ({ header }: PageRequest): string[] =>
  header('accept')
    .flatMap((value) => value.toLowerCase().split(','))
    .filter((range) => !/;\s*q=0(\.0{0,3})?\s*(;|$)/.test(range))
    .map((range) => (range.split(';')[0] ?? '').trim());

const wantsMarkdown = (request: PageRequest): boolean => {
  const accepted = acceptedTypes(request);
  return accepted.includes('text/markdown') && !accepted.includes('text/html');
};

const varying = (answer: Answer): Answer => ({ ...answer, headers: { ...answer.headers, Vary: 'Accept' } });

const noPage = (): AppError =>
  new AppError('not_found', `There is no page at this address. ${DOCS_ROOT} lists them all.`);

/** Renders documents, and keeps the pages that were asked for last. */
class Pages {
  private readonly kept = new Map<string, Answer>();

  constructor(private readonly library: Pick<Library, 'contents'>) {}

  async document(request: PageRequest, path: string): Promise<Answer> {
    const contents = await this.library.contents();
    const file = contents.files.get(path);
    if (file !== undefined) return fileAnswer(file);
    const document = contents.documents.get(path);
    if (document === undefined) throw noPage();
    const markdown = contents.files.get(markdownPath(document));
    if (markdown !== undefined && wantsMarkdown(request)) return varying(fileAnswer(markdown));
    return this.rendered(path, () => documentPage(document, contents));
  }

  async changelog(request: PageRequest): Promise<Answer> {
    const { files } = await this.library.contents();
    const markdown = files.get('/changelog.md');
    if (markdown !== undefined && wantsMarkdown(request)) return varying(fileAnswer(markdown));
    return this.rendered('/changelog', async () => {
      const html = renderMarkdown(markdown?.text ?? '');
      return page('docs', {
        ...FRAME,
        title: 'Changelog · Creator Distribution Service',
        description: 'What changed, and whom it concerns.',
        feed: '/changelog.atom',
        tabs: docsTabs('/changelog'),
        query: '',
        html,
        beside: null,
        markdownHref: '/changelog.md',
      });
    });
  }

  private async rendered(path: string, render: () => Promise<Answer>): Promise<Answer> {
    const held = this.kept.get(path) ?? (await madeNow(render));
    this.kept.delete(path);
    this.kept.set(path, held);
    const [oldest] = this.kept.keys();
    if (this.kept.size > KEPT && oldest !== undefined) this.kept.delete(oldest);
    return held;
  }
}

const madeNow = async (render: () => Promise<Answer>): Promise<Answer> => {
  const answer = await render();
  return { ...answer, headers: { ...answer.headers, ...PAGE_CACHE }, etag: etagOf(String(answer.body)) };
};

const documentPage = async (document: Document, { documents }: Contents): Promise<Answer> => {
  const html = renderMarkdown(document.markdown);
  return page('docs', { ...FRAME, ...documentModel(document, [...documents.values()], html) });
};

const searchPage = async (request: PageRequest, library: Pick<Library, 'contents'>): Promise<Answer> => {
  const query = request.query('q').trim().slice(0, QUERY_CHARACTERS);
  const { index } = await library.contents();
  const found = search(index, query);
  return page('docs-search', {
    ...FRAME,
    indexed: false,
    title: 'Search · Creator Distribution Service',
    tabs: docsTabs(''),
    query,
    found,
    more: found.length === RESULTS,
  });
};

/** Files for programs, besides the documents. */
const FILES = [
  '/changelog.md',
  '/changelog.json',
  '/changelog.atom',
  '/llms.txt',
  '/llms-full.txt',
  '/sitemap.xml',
  '/robots.txt',
] as const;

/** The public documents (docs/domain/pages.md#health-and-documents). */
export const docsRoutes = (library: Pick<Library, 'contents'>): Route[] => {
  const pages = new Pages(library);
  const answer = (_visitor: Visitor, request: PageRequest): Promise<Answer> => pages.document(request, request.path);
  return [
    ...publicRoutes('/docs', async () => ({ ...seeOther(DOCS_ROOT), status: 308 })),
    ...publicRoutes(DOCS_ROOT, answer),
    ...publicRoutes('/docs/search', (_visitor, request) => searchPage(request, library)),
    ...publicRoutes('/docs/{area}', answer),
    ...publicRoutes('/docs/{area}/{name}', answer),
    ...publicRoutes('/docs/{area}/{name}/{part}', answer),
    ...publicRoutes('/changelog', (_visitor, request) => pages.changelog(request)),
    ...FILES.flatMap((path) => publicRoutes(path, answer)),
  ];
};
