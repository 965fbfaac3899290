/** Languages, stored by their English names (docs/domain/network.md#imports). */

const CODE = /^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/;
const RENAMED: Readonly<Record<string, string>> = { in: 'id', iw: 'he' };

export const languageOfCode = (code: string): string | null => {
  if (!CODE.test(code)) return null;
  const language = code.split('-', 1)[0] ?? '';
  return (
    new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' }).of(RENAMED[language] ?? language) ?? null
  );
};
