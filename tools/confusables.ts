/**
 * `node tools/confusables.ts FILE > libs/contracts/src/outside-text/confusables.json`: from Unicode's confusables.txt
 * (UTS 39), the characters that look like ASCII letters or digits and do not decompose into them.
 */
import { readFileSync } from 'node:fs';

const ROW = /^([0-9A-F]+) ;\t([0-9A-F ]+) ;\tMA\t# \(.*?\) .*? → (.*?)\t/gmu;
/** A prototype whose name says which letter it reads as: ᴛ, or ᴎ. */
const SMALL_CAPITAL = /^LATIN LETTER SMALL CAPITAL (?:REVERSED )?([A-Z])$/;

const charactersOf = (codes: string) =>
  String.fromCodePoint(...codes.split(' ').map((code) => Number.parseInt(code, 16)));
const bare = (text: string) => text.normalize('NFKD').replace(/\p{M}/gu, '');

const file = readFileSync(process.argv[2] ?? '/dev/stdin', 'utf8');
const found = new Map<string, Set<string>>();
for (const [, source = '', prototype = '', name = ''] of file.matchAll(ROW)) {
  const capital = SMALL_CAPITAL.exec(name)?.[1];
  const plain = capital ?? bare(charactersOf(prototype));
  if (!/^[A-Za-z0-9]+$/.test(plain)) continue;
  const looks = new Set(capital === undefined ? [source] : [source, prototype]);
  for (const code of looks)
    if (!/^[\0-\x7F]*$/.test(bare(charactersOf(code)))) found.set(plain, (found.get(plain) ?? new Set()).add(code));
}

const json = {
  unicode: /^# Version: (.*)$/m.exec(file)?.[1],
  source: 'https://www.unicode.org/Public/security/latest/confusables.txt',
  terms: '© Unicode, Inc. For terms of use and license, see https://www.unicode.org/terms_of_use.html',
  lookalikes: Object.fromEntries([...found].sort().map(([plain, codes]) => [plain, [...codes].sort().join(' ')])),
};
console.log(JSON.stringify(json, null, 2));
