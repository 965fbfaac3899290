import { AppError } from '@cds/contracts';
import { DOCS_ROOT, type Document, markdownPath } from '../../docs/document.js';
import type { Shelf } from '../../docs/library.js';
import { renderMarkdown } from '../../docs/markdown.js';
import { RESULTS, search } from '../../docs/search.js';
import type { Edge } from '../../edge/edge.js';
import type { Endpoint } from '../../edge/endpoint.js';
import type { Answer } from '../../edge/http/answer.js';
import { type Exchange, headerValues } from '../../edge/http/exchange.js';
import { etagOf, fileAnswer, validated } from '../../edge/http/validated.js';
import { publicRoutes } from '../../edge/public-endpoint.js';
import type { Route } from '../../edge/routes.js';
import { queryOf } from '../developers/keys-page.js';
import { page, seeOther } from '../foundation/page.js';
import { PUBLIC_LINKS } from '../public-pages.js';
import { docsTabs, documentModel } from './docs-model.js';

/** Pages name files of the deployment that made them, so they are asked for again. */
const PAGE_CACHE = { 'Cache-Control': 'no-cache', Vary: 'Accept' };

/** How many rendered pages a gateway keeps, and how much of a query counts. */
const KEPT = 40;
const QUERY_CHARACTERS = 100;

/** The parts of every page here. They run our scripts only for the buttons that copy. */
const FRAME = { indexed: true, scripts: true, width: 'wide', links: PUBLIC_LINKS } as const;

/** The media types that a client accepts; a weight of 0 says that it does not (RFC 9110, 12.4.2). */
const acceptedTypes = ({ raw }: Exchange): string[] =>
  headerValues(raw, 'accept')
    .flatMap((value) => value.toLowerCase().split(','))
    .filter((range) => !/;\s*q=0(\.0{0,3})?\s*(;|$)/.test(range))
    .map((range) => (range.split(';')[0] ?? '').trim());

/** Whether a client reads Markdown rather than pages, as agents do. */
const wantsMarkdown = (exchange: Exchange): boolean => {
  const accepted = acceptedTypes(exchange);
  return accepted.includes('text/markdown') && !accepted.includes('text/html');
};

const varying = (answer: Answer): Answer => ({ ...answer, headers: { ...answer.headers, Vary: 'Accept' } });

const noPage = (): AppError =>
  new AppError('not_found', `There is no page at this address. ${DOCS_ROOT} lists them all.`);

/** Renders documents, and keeps the pages that were asked for last. */
class Pages {
  private readonly kept = new Map<string, { answer: Answer; etag: string }>();

  constructor(private readonly library: Edge['library']) {}

  async document(exchange: Exchange, path: string): Promise<Answer> {
    const shelf = await this.library.shelf();
    const file = shelf.files.get(path);
    if (file !== undefined) return fileAnswer(exchange, file);
    const document = shelf.documents.get(path);
    if (document === undefined) throw noPage();
    const markdown = shelf.files.get(markdownPath(document));
    if (markdown !== undefined && wantsMarkdown(exchange)) return varying(fileAnswer(exchange, markdown));
    return this.rendered(exchange, path, () => documentPage(document, shelf));
  }

  async changelog(exchange: Exchange): Promise<Answer> {
    const { files } = await this.library.shelf();
    const markdown = files.get('/changelog.md');
    if (markdown !== undefined && wantsMarkdown(exchange)) return varying(fileAnswer(exchange, markdown));
    return this.rendered(exchange, '/changelog', async () => {
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

  private async rendered(exchange: Exchange, path: string, render: () => Promise<Answer>): Promise<Answer> {
    const held = this.kept.get(path) ?? (await madeNow(render));
    this.kept.delete(path);
    this.kept.set(path, held);
    const [oldest] = this.kept.keys();
    if (this.kept.size > KEPT && oldest !== undefined) this.kept.delete(oldest);
    return validated(exchange, held.answer, held.etag);
  }
}

const madeNow = async (render: () => Promise<Answer>): Promise<{ answer: Answer; etag: string }> => {
  const answer = await render();
  return { answer: { ...answer, headers: { ...answer.headers, ...PAGE_CACHE } }, etag: etagOf(String(answer.body)) };
};

const documentPage = async (document: Document, { documents }: Shelf): Promise<Answer> => {
  const html = renderMarkdown(document.markdown);
  return page('docs', { ...FRAME, ...documentModel(document, [...documents.values()], html) });
};

const searchPage = async (exchange: Exchange, library: Edge['library']): Promise<Answer> => {
  const query = queryOf(exchange.query)('q').trim().slice(0, QUERY_CHARACTERS);
  const { index } = await library.shelf();
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

/** Files for programs beside the documents. */
const FILES = [
  '/changelog.md',
  '/changelog.json',
  '/changelog.atom',
  '/llms.txt',
  '/llms-full.txt',
  '/sitemap.xml',
  '/robots.txt',
] as const;

/** The public documents (docs/domain/access.md#health-and-documents). */
export const docsRoutes = (edge: Edge): Route<Endpoint>[] => {
  const { library } = edge;
  const pages = new Pages(library);
  const answer = (exchange: Exchange): Promise<Answer> => pages.document(exchange, exchange.path);
  return [
    ...publicRoutes(edge, '/docs', async () => ({ ...seeOther(DOCS_ROOT), status: 308 })),
    ...publicRoutes(edge, DOCS_ROOT, answer),
    ...publicRoutes(edge, '/docs/search', (exchange) => searchPage(exchange, library)),
    ...publicRoutes(edge, '/docs/{area}', answer),
    ...publicRoutes(edge, '/docs/{area}/{name}', answer),
    ...publicRoutes(edge, '/docs/{area}/{name}/{part}', answer),
    ...publicRoutes(edge, '/changelog', (exchange) => pages.changelog(exchange)),
    ...FILES.flatMap((path) => publicRoutes(edge, path, answer)),
  ];
};
