import { describe, expect, it } from '@jest/globals';
import { isPublicAddress } from './public-address.js';

/**
 * Every range of the IANA special-purpose registries for IPv4 and IPv6 (RFC 6890 and its updates), multicast and the
 * reserved classes: the first and last address, and the public neighbours outside. A neighbour in another closed range
 * is left out.
 */
type Range = { range: string; first: string; last: string; below?: string; above?: string };

const V4: readonly Range[] = [
  { range: '0.0.0.0/8', first: '0.0.0.0', last: '0.255.255.255', above: '1.0.0.0' },
  { range: '10.0.0.0/8', first: '10.0.0.0', last: '10.255.255.255', below: '9.255.255.255', above: '11.0.0.0' },
  {
    range: '100.64.0.0/10',
    first: '100.64.0.0',
    last: '100.127.255.255',
    below: '100.63.255.255',
    above: '100.128.0.0',
  },
  { range: '127.0.0.0/8', first: '127.0.0.0', last: '127.255.255.255', below: '126.255.255.255', above: '128.0.0.0' },
  {
    range: '169.254.0.0/16',
    first: '169.254.0.0',
    last: '169.254.255.255',
    below: '169.253.255.255',
    above: '169.255.0.0',
  },
  { range: '172.16.0.0/12', first: '172.16.0.0', last: '172.31.255.255', below: '172.15.255.255', above: '172.32.0.0' },
  { range: '192.0.0.0/24', first: '192.0.0.0', last: '192.0.0.255', below: '191.255.255.255', above: '192.0.1.0' },
  { range: '192.0.2.0/24', first: '192.0.2.0', last: '192.0.2.255', below: '192.0.1.255', above: '192.0.3.0' },
  {
    range: '192.31.196.0/24',
    first: '192.31.196.0',
    last: '192.31.196.255',
    below: '192.31.195.255',
    above: '192.31.197.0',
  },
  {
    range: '192.52.193.0/24',
    first: '192.52.193.0',
    last: '192.52.193.255',
    below: '192.52.192.255',
    above: '192.52.194.0',
  },
  {
    range: '192.88.99.0/24',
    first: '192.88.99.0',
    last: '192.88.99.255',
    below: '192.88.98.255',
    above: '192.88.100.0',
  },
  {
    range: '192.168.0.0/16',
    first: '192.168.0.0',
    last: '192.168.255.255',
    below: '192.167.255.255',
    above: '192.169.0.0',
  },
  {
    range: '192.175.48.0/24',
    first: '192.175.48.0',
    last: '192.175.48.255',
    below: '192.175.47.255',
    above: '192.175.49.0',
  },
  { range: '198.18.0.0/15', first: '198.18.0.0', last: '198.19.255.255', below: '198.17.255.255', above: '198.20.0.0' },
  {
    range: '198.51.100.0/24',
    first: '198.51.100.0',
    last: '198.51.100.255',
    below: '198.51.99.255',
    above: '198.51.101.0',
  },
  {
    range: '203.0.113.0/24',
    first: '203.0.113.0',
    last: '203.0.113.255',
    below: '203.0.112.255',
    above: '203.0.114.0',
  },
  { range: '224.0.0.0/4', first: '224.0.0.0', last: '239.255.255.255', below: '223.255.255.255' },
  { range: '240.0.0.0/4', first: '240.0.0.0', last: '255.255.255.254' },
  { range: '255.255.255.255/32', first: '255.255.255.255', last: '255.255.255.255' },
];

