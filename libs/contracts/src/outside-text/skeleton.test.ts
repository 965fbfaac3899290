import { describe, expect, test } from '@jest/globals';
import { isLatinLookalike, skeletonReader } from './skeleton.js';

const LISTED = ['online casino', 'casinos', 'roulette', 'slots', 'gambling', 'whiskey', 'vodka', 'porn', 'gin', 'btc'];
const read = skeletonReader([...LISTED, 'brandy', 'stakes', 'kids', 'bet', 'insurance', 'sex toys']);

describe('what a text looks like (docs/domain/network.md#skeleton)', () => {
  test.each([
    ['Cyrillic letters', 'An online саsinо with rоulеttе', 'an online casino with roulette'],
    ['Cyrillic letters alone', 'саѕіnо, саѕіпо', 'casino casino'],
    ['Cyrillic capitals', 'РОRN and GАМВLING', 'porn and gambling'],
    ['a short word with one', 'gіn', 'gin'],
    ['a letter that looks like none', 'каsino', 'casino'],
    ['Greek letters', 'cαѕιnο', 'casino'],
    ['Armenian letters', 'ѕlօtѕ', 'slots'],
    ['Cherokee letters', 'ᏟᎪᏚᏆNO, ᏚLOᎢᏚ', 'casino slots'],
    ['small capitals', 'ᴄᴀꜱɪɴᴏ', 'casino'],
    ['bold letters', '𝐜𝐚𝐬𝐢𝐧𝐨 𝕤𝕝𝕠𝕥𝕤', 'casino slots'],
    ['full-width letters', 'ｃａｓｉｎｏ', 'casino'],
    ['enclosed letters', '🅲🅰🆂🅸🅽🅾 ⓢⓛⓞⓣⓢ 🅢🅛🅞🅣🅢 ⒮⒧⒪⒯⒮', 'casino slots slots slots'],
    ['flags', '🇨🇦🇸🇮🇳🇴', 'casino'],
    ['a dotless i, a slashed o and an estimated sign', 'casınø roulett℮', 'casino roulette'],
    ['letters with marks', 'c̶a̶s̶i̶n̶o̶ çåsîñö', 'casino casino'],
    ['digits', 'cas1no, C4S1N0, v0dka, 5L0T5, p0rn', 'casino casino vodka slots porn'],
    ['digits in the words of a phrase', 'S3X T0YS, s3x toys', 'sex toys sex toys'],
    ['signs', 'c@sino, ca$ino, cas!no, cas|no, $lots', 'casino casino casino casino slots'],
    ['all at once', 'с@s1nо', 'casino'],
    ['l for i, rn for m and vv for w', 'caslno, rouIette, garnbling, vvhiskey', 'casino roulette gambling whiskey'],
    ['single letters', 'c a s i n o, g i n', 'casino gin'],
    ['single letters of other alphabets', 'с а ѕ 1 n ｏ', 'casino'],
    ['single letters in a row of words', 's l o t s and r o u l e t t e', 'slots and roulette'],
    ['a phrase in single letters', 'o n l i n e  c a s i n o', 'online casino'],
    ['signs between letters', 'c.a.s.i.n.o c-a-s-i-n-o c_a_s_i_n_o c*a*s*i*n*o', 'casino casino casino casino'],
    ['more signs between letters', 'c|a|s|i|n|o (c)(a)(s)(i)(n)(o)', 'casino casino'],
    ['line breaks between letters', 'c\na\ns\ni\nn\no', 'casino'],
    ['a word cut in two', 'ca-sino ca.sino ca sino rou lette', 'casino casino casino roulette'],
    ['stars for letters', 'c*sino, c**ino, p*rn', 'casino casino porn'],
    ['blanks for nothing', 'po\uFEFFrn ca\u2800sino ca\u3164sino ca\u00ADsino', 'porn casino casino casino'],
    [
      'blanks for spaces',
      'online\u2800casino online\u3164casino online\u200Bcasino',
      'online casino '.repeat(3).trim(),
    ],
    ['joiners and tags', 'c\u200Da\u200Ds\u200Di\u200Dn\u200Do ca\u{E0061}sino', 'casino casino'],
    ['words run together', 'onlinecasino, #OnlineCasino', 'online casino online casino'],
  ])('%s', (_name, text, words) => {
    expect(read(text)).toBe(words);
  });

  test.each([
    ['short names with digits', 'k8s and web3 on S3, B2B, h1b, 401k, 10an'],
    ['initials', 'A B testing in the U S A by J R R Tolkien'],
    ['versions and numbers', 'v1 1 0 of 2026, 1 000 000 users, 80085'],
    ['Russian', 'СНВ и МТС, ВТС, наш кот и сок, программа для команд'],
    ['Greek', 'καλη αρχη για ολους'],
    ['two words beside each other', 'brand y, 5 takes on it, we be t, in a casi'],
    ['other languages', 'wine für große øl lån 日本語 עברית'],
    ['nothing', ''],
  ])('%s stay as they are written', (_name, text) => {
    expect(read(text)).toBe(
      text
        .normalize('NFKD')
        .replace(/\p{M}/gu, '')
        .toLowerCase()
        .replace(/[^\p{L}\p{N}]+/gu, ' ')
        .trim(),
    );
  });

  test('reads 2,000 characters of any kind within a few milliseconds', () => {
    for (const text of ['Plans your week. ', 'c ', 'саѕж ', 'casж*нo ', 'с@s1nо ']) {
      const start = process.cpuUsage();
      for (let round = 0; round < 50; round += 1) read(text.repeat(2_000 / text.length));
      const { user, system } = process.cpuUsage(start);
      expect((user + system) / 50_000).toBeLessThan(5);
    }
  });

  test('knows which letters of other alphabets look Latin', () => {
    expect([...'аοᎪ𐊠ɡɑ'].filter((letter) => !isLatinLookalike(letter))).toEqual([]);
    expect([...'aøıɛж日1'].filter(isLatinLookalike)).toEqual([]);
  });

  test('reads a long text of signs once', () => {
    expect(skeletonReader(['casino'])('$ '.repeat(50_000))).toBe('');
  });
});
