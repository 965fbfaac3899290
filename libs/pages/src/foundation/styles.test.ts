import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';

const FOLDER = join(import.meta.dirname, '..', '..', 'views', 'styles');
const SHEETS = readdirSync(FOLDER).map((name): [string, string] => [name, readFileSync(join(FOLDER, name), 'utf8')]);

const DARK = /@media \(prefers-color-scheme: dark\) \{\s*:root \{([^}]*)\}\s*\}/g;
/** A colour, or a shadow, which takes no room. */
const OF_COLOUR = /^--(?:(?!shade)[a-z-]+: #[0-9a-f]{6}|shade: .+)$/;

describe('the style sheets', () => {
  test('change nothing but colours in dark, so one size is laid out alike in both themes', () => {
    const declared = SHEETS.flatMap(([, text]) => [...text.matchAll(DARK)]).flatMap(([, body = '']) =>
      body.split(';').map((one) => one.trim()),
    );
    expect(declared.filter((one) => one !== '' && !OF_COLOUR.test(one))).toEqual([]);
    expect(declared.length).toBeGreaterThan(10);
  });

  test.each(SHEETS)('%s asks for the theme in no other way', (_name, text) => {
    expect(text.replaceAll(DARK, '')).not.toMatch(/prefers-color-scheme|light-dark\(/);
  });
});
