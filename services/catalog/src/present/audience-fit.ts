import type { AudienceFit, ChannelFit } from '@cds/contracts';
import { type Described, fitSummary } from '../domain/audience/audience-fit.js';
import { liveChannel, uncountedChannel } from '../domain/audience/coverage.js';
import { regionsOf } from '../domain/geography/regions.js';
import type { Network } from '../snapshot/network.js';

export const audienceFit = (
  described: Described,
  network: Network,
  at: Date,
  others: readonly ChannelFit[],
): AudienceFit => {
  const { segments, unresolved, from } = described;
  const channel = unresolved ? uncountedChannel : liveChannel(network.coverage(segments));
  return {
    version: 1,
    computed_at: at.toISOString(),
    coverage_as_of: network.coverageAsOf,
    segments: segments.map(({ id, label }) => ({ id, label })),
    regions: regionsOf(described.geography, described.audience),
    unresolved,
    ...(from === null ? {} : { audience_from: from }),
    channels: [channel, ...others],
    thin: channel.level !== 'strong',
    summary: fitSummary(described, channel),
  };
};
