/** How the network fits a described audience (docs/domain/network.md#audience-fit, AudienceFit). */
import type { ChannelFit } from '@cds/contracts';
import { type Resolved, resolveAudience } from './segments.js';

/**
 * The texts that may describe an audience, most specific first: the request's, the campaign's, the company context's.
 */
export type AudienceTexts = {
  sent: { product: string | null; audience: string | null; geography: string | null };
  campaign: { product: string | null; audience: string | null; geography: string | null } | null;
  /** The audience text of the company context. */
  onFile: string | null;
};

/** The first text that is not blank, trimmed; null without one. */
const said = (...texts: (string | null | undefined)[]): string | null =>
  texts.find((text) => text !== null && text !== undefined && text.trim() !== '')?.trim() ?? null;

export type Described = Resolved & { audience: string | null; geography: string | null };

/**
 * The audience that the texts name. The request's text wins over the campaign's, and that over the company context's. A
 * missing or unresolved audience text falls back to the product.
 */
export const describedAudience = ({ sent, campaign, onFile }: AudienceTexts): Described => {
  const audience = said(sent.audience, campaign?.audience, onFile);
  const product = said(sent.product, campaign?.product);
  const geography = said(sent.geography, campaign?.geography);

  const resolved = resolveAudience(audience ?? '');
  const used = resolved.unresolved && product !== null ? resolveAudience(product) : resolved;
  return { ...used, audience, geography };
};

/** A label in running text: lower case, acronyms kept. */
export const labelInText = (label: string): string =>
  label
    .split(' ')
    .map((word) => (/^[A-Z]{2,}$/.test(word) ? word : word.toLowerCase()))
    .join(' ');

/** Labels as a list in running text: "startup founders, sales and marketing". */
export const labelsInText = (labels: readonly string[]): string => {
  const words = labels.map(labelInText);
  const last = words.at(-1) ?? '';
  return words.length < 2 ? last : `${words.slice(0, -1).join(', ')} and ${last}`;
};

/** The most segments that a short text names. */
const NAMED_MOST = 3;

/** An audience in running text; of more than three segments, the first two and how many more. */
export const audienceInText = (labels: readonly string[]): string => {
  if (labels.length <= NAMED_MOST) return labelsInText(labels);
  const first = labels.slice(0, NAMED_MOST - 1).map(labelInText);
  return `${first.join(', ')} and ${labels.length - first.length} more segments`;
};

/** One sentence about the live channel for the resolved audience. */
export const fitSummary = (segments: readonly { label: string }[], channel: ChannelFit): string => {
  if (segments.length === 0)
    return 'The description names no audience we know. Add a role, an industry or an interest.';
  const audience = labelsInText(segments.map(({ label }) => label));
  if (channel.level === 'none') return `No approved creator reaches ${audience}.`;
  const count = channel.bookable_nodes;
  const who = `${count.toLocaleString('en-US')} ${count === 1 ? 'creator' : 'creators'} bookable now`;
  return `${channel.level === 'strong' ? 'Strong' : 'Thin'} on X: ${who} ${count === 1 ? 'reaches' : 'reach'} ${audience}.`;
};
