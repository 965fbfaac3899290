/** A User-Agent is text of whoever sends it: only names that we know reach a mail (docs/domain/sign-in.md#sign-in). */

export type From = { address: string; user_agent: string };

const LONGEST = 200;

/** What is kept of a User-Agent: one line of printable ASCII. */
export const keptUserAgent = (sent: string): string => sent.replace(/[^ -~]+/g, ' ').slice(0, LONGEST);

/** The first that occurs counts: each browser also names the one that it descends from. */
const PROGRAMS = [
  ['Edg', 'Edge'],
  ['OPR/', 'Opera'],
  ['Firefox/', 'Firefox'],
  ['Chrome/', 'Chrome'],
  ['Safari/', 'Safari'],
  ['curl/', 'curl'],
] as const;
const SYSTEMS = [
  ['Android', 'Android'],
  ['iPhone', 'an iPhone'],
  ['iPad', 'an iPad'],
  ['Windows', 'Windows'],
  ['Mac OS X', 'macOS'],
  ['Linux', 'Linux'],
] as const;

const knownIn = (text: string, names: readonly (readonly [part: string, name: string])[]): string | undefined =>
  names.find(([part]) => text.includes(part))?.[1];

const programOf = (userAgent: string): string => {
  const program = knownIn(userAgent, PROGRAMS) ?? 'an unknown program';
  const system = knownIn(userAgent, SYSTEMS);
  return system === undefined ? program : `${program} on ${system}`;
};

const named = ({ address, user_agent }: From): string => `${address} with ${programOf(user_agent)}`;

/** For a mail: where a session began, and where its link was asked for if that was elsewhere. */
export const whereFrom = (began: From, asked: From | null): string => {
  if (asked === null) return `from ${named(began)}`;
  if (named(asked) === named(began)) return `from ${named(began)}, where the link was asked for too`;
  return `from ${named(began)}; the link was asked for from ${named(asked)}`;
};

/** For the audit: with what the program calls itself, quoted, so that no name reads as a second address. */
export const shownFrom = ({ address, user_agent }: From): string => `${address} ${JSON.stringify(user_agent)}`;

export const auditedFrom = (began: From, asked: From | null): string =>
  `from ${shownFrom(began)}; link asked for from ${asked === null ? 'unknown' : shownFrom(asked)}`;
