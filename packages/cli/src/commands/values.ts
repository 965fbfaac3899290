import { InvalidArgumentError, Option } from 'commander';

export const integer = (text: string): number => {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError('It must be a whole number.');
  return Number(text);
};

export const dollars = (text: string): number => {
  if (!/^\d{1,10}(\.\d{1,2})?$/.test(text))
    throw new InvalidArgumentError('It must be US dollars, such as 6000 or 99.50.');
  return Number(text);
};

export const day = (text: string): string => {
  // Date accepts 30 February and means 2 March.
  const at = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(at) || new Date(at).toISOString().slice(0, 10) !== text)
    throw new InvalidArgumentError('It must be a day, YYYY-MM-DD.');
  return text;
};

const SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400 };

export const duration = (text: string): number => {
  const [, amount, unit] = /^(\d{1,8})([smhd])$/.exec(text) ?? [];
  if (amount === undefined || unit === undefined)
    throw new InvalidArgumentError('It must be a duration, such as 90s, 30m, 12h or 2d.');
  return Number(amount) * (SECONDS[unit] ?? 1);
};

export const choice = (flags: string, description: string, words: readonly string[]): Option =>
  new Option(flags, description).choices(words);
