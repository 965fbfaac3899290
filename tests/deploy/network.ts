import type { Manifest } from './manifests.js';

type Labels = Readonly<Record<string, string>>;
type Selector = { matchLabels?: Labels };
type Peer = { podSelector?: Selector; namespaceSelector?: Selector; ipBlock?: { cidr: string } };
type Rule = { from?: Peer[]; to?: Peer[]; ports?: { port: number }[] };

export type Policy = Manifest<{ podSelector: Selector; policyTypes: string[]; ingress?: Rule[]; egress?: Rule[] }>;

/** A pod of our namespace, one of another, or whatever is at a public address. */
export type End = { labels: Labels; namespace?: string } | 'public';

const NAME = 'kubernetes.io/metadata.name';

const fits = ({ matchLabels = {} }: Selector, labels: Labels): boolean =>
  Object.entries(matchLabels).every(([key, value]) => labels[key] === value);

const isPeer = ({ podSelector, namespaceSelector, ipBlock }: Peer, end: End): boolean => {
  if (end === 'public') return ipBlock?.cidr === '0.0.0.0/0';
  if (ipBlock !== undefined) return false;
  const { labels, namespace } = end;
  const inNamespace =
    namespaceSelector === undefined ? namespace === undefined : fits(namespaceSelector, { [NAME]: namespace ?? '' });
  return inNamespace && fits(podSelector ?? {}, labels);
};

const isOurs = (end: End): end is { labels: Labels } => end !== 'public' && end.namespace === undefined;

const lets = (rule: Rule, peers: Peer[] | undefined, other: End, port: number): boolean =>
  (rule.ports?.some((one) => one.port === port) ?? true) && (peers?.some((peer) => isPeer(peer, other)) ?? true);

/**
 * Whether one end reaches a port of another, as a network plugin decides it: what a policy selects may do what one of
 * those that select it allows. Addresses are not compared; a rule on blocks of them is one for public addresses.
 */
export const reaches = (policies: readonly Policy[], from: End, to: End, port: number): boolean => {
  const of = (end: End, type: string) =>
    isOurs(end)
      ? policies.filter(({ spec }) => spec.policyTypes.includes(type) && fits(spec.podSelector, end.labels))
      : [];
  const [out, into] = [of(from, 'Egress'), of(to, 'Ingress')];
  const leaves = out.some(({ spec }) => (spec.egress ?? []).some((rule) => lets(rule, rule.to, to, port)));
  const enters = into.some(({ spec }) => (spec.ingress ?? []).some((rule) => lets(rule, rule.from, from, port)));
  return (out.length === 0 || leaves) && (into.length === 0 || enters);
};
