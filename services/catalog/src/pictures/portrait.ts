/** A made-up profile picture: 8 by 8 squares in one colour, the left half mirrored to the right. */
import { crc32, deflateSync } from 'node:zlib';
import { PNG_SIGNATURE } from '../domain/pictures/png.js';
import { Stream } from '../generator/stream.js';

const SQUARES = 8;
const SQUARE_PX = 8;
const SIDE_PX = SQUARES * SQUARE_PX;
const BACKGROUND = [240, 240, 244] as const;

export const portraitOf = (seed: number, index: number): Buffer => {
  const stream = new Stream(seed, index, ':portrait');
  const colour = [stream.below(160), stream.below(160), stream.below(160)] as const;
  const half = Array.from({ length: (SQUARES * SQUARES) / 2 }, () => stream.bernoulli(0.5));
  const isDrawn = (row: number, column: number): boolean =>
    half[row * (SQUARES / 2) + Math.min(column, SQUARES - 1 - column)] === true;
  const rows = Array.from({ length: SIDE_PX }, (_none, y) => [
    0,
    ...Array.from({ length: SIDE_PX }, (_one, x) =>
      isDrawn(Math.floor(y / SQUARE_PX), Math.floor(x / SQUARE_PX)) ? colour : BACKGROUND,
    ).flat(),
  ]);
  return Buffer.concat([
    PNG_SIGNATURE,
    chunk('IHDR', Buffer.from([0, 0, 0, SIDE_PX, 0, 0, 0, SIDE_PX, 8, 2, 0, 0, 0])),
    chunk('IDAT', deflateSync(Buffer.from(rows.flat()))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
};

const chunk = (type: string, data: Buffer): Buffer => {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  checksum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, checksum]);
};
