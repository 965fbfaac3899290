import type { BrainFull, BrainSection, BrainSectionValue, ContextVersionView, ContextView } from '@cds/contracts';
import { type ContextVersion, inForce } from '../domain/campaign/context.js';

/** Empty sections are left out, versions come newest first (docs/domain/plans.md#company-context). */
export const brainFull = (versions: readonly ContextVersion[]): BrainFull => {
  const { version, confirmed_at, name, summary, audience } = inForce(versions);
  return {
    version,
    confirmed_at: confirmed_at?.toISOString() ?? null,
    context: {
      ...(name === null ? {} : { name }),
      ...(summary === null ? {} : { summary }),
      ...(audience === null ? {} : { audience }),
    },
    versions: [...versions]
      .sort((one, other) => other.version - one.version)
      .map((one) => ({ version: one.version, created_at: one.created_at.toISOString() })),
  };
};

export const brainSection = (versions: readonly ContextVersion[], section: BrainSection): BrainSectionValue => {
  const context = inForce(versions);
  return {
    version: context.version,
    confirmed_at: context.confirmed_at?.toISOString() ?? null,
    section,
    value: context[section],
  };
};

export const contextView = (versions: readonly ContextVersion[]): ContextView => {
  const { version, confirmed_at, context } = brainFull(versions);
  return {
    version,
    confirmed_at,
    context,
    versions: [...versions]
      .sort((one, other) => other.version - one.version)
      .map((one) => ({
        version: one.version,
        created_at: one.created_at.toISOString(),
        confirmed_at: one.confirmed_at?.toISOString() ?? null,
      })),
  };
};

export const contextVersionView = (version: ContextVersion): ContextVersionView => ({
  version: version.version,
  proposal: version.read?.proposal ?? null,
  created_at: version.created_at.toISOString(),
  confirmed_at: version.confirmed_at?.toISOString() ?? null,
  context: brainFull([version]).context,
});
