import { describe, expect, test } from '@jest/globals';
import { plainText, renderMarkdown } from './markdown.js';

describe('Markdown as HTML', () => {
  test.each([
    [
      'HTML is shown as it is written',
      'a <b>b</b>\n\n<script>x</script>',
      ['&lt;b&gt;', '&lt;script&gt;'],
      ['<script', '<b>'],
    ],
    [
      'a script is no address',
      '[x](javascript:alert(1)) [y](//other.test/)',
      ['x', 'y'],
      ['javascript:', 'other.test'],
    ],
    [
      'an address of ours, an anchor and another site are links',
      '[a](/docs/) [b](#c) [d](https://cds.example)',
      ['href="/docs/"', 'href="#c"', 'href="https://cds.example"'],
      [],
    ],
    ['a picture becomes its words', '![words](https://cds.example/x.png)', ['words'], ['<img']],
    [
      'headings have anchors, and the second of a name its own',
      '## One `two`\n\n## One two',
      ['id="one-two"', 'id="one-two-1"'],
      [],
    ],
    [
      'a cell knows the name of its column',
      '| a | b |\n|---|---|\n| 1 | 2 |',
      ['data-label="a"', 'data-label="b"', '<th scope="col">a'],
      [],
    ],
    ['code keeps its marks', '```json\n{"a": "<b>"}\n```', ['&quot;&lt;b&gt;&quot;', 'JSON'], ['<b>']],
  ])('%s', (_rule, markdown, has, lacks) => {
    const html = renderMarkdown(markdown);
    for (const part of has) expect(html).toContain(part);
    for (const part of lacks) expect(html).not.toContain(part);
  });

  test('plain text has the words alone', () => {
    expect(plainText('## A `b`\n\n| c | d |\n| --- | --- |\n| [e](/f) | *g* |')).toBe('## A b c d e g');
  });
});
