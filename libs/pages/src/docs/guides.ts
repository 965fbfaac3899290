import type { Area, Document } from './document.js';
import { type Published, publishLinks, type Section, sectionsOf } from './links.js';

/** The page that lists what is for callers, and the heading of its table. */
export const GUIDE_INDEX = 'docs/README.md';
const FOR_CALLERS = 'I want to call it';

/** The sections of the rules that are for callers; the rest of these files is for who runs or changes the service. */
const RULES: Readonly<Record<string, readonly string[] | 'whole'>> = {
  'docs/domain/access.md': [
    'Child keys',
    'Rights of child keys',
    'End of child keys',
    'Limits of child keys',
    'Scopes',
  ],
  'docs/domain/requests.md': [
    'Order of errors',
    'Every request',
    'Idempotency',
    'Query and body',
    'Response headers',
    'Malformed HTTP',
    'Limits',
  ],
  'docs/domain/mcp.md': 'whole',
  'docs/domain/events.md': 'whole',
  'docs/domain/sandbox.md': 'whole',
  'docs/domain/network.md': ['Bookable', 'Read limits', 'Price requests'],
  'docs/domain/plans.md': ['Campaign input', 'Terms fingerprint', 'Edits', 'Plan `current`', 'States'],
  'docs/domain/orders.md': [
    'Mandate',
    'Mandate checks',
    'Refusal details',
    'Receipts',
    'Payment states',
    'Orders for brands',
    'Credits',
    'Line stage',
    'Campaign stage',
  ],
  'docs/reliability.md': ['Audit format'],
};

const ROW = /^\| \[([^\]]+)\]\(([^)]+)\) \| (.+) \|$/gm;

type Listed = { file: string; title: string; summary: string };

/** The files that the index lists for callers, in its order. */
export const listedForCallers = (index: string): Listed[] => {
  const section = sectionsOf(index).find(({ heading }) => heading === FOR_CALLERS);
  return [...(section?.text ?? '').matchAll(ROW)].map(([, title = '', target = '', summary = '']) => ({
    file: `docs/${target}`.replace(/^docs\/\.\.\//, ''),
    title,
    summary,
  }));
};

const nameOf = (file: string): string => file.slice(file.lastIndexOf('/') + 1).replace(/\.md$/, '');

const isGuide = (file: string): boolean => file.startsWith('docs/guides/');

/** Paths of files whose pages are not guides or rules. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  [GUIDE_INDEX]: '/docs/',
  'docs/glossary.md': '/docs/glossary',
  'CHANGELOG.md': '/changelog',
};

export const guideSources = (listed: readonly Listed[]): string[] => [
  ...listed.map(({ file }) => file).filter(isGuide),
  ...Object.keys(RULES),
  'docs/glossary.md',
];

/** Where a file of the repository has its page, and an anchor on it; null if it has none. */
const publishedBy =
  (listed: readonly Listed[], rules: ReadonlyMap<string, readonly Section[]>): Published =>
  (file, anchor) => {
    const at = anchor === '' ? '' : `#${anchor}`;
    const sections = rules.get(file);
    if (sections !== undefined)
      return anchor === '' || sections.some((one) => one.anchor === anchor) ? `/docs/rules/${nameOf(file)}${at}` : null;
    if (isGuide(file)) return listed.some((one) => one.file === file) ? `/docs/guides/${nameOf(file)}${at}` : null;
    const elsewhere = ELSEWHERE[file];
    return elsewhere === undefined ? null : `${elsewhere}${at}`;
  };

/** What every page of rules says first. */
const CHOSEN = 'A rule marked *(default)* is our choice where the specification is silent.';

const summaryOf = (sections: readonly Section[]): string =>
  `${sections.map(({ heading }) => heading.replaceAll('`', '')).join(', ')}.`;

/** The sections one below the other; no heading is more than one level below the one before it. */
const joined = (sections: readonly Section[]): string => {
  let deepest = 1;
  return sections
    .map(({ level, heading, text }) => {
      deepest = Math.min(level, deepest + 1);
      return `${'#'.repeat(deepest)} ${heading}\n\n${text}\n\n`;
    })
    .join('');
};

const rulesIn = (texts: ReadonlyMap<string, string>): Map<string, Section[]> =>
  new Map(
    Object.entries(RULES).map(([file, wanted]) => [
      file,
      sectionsOf(texts.get(file) ?? '').filter(
        ({ level, heading }) => level > 1 && (wanted === 'whole' || wanted.includes(heading)),
      ),
    ]),
  );

/** Where files of the repository have their pages, for texts that are not among these. */
export const publishedPath = (listed: readonly Listed[], texts: ReadonlyMap<string, string>): Published =>
  publishedBy(listed, rulesIn(texts));

export const guideDocuments = (listed: readonly Listed[], texts: ReadonlyMap<string, string>): Document[] => {
  const rules = rulesIn(texts);
  const published = publishedBy(listed, rules);
  const document = (file: string, area: Area | null, path: string, summary: string, text: string): Document => ({
    path,
    area,
    title: /^# (.+)$/m.exec(text)?.[1] ?? nameOf(file),
    summary,
    markdown: publishLinks(file, text, published),
  });
  const guides = listed
    .filter(({ file }) => isGuide(file))
    .map(({ file, summary }) =>
      document(file, 'guides', `/docs/guides/${nameOf(file)}`, summary, texts.get(file) ?? ''),
    );
  const ruled = [...rules].map(([file, sections]) => {
    const title = /^# (.+)$/m.exec(texts.get(file) ?? '')?.[1] ?? nameOf(file);
    const text = `# ${title}\n\n${CHOSEN}\n\n${joined(sections)}`;
    return document(file, 'rules', `/docs/rules/${nameOf(file)}`, summaryOf(sections), text);
  });
  const glossary = 'docs/glossary.md';
  return [
    ...guides,
    document(glossary, null, '/docs/glossary', 'One meaning for each word.', texts.get(glossary) ?? ''),
    ...ruled,
  ];
};
