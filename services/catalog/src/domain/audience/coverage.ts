import type { ChannelFit } from '@cds/contracts';
import { STRONG_FROM } from '../constants.js';

export type Coverage = { verified: number; bookable: number; pricedUnits: number };

const count = (of: number, one: string): string => `${of.toLocaleString('en-US')} ${of === 1 ? one : `${one}s`}`;

const noteOf = ({ verified, bookable, pricedUnits }: Coverage): string => {
  if (verified === 0) return 'No approved creator reaches this audience.';
  if (bookable === 0) return `No creator bookable now, ${verified.toLocaleString('en-US')} approved, price on request.`;
  return `${count(bookable, 'creator')} bookable now, ${count(pricedUnits, 'post')} on sale at a current price.`;
};

export const liveChannel = (coverage: Coverage): ChannelFit => ({
  channel: 'x_creators',
  label: 'X creators',
  sale: 'live',
  level: coverage.verified === 0 ? 'none' : coverage.bookable >= STRONG_FROM ? 'strong' : 'thin',
  verified_nodes: coverage.verified,
  bookable_nodes: coverage.bookable,
  priced_units: coverage.pricedUnits,
  note: noteOf(coverage),
});

export const uncountedChannel: ChannelFit = {
  ...liveChannel({ verified: 0, bookable: 0, pricedUnits: 0 }),
  note: 'No audience was understood, so no creators were counted.',
};

const next = (channel: 'reddit' | 'clipping', label: string): ChannelFit => ({
  channel,
  label,
  sale: 'next',
  level: 'none',
  verified_nodes: 0,
  bookable_nodes: 0,
  priced_units: 0,
  note: 'Not on sale yet.',
});

export const NEXT_CHANNELS: readonly ChannelFit[] = [next('reddit', 'Reddit'), next('clipping', 'Clipping')];
