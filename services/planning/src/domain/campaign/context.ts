import type { BrainSection } from '@cds/contracts';

/** Only its confirmation ever changes (docs/domain/plans.md#company-context). */
export type ContextVersion = {
  version: number;
  name: string | null;
  summary: string | null;
  audience: string | null;
  created_at: Date;
  confirmed_at: Date | null;
  /** Null for a person's version. */
  read: { proposal: string; url: string } | null;
};

/** A workspace's versions, oldest first. */
export type CompanyContext = { _id: string; ws: string; version: number; versions: ContextVersion[] };

export type ContextInForce = Pick<ContextVersion, 'version' | 'confirmed_at' | BrainSection>;

/** Version 0 of every workspace. */
export const EMPTY_CONTEXT: ContextInForce = {
  version: 0,
  confirmed_at: null,
  name: null,
  summary: null,
  audience: null,
};

/** For reads, defaults and the audience on file: the newest confirmed version, else the newest. */
export const inForce = (versions: readonly ContextVersion[]): ContextInForce => {
  const newestFirst = [...versions].sort((one, other) => other.version - one.version);
  return newestFirst.find((version) => version.confirmed_at !== null) ?? newestFirst[0] ?? EMPTY_CONTEXT;
};

/** In force at once only while nobody has confirmed a version. */
export const proposedVersion = (
  versions: readonly ContextVersion[],
  texts: { [section in BrainSection]: string | null },
  read: NonNullable<ContextVersion['read']>,
  now: Date,
): ContextVersion => ({ version: numberAfter(versions), ...texts, created_at: now, confirmed_at: null, read });

/** Confirmed at once; blank or missing texts are absent (docs/domain/plans.md#company-context). */
export const newVersion = (
  versions: readonly ContextVersion[],
  texts: { [section in BrainSection]?: string | undefined },
  now: Date,
): ContextVersion => ({
  version: numberAfter(versions),
  name: given(texts.name),
  summary: given(texts.summary),
  audience: given(texts.audience),
  created_at: now,
  confirmed_at: now,
  read: null,
});

const numberAfter = (versions: readonly ContextVersion[]): number =>
  versions.reduce((newest, one) => Math.max(newest, one.version), 0) + 1;

const given = (text: string | undefined): string | null => (text === undefined || text === '' ? null : text);
