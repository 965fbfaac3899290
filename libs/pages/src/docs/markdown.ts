import { Marked, type Tokens } from 'marked';
import { Anchors } from './links.js';

export const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** The only addresses that our texts may lead to: paths of this application, anchors, and other sites by https. */
const SAFE = /^(?:\/(?!\/)|#|https:\/\/|mailto:)/;

const LANGUAGES: Readonly<Record<string, string>> = { sh: 'Shell', json: 'JSON', yaml: 'YAML', http: 'HTTP' };

/** A block of code as the page foundation shows it, with a button that copies it where scripts run. */
const codeBlock = (id: string, { text, lang = '' }: Tokens.Code): string =>
  `<div class="code"><div class="bar"><span id="${id}-label">${LANGUAGES[lang] ?? 'Text'}</span>` +
  `<button class="button quiet small" type="button" data-copy="${id}" aria-describedby="${id}-label" hidden>Copy</button></div>` +
  `<pre id="${id}" tabindex="0" role="region" aria-labelledby="${id}-label"><code>${escapeHtml(text)}</code></pre></div>\n`;

/**
 * Markdown as HTML of the page foundation: headings have the anchors that links name, tables become cards on a phone,
 * and HTML in the text is shown as it is written.
 */
export const renderMarkdown = (markdown: string): string => {
  const anchors = new Anchors();
  let codes = 0;
  const marked = new Marked({
    renderer: {
      html: ({ text }) => escapeHtml(text),
      image: ({ text }) => escapeHtml(text),
      code(token) {
        codes += 1;
        return codeBlock(`code-${codes}`, token);
      },
      heading({ tokens, depth, text }) {
        return `<h${depth} id="${anchors.of(text)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
      link({ href, tokens }) {
        const words = this.parser.parseInline(tokens);
        return SAFE.test(href) ? `<a href="${escapeHtml(href)}">${words}</a>` : words;
      },
      table({ header, rows }) {
        const heads = header.map(({ tokens }) => `<th scope="col">${this.parser.parseInline(tokens)}</th>`).join('');
        const body = rows
          .map((row) => {
            const cells = row.map(
              ({ tokens }, at) =>
                `<td data-label="${escapeHtml(header[at]?.text.replaceAll('`', '') ?? '')}"><div>${this.parser.parseInline(tokens)}</div></td>`,
            );
            return `<tr>${cells.join('')}</tr>\n`;
          })
          .join('');
        return `<table class="table cards"><thead><tr>${heads}</tr></thead><tbody>\n${body}</tbody></table>\n`;
      },
    },
  });
  return marked.parse(markdown, { async: false });
};

/** Markdown without its marks, for the search and for summaries. */
export const plainText = (markdown: string): string =>
  markdown
    .replaceAll(/^```.*$/gm, '')
    .replaceAll(/^\|[\s|:-]+\|$/gm, '')
    .replaceAll(/\[([^\]]+)\]\([^)]+\)/g, '$1')
    .replaceAll(/[`*]|\\(?=\|)/g, '')
    .replaceAll('|', ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
