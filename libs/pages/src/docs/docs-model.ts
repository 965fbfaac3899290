import { AREA_NAMES, AREAS, type Area, DOCS_ROOT, type Document, markdownPath } from './document.js';

type Link = { href: string; label: string; current: boolean };

const CHANGELOG = { href: '/changelog', label: 'Changes' } as const;

/** The parts of the documents, above every page; `current` is a path of one of them. */
export const docsTabs = (current: string): { label: string; items: Link[] } => ({
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

export const documentModel = (document: Document, documents: readonly Document[], html: string) => ({
  title: `${document.title} · Creator Distribution Service`,
  description: document.summary,
  tabs: docsTabs(document.area === null ? document.path : `${DOCS_ROOT}${document.area}`),
  query: '',
  html,
  beside: document.area === null ? null : besideOf(document.area, document, documents),
  markdownHref: markdownPath(document),
});
