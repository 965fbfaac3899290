import {
  type Audience,
  ERROR_CODE_NAMES,
  ERROR_CODES,
  ERROR_GUIDE,
  type ErrorCode,
  errorPath,
  type Guidance,
  isPublished,
  operations,
  REASON_GUIDE,
  refusalsOf,
  retryable,
} from '@cds/contracts';
import { blocks, type Document, table } from './document.js';
import { operationPath } from './reference.js';

const bodyOf = (code: ErrorCode, { meaning, remedy, details }: Guidance, reason?: string): string => {
  const all = {
    ...(reason === undefined ? {} : { reason }),
    ...details,
    ...(code === 'mandate_refused' ? { escalate: true } : {}),
  };
  const error = {
    code,
    message: `${meaning} ${remedy}`,
    ...(Object.keys(all).length === 0 ? {} : { details: all }),
  };
  return `\`\`\`json\n${JSON.stringify({ error }, null, 2)}\n\`\`\``;
};

const again = (code: ErrorCode): string =>
  retryable(code)
    ? 'The same request, sent again unchanged, may succeed.'
    : 'The same request, sent again unchanged, gets the same answer.';

/** Where a reason comes from that no operation for keys declares. */
const ELSEWHERE: Readonly<Partial<Record<Audience, string>>> = {
  person: 'people in Developers and the app',
  visitor: 'signing up or in',
  creator: "creators' pages",
  operator: "the operator's team",
};

/** The operations that can answer a conflict with this reason: links for those for keys, words for the others. */
const sourcesOf = (reason: string): string[] => {
  const declaring = operations.filter(({ conflicts = [] }) => conflicts.some((one) => one === reason));
  const links = declaring.filter(isPublished).map(({ name }) => `[\`${name}\`](${operationPath(name)})`);
  const others = declaring.flatMap(({ audience }) => ELSEWHERE[audience] ?? []);
  return [...links, ...new Set(others)];
};

const answering = (code: ErrorCode): string[] =>
  operations
    .filter(isPublished)
    .filter((operation) => refusalsOf(operation).some(({ codes }) => codes.includes(code)))
    .map(({ name }) => `[\`${name}\`](${operationPath(name)})`);

/** A code that most operations can answer is said to come from all. */
const MANY = 12;

const fromOf = (links: readonly string[]): string => {
  if (links.length === 0) return '';
  return links.length > MANY ? 'Nearly every operation can answer it.' : `Answered by ${links.join(', ')}.`;
};

const codeDocument = (code: ErrorCode): Document => {
  const guidance = ERROR_GUIDE[code];
  const reasons = Object.entries(REASON_GUIDE[code] ?? {});
  return {
    path: errorPath(code),
    area: 'errors',
    title: code,
    summary: guidance.meaning,
    markdown: blocks(
      `# ${code}`,
      `Status ${ERROR_CODES[code].status}. ${again(code)}`,
      `## What happened\n\n${guidance.meaning}`,
      `## What to do\n\n${guidance.remedy}`,
      `## Example\n\n${bodyOf(code, guidance)}`,
      reasons.length > 0 &&
        `## Reasons\n\n${table(
          ['Reason', 'What happened', 'What to do'],
          reasons.map(([reason, { meaning, remedy }]) => [
            `[\`${reason}\`](${errorPath(code, reason)})`,
            meaning,
            remedy,
          ]),
        )}`,
      fromOf(answering(code)),
      'See also: [errors by code](/docs/guides/errors) and [which error wins](/docs/rules/requests#order-of-errors).',
    ),
  };
};

const reasonDocument = (code: ErrorCode, reason: string, guidance: Guidance): Document => ({
  path: errorPath(code, reason),
  area: 'errors',
  title: `${code}: ${reason}`,
  summary: guidance.meaning,
  markdown: blocks(
    `# ${code}: ${reason}`,
    `Status ${ERROR_CODES[code].status}, code [\`${code}\`](${errorPath(code)}). ${again(code)}`,
    `## What happened\n\n${guidance.meaning}`,
    `## What to do\n\n${guidance.remedy}`,
    `## Example\n\n${bodyOf(code, guidance, reason)}`,
    code === 'conflict' && fromOf(sourcesOf(reason)),
    code === 'rate_limited' && 'See also: [limits](/docs/guides/limits).',
    code === 'mandate_refused' && 'See also: [mandate](/docs/rules/orders#mandate).',
  ),
});

/** A page per error code and per reason (docs/guides/errors.md), from the tables of `libs/contracts`. */
export const errorDocuments = (): Document[] =>
  ERROR_CODE_NAMES.flatMap((code) => [
    codeDocument(code),
    ...Object.entries(REASON_GUIDE[code] ?? {}).map(([reason, guidance]) => reasonDocument(code, reason, guidance)),
  ]);
