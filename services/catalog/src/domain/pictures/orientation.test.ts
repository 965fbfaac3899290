import { describe, expect, it } from '@jest/globals';
import { orientationBlock, orientationIn } from './orientation.js';

/** The block of an orientation with some of its bytes replaced. */
const withBytes = (orientation: number, at: number, ...bytes: number[]): Buffer => {
  const block = orientationBlock(orientation);
  block.set(bytes, at);
  return block;
};

describe('which way up a picture is', () => {
  it.each([2, 3, 4, 5, 6, 7, 8])('is read from a block that states nothing but %d', (orientation) => {
    expect(orientationIn(orientationBlock(orientation))).toBe(orientation);
  });

  it('is read in the other order of bytes too', () => {
    const block = Buffer.from([...Buffer.from('II*\0'), 8, 0, 0, 0, 1, 0, 0x12, 0x01, 3, 0, 1, 0, 0, 0, 6, 0, 0, 0]);
    expect(orientationIn(block)).toBe(6);
  });

  it.each([
    ['one that changes nothing', orientationBlock(1)],
    ['0', orientationBlock(0)],
    ['9', orientationBlock(9)],
    ['a tag of something else', withBytes(6, 10, 0x01, 0x13)],
    ['a value of another type', withBytes(6, 12, 0, 4)],
    ['an address behind its end', withBytes(6, 4, 0xff, 0xff, 0xff, 0xff)],
    ['more entries than it holds', withBytes(6, 8, 0xff, 0xff, 0x01, 0x13)],
    ['an end before its value', orientationBlock(6).subarray(0, 18)],
    ['another beginning', withBytes(6, 0, 0x4d, 0x49)],
    ['nothing', Buffer.alloc(0)],
  ])('is not stated by a block with %s', (_name, block) => {
    expect(orientationIn(block)).toBeNull();
  });
});
