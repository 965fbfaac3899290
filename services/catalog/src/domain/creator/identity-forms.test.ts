import { describe, expect, it } from '@jest/globals';
import { wordsInIdentityForms } from './identity-forms.js';

describe('words in mentions and links', () => {
  it.each([
    ['a mention', 'thanks @Canary_1!', true],
    ['a full-width mention', 'thanks ＠Canary_1', true],
    ['a mention in full-width letters', '＠ｃａｎａｒｙ＿１', true],
    ['a mention with an invisible character', '@\u200bcanary_1', true],
    ['a mention split by an invisible character', '@cana\u200bry_1', true],
    ['a mention with a space', '@ canary_1', true],
    ['an escaped mention', '?to=%40canary_1', true],
    ['a profile link', 'https://x.com/canary_1', true],
    ['a profile link without a scheme', 'see x.com/canary_1/status/1', true],
    ['a link with a port', 'http://localhost.test:8080/canary_1', true],
    ['a link that names it in its query', 'https://x.com/intent/user?screen_name=Canary_1', true],
    ['a link that escapes it', 'https://x.com/%63anary_1', true],
    ['a host that begins with it', 'https://canary_1.example.com', true],
    ['a link inside JSON', '{"bio":"x.com/canary_1","x":1}', true],
    ['the bare word', 'canary_1 is a word', false],
    ['a longer mention', '@canary_12', false],
    ['the registered name of a host', 'https://www.example.com/', false],
    ['a fraction', 'canary_1 and/or 3/4', false],
  ])('%s', (_name, text, holds) => {
    expect(wordsInIdentityForms(text).includes('canary_1')).toBe(holds);
  });

  it('scans 2,000 rows of plain text quickly', () => {
    const row = JSON.stringify({ bio: 'Notes on startup founders and more. '.repeat(100) });
    const before = performance.now();
    for (let at = 0; at < 2_000; at += 1) expect(wordsInIdentityForms(row).length).toBe(0);
    expect(performance.now() - before).toBeLessThan(1_500);
  });
});
