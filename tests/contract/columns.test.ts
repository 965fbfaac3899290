import { describe, expect, it } from '@jest/globals';
import { columnsIn } from '../../tools/check/columns.js';

const found = (text: string, path = 'services/billing/src/a.ts'): string[] =>
  columnsIn(path, text).map((one) => `${one.path}:${one.line}: ${one.message}`);

const LONG = 'x'.repeat(118);
const PROSE = 'word '.repeat(30).trim();

describe('the check of columns', () => {
  it.each([
    ['a line comment', `// ${LONG}`],
    ['a line of a block', ` * ${LONG}`],
    ['an indented comment', `  /* ${LONG}`],
  ])('finds %s past 120 columns', (_what, comment) => {
    expect(found(`const a = 1;\n${comment}`)).toEqual([
      `services/billing/src/a.ts:2: a comment of ${comment.length} columns: wrap it at 120`,
    ]);
  });

  it.each([
    ['a paragraph', PROSE],
    ['an item', `- ${PROSE}`],
    ['prose around a link', `[a title](https://example.com) ${PROSE}`],
  ])('finds %s of a document past 120 columns', (_what, prose) => {
    expect(found(`\`\`\`sh\nls\n\`\`\`\n${prose}`, 'README.md')).toEqual([
      `README.md:4: a line of ${prose.length} columns: wrap it at 120`,
    ]);
  });

  it.each([
    ['a comment of 120 columns', `// ${'x'.repeat(117)}`],
    ['code, which the formatter wraps', `const a = '${LONG}${LONG}';`],
    ['a directive', `// biome-ignore lint/style/useConst: ${LONG}`],
    ['a heading', `# ${PROSE}`, 'README.md'],
    ['a row of a table', `| ${PROSE} |`, 'README.md'],
    ['a code block', `\`\`\`sh\n${PROSE}\n\`\`\``, 'README.md'],
    ['a link alone', `- [a title](https://example.com/${LONG})`, 'README.md'],
    ['a text that is no document', PROSE, 'terms.txt'],
  ])('leaves %s alone', (_what, text, path = 'services/billing/src/a.ts') => {
    expect(found(text, path)).toEqual([]);
  });
});
