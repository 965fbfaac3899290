import { pino } from 'pino';

/** What never reaches a log, whoever writes it: the last check, on every line (docs/operating.md#logs). */

const CENSORED = '[redacted]';

/** Credentials by their form, each with what may stay. None matches across a quotation mark, so a line stays JSON. */
const CREDENTIALS: readonly (readonly [form: RegExp, stays: string])[] = [
  [/\b(cds_(?:live|test|ops|relay|mcp|mcr|api)_)[0-9A-Za-z_-]+/g, `$1${CENSORED}`],
  [/\b((?:sk|rk)_(?:live|test)_|whsec_)\w+/g, `$1${CENSORED}`],
  [/(:\/\/)[^\s"/@\\]+@/g, `$1${CENSORED}@`],
  [/(\/pay\/)[0-9A-Za-z]{43}/g, `$1${CENSORED}`],
  [/\b(cdl_[0-9a-f-]{36}_\d{1,6}_)[0-9A-Za-z_-]{43}/g, `$1${CENSORED}`],
];

/** Sign-in links, which a development start shows because nothing else delivers them there. */
const SIGN_IN_LINK = /(\/(?:sign-in|first-lead)\/)[0-9A-Za-z_-]{32}/g;

/** A line as it is written: without any text that looks like a credential. */
export const withoutCredentials = (line: string): string => withoutOthers(line).replace(SIGN_IN_LINK, `$1${CENSORED}`);

/** The same for a line of a development start, which keeps sign-in links. */
export const withoutOthers = (line: string): string =>
  CREDENTIALS.reduce((text, [form, stays]) => text.replace(form, stays), line);

/** A text of MongoDB without the values of the unique key that it quotes. */
const withoutValues = (text: string | undefined): string | undefined => text?.replace(/dup key: \{.*\}/gs, 'dup key');

/** What happened and where, and nothing else of an error: a driver's carries the document that failed. */
export const loggedError = (error: Error): Record<string, unknown> => {
  const { type, message, stack, code } = pino.stdSerializers.err(error) as pino.SerializedError & { code?: unknown };
  return {
    type,
    message: withoutValues(message),
    stack: withoutValues(stack),
    ...(typeof code === 'string' || typeof code === 'number' ? { code } : {}),
  };
};
