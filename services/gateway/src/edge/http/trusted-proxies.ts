import { ipAddressOf } from '@cds/service';

/**
 * What is wrong with an entry of CDS_TRUSTED_PROXIES, or null. An entry is a CIDR range or one address. To
 * trust every address would let any caller choose the address it counts as.
 */
export const trustedProxyProblem = (entry: string): string | null => {
  const [address = '', prefix, ...more] = entry.split('/');
  const longest = address.includes(':') ? 128 : 32;
  const read = address.includes('%') ? null : ipAddressOf(address);
  if (read === null || more.length > 0)
    return `"${entry}" is not a CIDR range. Write ranges as 10.0.0.0/8 or fd00::/8, separated by commas.`;
  if (longest === 128 && 'v4' in read) return `"${entry}" is IPv4 inside IPv6. Write it as ${read.v4} with its prefix.`;
  if (prefix === undefined) return null;
  if (!/^\d{1,3}$/.test(prefix) || Number(prefix) > longest)
    return `"${entry}" has an invalid prefix length. Write a whole number from 1 to ${longest} after the slash.`;
  if (Number(prefix) === 0) return `"${entry}" trusts every address. List only the ranges of your own proxies.`;
  return null;
};
