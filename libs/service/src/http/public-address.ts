import { BlockList } from 'node:net';
import { ipAddressOf } from './ip-address.js';

/** IPv4 ranges that are not public (IANA special-purpose registry). */
const CLOSED_V4: readonly (readonly [string, number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.31.196.0', 24],
  ['192.52.193.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['192.175.48.0', 24],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
];

/** In IPv6 only 2000::/3 is public, without these ranges. */
const CLOSED_V6: readonly (readonly [string, number])[] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['2620:4f:8000::', 48],
  ['3fff::', 20],
];

const closedV4 = new BlockList();
for (const [net, bits] of CLOSED_V4) closedV4.addSubnet(net, bits, 'ipv4');
const closedV6 = new BlockList();
for (const [net, bits] of CLOSED_V6) closedV6.addSubnet(net, bits, 'ipv6');
const openV6 = new BlockList();
openV6.addSubnet('2000::', 3, 'ipv6');

/**
 * On the public internet, and not carrying another address in mapped or tunnelled form
 * (docs/reliability.md#outward-requests).
 */
export const isPublicAddress = (text: string): boolean => {
  const address = text.includes('%') ? null : ipAddressOf(text);
  if (address === null) return false;
  if ('v4' in address) return !closedV4.check(address.v4, 'ipv4');
  return openV6.check(text, 'ipv6') && !closedV6.check(text, 'ipv6');
};