const V6: readonly Range[] = [
  { range: '::/128', first: '::', last: '::' },
  { range: '::1/128', first: '::1', last: '::1' },
  { range: '64:ff9b:1::/48', first: '64:ff9b:1::', last: '64:ff9b:1:ffff:ffff:ffff:ffff:ffff' },
  { range: '100::/64', first: '100::', last: '100::ffff:ffff:ffff:ffff' },
  { range: '100:0:0:1::/64', first: '100:0:0:1::', last: '100:0:0:1:ffff:ffff:ffff:ffff' },
  { range: '2001::/23', first: '2001::', last: '2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff', above: '2001:200::' },
  { range: '2001::/32 (Teredo)', first: '2001::', last: '2001:0:ffff:ffff:ffff:ffff:ffff:ffff' },
  { range: '2001:1::1/128 (PCP)', first: '2001:1::1', last: '2001:1::1' },
  { range: '2001:1::2/128 (TURN)', first: '2001:1::2', last: '2001:1::2' },
  { range: '2001:1::3/128 (DNS-SD)', first: '2001:1::3', last: '2001:1::3' },
  { range: '2001:2::/48 (benchmarking)', first: '2001:2::', last: '2001:2:0:ffff:ffff:ffff:ffff:ffff' },
  { range: '2001:3::/32 (AMT)', first: '2001:3::', last: '2001:3:ffff:ffff:ffff:ffff:ffff:ffff' },
  { range: '2001:4:112::/48 (AS112)', first: '2001:4:112::', last: '2001:4:112:ffff:ffff:ffff:ffff:ffff' },
  { range: '2001:10::/28 (ORCHID)', first: '2001:10::', last: '2001:1f:ffff:ffff:ffff:ffff:ffff:ffff' },
  { range: '2001:20::/28 (ORCHIDv2)', first: '2001:20::', last: '2001:2f:ffff:ffff:ffff:ffff:ffff:ffff' },
  { range: '2001:30::/28 (drone ids)', first: '2001:30::', last: '2001:3f:ffff:ffff:ffff:ffff:ffff:ffff' },
  {
    range: '2001:db8::/32',
    first: '2001:db8::',
    last: '2001:db8:ffff:ffff:ffff:ffff:ffff:ffff',
    below: '2001:db7:ffff:ffff:ffff:ffff:ffff:ffff',
    above: '2001:db9::',
  },
  {
    range: '2002::/16 (6to4)',
    first: '2002::',
    last: '2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff',
    below: '2001:ffff:ffff:ffff:ffff:ffff:ffff:ffff',
    above: '2003::',
  },
  {
    range: '2620:4f:8000::/48',
    first: '2620:4f:8000::',
    last: '2620:4f:8000:ffff:ffff:ffff:ffff:ffff',
    below: '2620:4f:7fff:ffff:ffff:ffff:ffff:ffff',
    above: '2620:4f:8001::',
  },
  {
    range: '3fff::/20',
    first: '3fff::',
    last: '3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff',
    below: '3ffe:ffff:ffff:ffff:ffff:ffff:ffff:ffff',
    above: '3fff:1000::',
  },
  { range: '5f00::/16', first: '5f00::', last: '5f00:ffff:ffff:ffff:ffff:ffff:ffff:ffff' },
  { range: 'fc00::/7', first: 'fc00::', last: 'fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff' },
  { range: 'fe80::/10', first: 'fe80::', last: 'febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff' },
  { range: 'fec0::/10', first: 'fec0::', last: 'feff:ffff:ffff:ffff:ffff:ffff:ffff:ffff' },
  { range: 'ff00::/8', first: 'ff00::', last: 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff' },
  {
    range: 'all below 2000::/3',
    first: '::2',
    last: '1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff',
    above: '2000::',
  },
  {
    range: 'all above 2000::/3',
    first: '4000::',
    last: 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff',
    below: '3fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff',
  },
];

/** IPv6 spellings of an IPv4 address that count as that address. */
const carried = (v4: string): string[] => {
  const [a = 0, b = 0, c = 0, d = 0] = v4.split('.').map(Number);
  const hex = `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`;
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
  const [a = 0, b = 0, c = 0, d = 0] = v4.split('.').map(Number);
  const hex = `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`;
  return [
    `2002:${hex}::`,
    `2002:${hex}::1`,
    `2001::${hex}`,
    `2001:0:${hex}::1`,
    `::${v4}`,
    `::ffff:0:${v4}`,
    `64:ff9b:1::${v4}`,
    `::ffff:${v4}%eth0`,
  ];
};

describe.each([
  ['IPv4', V4],
  ['IPv6', V6],
] as const)('the special ranges of %s', (_family, ranges) => {
  it.each(ranges.map((one) => [one.range, one] as const))(
    '%s is closed from its first address to its last',
    (_name, one) => {
      for (const address of [one.first, one.last])
        expect([address, isPublicAddress(address)]).toEqual([address, false]);
      for (const address of [one.below, one.above])
        if (address !== undefined) expect([address, isPublicAddress(address)]).toEqual([address, true]);
    },
  );
});

describe('an IPv4 address that IPv6 carries', () => {
  it.each(V4.map((one) => [one.range, one] as const))('of %s counts as the address itself', (_name, one) => {
    for (const address of [one.first, one.last].flatMap(carried))
      expect([address, isPublicAddress(address)]).toEqual([address, false]);
    for (const address of [one.below, one.above].flatMap((found) => (found === undefined ? [] : carried(found))))
      expect([address, isPublicAddress(address)]).toEqual([address, true]);
  });

  it.each(['10.0.0.1', '169.254.169.254', '8.8.8.8'])('%s is closed inside a tunnel', (v4) => {
    for (const address of tunnelled(v4)) expect([address, isPublicAddress(address)]).toEqual([address, false]);
  });
});
