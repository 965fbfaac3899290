import { describe, expect, it } from '@jest/globals';
import { ipAddressOf } from './ip-address.js';

describe('reading an IP address', () => {
  it.each([
    ['192.0.2.7', { v4: '192.0.2.7' }],
    ['::ffff:192.0.2.7', { v4: '192.0.2.7' }],
    ['::FFFF:c000:207', { v4: '192.0.2.7' }],
    ['0:0:0:0:0:ffff:192.0.2.7', { v4: '192.0.2.7' }],
    ['64:ff9b::192.0.2.7', { v4: '192.0.2.7' }],
    ['64:ff9b:1::192.0.2.7', { groups: [0x64, 0xff9b, 1, 0, 0, 0, 0xc000, 0x207] }],
    ['::192.0.2.7', { groups: [0, 0, 0, 0, 0, 0, 0xc000, 0x207] }],
    ['::', { groups: [0, 0, 0, 0, 0, 0, 0, 0] }],
    ['::1', { groups: [0, 0, 0, 0, 0, 0, 0, 1] }],
    ['1::', { groups: [1, 0, 0, 0, 0, 0, 0, 0] }],
    ['1:2:3:4:5:6:7::', { groups: [1, 2, 3, 4, 5, 6, 7, 0] }],
    ['2001:DB8::1', { groups: [0x2001, 0xdb8, 0, 0, 0, 0, 0, 1] }],
    ['fe80::1%eth0', { groups: [0xfe80, 0, 0, 0, 0, 0, 0, 1] }],
    ['', null],
    ['unknown', null],
    ['192.0.2.7:443', null],
    ['[2001:db8::1]', null],
    ['192.0.2', null],
    ['192.0.2.07', null],
  ])('%j is %j', (text, address) => {
    expect(ipAddressOf(text)).toEqual(address);
  });
});
