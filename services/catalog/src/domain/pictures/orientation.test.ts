import { describe, expect, it } from '@jest/globals';
import { orientationBlock, orientationIn } from './orientation.js';

/** An orientation block with some of its bytes replaced. */
const withBytes = (orientation: number, at: number, ...bytes: number[]): Buffer => {
  const block = orientationBlock(orientation);
  block.set(bytes, at);
  return block;
};

describe('the orientation of a picture', () => {
  it.each([2, 3, 4, 5, 6, 7, 8])('%d is read from a block with nothing else', (orientation) => {
    expect(orientationIn(orientationBlock(orientation))).toBe(orientation);
  });

  it('is read in either byte order', () => {
    const block = Buffer.from([...Buffer.from('II*\0'), 8, 0, 0, 0, 1, 0, 0x12, 0x01, 3, 0, 1, 0, 0, 0, 6, 0, 0, 0]);
    expect(orientationIn(block)).toBe(6);
  });

  it.each([
    ['one that changes nothing', orientationBlock(1)],
    ['0', orientationBlock(0)],
    ['9', orientationBlock(9)],
    ['another tag', withBytes(6, 10, 0x01, 0x13)],
    ['a value of another type', withBytes(6, 12, 0, 4)],
    ['an offset past its end', withBytes(6, 4, 0xff, 0xff, 0xff, 0xff)],
    ['more entries than it holds', withBytes(6, 8, 0xff, 0xff, 0x01, 0x13)],
    ['an end before its value', orientationBlock(6).subarray(0, 18)],
    ['a wrong start', withBytes(6, 0, 0x4d, 0x49)],
    ['nothing', Buffer.alloc(0)],
  ])('is missing in a block with %s', (_name, block) => {
    expect(orientationIn(block)).toBeNull();
  });
});
