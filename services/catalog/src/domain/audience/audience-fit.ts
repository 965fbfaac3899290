/** How the network fits a described audience (docs/domain/network.md#audience-fit). */
import type { ChannelFit } from '@cds/contracts';
import { type Resolved, resolveAudience } from './segments.js';

/** Most specific first: the request's texts, the campaign's, the company context's. */
export type AudienceTexts = {
  sent: { product: string | null; audience: string | null; geography: string | null };
  campaign: { product: string | null; audience: string | null; geography: string | null } | null;
  onFile: string | null;
};

const said = (...texts: (string | null | undefined)[]): string | null =>
  texts.find((text) => text !== null && text !== undefined && text.trim() !== '')?.trim() ?? null;

/** `from`: whose words were read. `passedOver`: the product sent names no audience, so the one on file counts. */
export type Described = Resolved & {
  audience: string | null;
  geography: string | null;
  from: 'described' | 'on_file' | null;
  passedOver: boolean;
};

/** The request's words come first, then the campaign's, then the audience on file; without any, the product counts. */
export const describedAudience = ({ sent, campaign, onFile }: AudienceTexts): Described => {
  const product = said(sent.product);
  const geography = said(sent.geography, campaign?.geography);
  const audience = said(sent.audience, campaign?.audience);
  const texts =
    said(sent.audience) === null
      ? [product, said(campaign?.audience), said(campaign?.product)]
      : [audience, product ?? said(campaign?.product)];

  const described = firstResolved(texts);
  if (!described.unresolved || audience !== null)
    return { ...described, audience, geography, from: 'described', passedOver: false };

  const filed = resolveAudience(onFile ?? '');
  const isOnFile = said(onFile) !== null;
  const from = isOnFile ? 'on_file' : product === null ? null : 'described';
  return { ...filed, audience: said(onFile), geography, from, passedOver: isOnFile && product !== null };
};

const firstResolved = (texts: readonly (string | null)[]): Resolved => {
  for (const text of texts) {
    const resolved = resolveAudience(text ?? '');
    if (!resolved.unresolved) return resolved;
  }
  return { segments: [], unresolved: true };
};

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

const NAMED_MOST = 3;

/** An audience in running text; of more than three segments, the first two and how many more. */
export const audienceInText = (labels: readonly string[]): string => {
  if (labels.length <= NAMED_MOST) return labelsInText(labels);
  const first = labels.slice(0, NAMED_MOST - 1).map(labelInText);
  return `${first.join(', ')} and ${labels.length - first.length} more segments`;
};

export const fitSummary = (
  { segments, from, passedOver }: Pick<Described, 'from' | 'passedOver'> & { segments: readonly { label: string }[] },
  channel: ChannelFit,
): string => {
  if (segments.length === 0) return UNREAD[from ?? 'nothing'];
  const audience = labelsInText(segments.map(({ label }) => label));
  const before = passedOver ? 'The product names no audience we know, so this is the audience on file. ' : '';
  if (channel.level === 'none') return `${before}No approved creator reaches ${audience}.`;
  const count = channel.bookable_nodes;
  const who = `${count.toLocaleString('en-US')} ${count === 1 ? 'creator' : 'creators'} bookable now`;
  const level = channel.level === 'strong' ? 'Strong' : 'Thin';
  return `${before}${level} on X: ${who} ${count === 1 ? 'reaches' : 'reach'} ${audience}.`;
};

const ADD = 'Add a role, an industry or an interest.';
const UNREAD = {
  described: `The description names no audience we know. ${ADD}`,
  on_file: `The audience on file names no audience we know. ${ADD}`,
  nothing: 'No audience is described and none is on file. Send audience or product.',
} as const;
