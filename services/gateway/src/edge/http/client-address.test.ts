import { describe, expect, test } from '@jest/globals';
import type { FastifyRequest } from 'fastify';
import { clientAddressOf, rateLimitAddressOf } from './client-address.js';

const request = (ip: string | undefined, peer: string | undefined): Pick<FastifyRequest, 'ip' | 'raw'> =>
  ({ ip, raw: { socket: { remoteAddress: peer } } }) as Pick<FastifyRequest, 'ip' | 'raw'>;

describe('the address of a client (invariants.yaml)', () => {
  test.each([
    ['an address is taken unchanged', '203.0.113.9', '203.0.113.9'],
    ['so is one of IPv6', '2001:db8::9', '2001:db8::9'],
    ['a port behind IPv4 is left out', '203.0.113.9:4711', '203.0.113.9'],
    ['a port behind IPv6 is left out', '[2001:db8::9]:4711', '2001:db8::9'],
    ['so are brackets alone', '[2001:db8::9]', '2001:db8::9'],
    ['a word is the proxy', 'unknown', '10.0.0.1'],
    ['a hidden name is the proxy', '_gazonk', '10.0.0.1'],
    ['half an address is the proxy', '203.0.113', '10.0.0.1'],
    ['an invalid port is the proxy', '203.0.113.9:x', '10.0.0.1'],
    ['a long text is the proxy', '1'.repeat(10_000), '10.0.0.1'],
  ])('%s', (_name, reported, address) => {
    expect(clientAddressOf(request(reported, '10.0.0.1'))).toBe(address);
  });

  test('a connection that has just closed has none', () => {
    expect(clientAddressOf(request(undefined, undefined))).toBe('');
  });
});

describe('what one client counts as (invariants.yaml, docs/reliability.md#threats)', () => {
  test.each([
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['::FFFF:c000:207', '192.0.2.7'],
    ['0:0:0:0:0:ffff:192.0.2.7', '192.0.2.7'],
    ['64:ff9b::192.0.2.7', '192.0.2.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
    ['2001:db8:1:2:ffff:ffff:ffff:ffff', '2001:db8:1:2'],
    ['2001:db8:1:2::9', '2001:db8:1:2'],
    ['2001:DB8:0001:2::', '2001:db8:1:2'],
    ['2001:db8:1:3::', '2001:db8:1:3'],
    ['2001:0db8::1', '2001:db8:0:0'],
    ['::1', '0:0:0:0'],
    ['fe80::1%eth0', 'fe80:0:0:0'],
    ['', ''],
  ])('%s counts as %s', (address, network) => {
    expect(rateLimitAddressOf(address)).toBe(network);
  });
});
