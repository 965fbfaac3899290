/** Languages as they are kept: by their English names (domain 1-network 12). */

const CODE = /^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/;
/** Codes that only old software writes, and what they are called now. */
const RENAMED: Readonly<Record<string, string>> = { in: 'id', iw: 'he' };

/** The English name of a language code, whatever region or script it names beside; null for what is no code of a language. */
export const languageOfCode = (code: string): string | null => {
  if (!CODE.test(code)) return null;
  const language = code.split('-', 1)[0] ?? '';
  return (
    new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' }).of(RENAMED[language] ?? language) ?? null
  );
};
