import { describe, expect, it } from '@jest/globals';
import { isPublicAddress } from './public-address.js';

/**
 * Every range of the IANA special-purpose registries for IPv4 and IPv6 (RFC 6890 and its updates), multicast and the
 * reserved classes: the first and last address, and the public neighbours outside. A neighbour in another closed range
 * is left out.
 */
type Range = readonly [range: string, first: string, last: string, below?: string | undefined, above?: string];

const V4: readonly Range[] = [
  ['0.0.0.0/8', '0.0.0.0', '0.255.255.255', undefined, '1.0.0.0'],
  ['10.0.0.0/8', '10.0.0.0', '10.255.255.255', '9.255.255.255', '11.0.0.0'],
  ['100.64.0.0/10', '100.64.0.0', '100.127.255.255', '100.63.255.255', '100.128.0.0'],
  ['127.0.0.0/8', '127.0.0.0', '127.255.255.255', '126.255.255.255', '128.0.0.0'],
  ['169.254.0.0/16', '169.254.0.0', '169.254.255.255', '169.253.255.255', '169.255.0.0'],
  ['172.16.0.0/12', '172.16.0.0', '172.31.255.255', '172.15.255.255', '172.32.0.0'],
  ['192.0.0.0/24', '192.0.0.0', '192.0.0.255', '191.255.255.255', '192.0.1.0'],
  ['192.0.2.0/24', '192.0.2.0', '192.0.2.255', '192.0.1.255', '192.0.3.0'],
  ['192.31.196.0/24', '192.31.196.0', '192.31.196.255', '192.31.195.255', '192.31.197.0'],
  ['192.52.193.0/24', '192.52.193.0', '192.52.193.255', '192.52.192.255', '192.52.194.0'],
  ['192.88.99.0/24', '192.88.99.0', '192.88.99.255', '192.88.98.255', '192.88.100.0'],
  ['192.168.0.0/16', '192.168.0.0', '192.168.255.255', '192.167.255.255', '192.169.0.0'],
  ['192.175.48.0/24', '192.175.48.0', '192.175.48.255', '192.175.47.255', '192.175.49.0'],
  ['198.18.0.0/15', '198.18.0.0', '198.19.255.255', '198.17.255.255', '198.20.0.0'],
  ['198.51.100.0/24', '198.51.100.0', '198.51.100.255', '198.51.99.255', '198.51.101.0'],
  ['203.0.113.0/24', '203.0.113.0', '203.0.113.255', '203.0.112.255', '203.0.114.0'],
  ['224.0.0.0/4', '224.0.0.0', '239.255.255.255', '223.255.255.255'],
  ['240.0.0.0/4', '240.0.0.0', '255.255.255.254'],
  ['255.255.255.255/32', '255.255.255.255', '255.255.255.255'],
];

const V6: readonly Range[] = [
  ['::/128', '::', '::'],
  ['::1/128', '::1', '::1'],
  ['64:ff9b:1::/48', '64:ff9b:1::', '64:ff9b:1:ffff:ffff:ffff:ffff:ffff'],
  ['100::/64', '100::', '100::ffff:ffff:ffff:ffff'],
  ['100:0:0:1::/64', '100:0:0:1::', '100:0:0:1:ffff:ffff:ffff:ffff'],
  ['2001::/23', '2001::', '2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff', undefined, '2001:200::'],
  [
    '2001:db8::/32',
    '2001:db8::',
    '2001:db8:ffff:ffff:ffff:ffff:ffff:ffff',
    '2001:db7:ffff:ffff:ffff:ffff:ffff:ffff',
    '2001:db9::',
  ],
  [
    '2002::/16 (6to4)',
    '2002::',
    '2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff',
    '2001:ffff:ffff:ffff:ffff:ffff:ffff:ffff',
    '2003::',
  ],
  [
    '2620:4f:8000::/48',
    '2620:4f:8000::',
    '2620:4f:8000:ffff:ffff:ffff:ffff:ffff',
    '2620:4f:7fff:ffff:ffff:ffff:ffff:ffff',
    '2620:4f:8001::',
  ],
  [
    '3fff::/20',
    '3fff::',
    '3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff',
    '3ffe:ffff:ffff:ffff:ffff:ffff:ffff:ffff',
    '3fff:1000::',
  ],
  ['5f00::/16', '5f00::', '5f00:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['fc00::/7', 'fc00::', 'fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['fe80::/10', 'fe80::', 'febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['fec0::/10', 'fec0::', 'feff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['ff00::/8', 'ff00::', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['all below 2000::/3', '::2', '1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', undefined, '2000::'],
  [
    'all above 2000::/3',
    '4000::',
    'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff',
    '3fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff',
  ],
];

const hexOf = (v4: string): string => {
  const [a = 0, b = 0, c = 0, d = 0] = v4.split('.').map(Number);
  return `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`;
};

/** IPv6 spellings of an IPv4 address that count as that address. */
const carried = (v4: string): string[] => {
  const hex = hexOf(v4);
  return [
    `::ffff:${v4}`,
    `::FFFF:${v4}`,
    `::ffff:${hex}`,
    `0:0:0:0:0:ffff:${hex}`,
    `0000:0000:0000:0000:0000:ffff:${v4}`,
    `64:ff9b::${v4}`,
    `64:ff9b::${hex}`,
    `64:ff9b:0:0:0:0:${hex}`,
  ];
};

/** Tunnels to an IPv4 address, and forms no resolver should return: closed whatever they contain. */
const tunnelled = (v4: string): string[] => {
  const hex = hexOf(v4);
  return [
    ...[`2002:${hex}::`, `2002:${hex}::1`, `2001::${hex}`, `2001:0:${hex}::1`],
    ...[`::${v4}`, `::ffff:0:${v4}`, `64:ff9b:1::${v4}`, `::ffff:${v4}%eth0`],
  ];
};

const expectPublic = (addresses: readonly string[], isPublic: boolean) =>
  expect(addresses.filter((address) => isPublicAddress(address) !== isPublic)).toEqual([]);
/** A range with its ends, which are not public, and its neighbours, which are. */
const named = (ranges: readonly Range[]) =>
  ranges.map(
    ([range, first, last, ...beside]) => [range, [first, last], beside.filter((one) => one !== undefined)] as const,
  );

describe('an address', () => {
  it.each(named([...V4, ...V6]))('in %s is not public, from its first to its last', (_range, ends, neighbours) => {
    expectPublic(ends, false);
    expectPublic(neighbours, true);
  });

  it.each(named(V4))('of IPv6 that carries one in %s counts as that', (_range, ends, neighbours) => {
    expectPublic(ends.flatMap(carried), false);
    expectPublic(neighbours.flatMap(carried), true);
  });

  it.each(['10.0.0.1', '169.254.169.254', '8.8.8.8'])('of a tunnel to %s is not public', (v4) => {
    expectPublic(tunnelled(v4), false);
  });

  it.each(['', 'good.com', '127.1', '0x7f.0.0.1', '2130706433'])(
    'that is none, such as "%s", is not public',
    (text) => {
      expect(isPublicAddress(text)).toBe(false);
    },
  );
});
