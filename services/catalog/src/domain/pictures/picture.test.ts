import { describe, expect, it } from '@jest/globals';
import { aGif, aJpeg, aPng, aWebp, riffChunk, segment } from '../../test/pictures.js';
import { orientationBlock } from './orientation.js';
import { pictureIn } from './picture.js';

const SAID = 'quill_one';
const KINDS = [
  ['png', 'image/png', aPng],
  ['jpg', 'image/jpeg', aJpeg],
  ['webp', 'image/webp', aWebp],
  ['gif', 'image/gif', aGif],
] as const;

const u32 = (number: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(number >>> 0);
  return bytes;
};

const EXIF = Buffer.from('Exif\0\0', 'latin1');

/** A TIFF block with an artist and then an orientation, in either byte order. */
const tiff = (orientation: number, order: 'II' | 'MM' = 'II'): Buffer => {
  const number = (value: number, bytes: number): Buffer => {
    const written = Buffer.alloc(bytes);
    if (order === 'II') written.writeUIntLE(value, 0, bytes);
    else written.writeUIntBE(value, 0, bytes);
    return written;
  };
  const entry = (tag: number, type: number, count: number, value: Buffer): Buffer[] => [
    ...[number(tag, 2), number(type, 2), number(count, 4)],
    ...[value, Buffer.alloc(4 - value.length)],
  ];
  return Buffer.concat([
    ...[Buffer.from(order), number(42, 2), number(8, 4), number(2, 2)],
    ...entry(0x013b, 2, SAID.length, number(38, 4)),
    ...entry(0x0112, 3, 1, number(orientation, 2)),
    ...[number(0, 4), Buffer.from(SAID)],
  ]);
};

const insertedAt = (bytes: Buffer, at: number, part: Buffer): Buffer =>
  Buffer.concat([bytes.subarray(0, at), part, bytes.subarray(at)]);

const webpWith = (exif: Buffer): Buffer => {
  const whole = Buffer.concat([aWebp(), riffChunk('EXIF', exif)]);
  whole.writeUInt32LE(whole.length - 8, 4);
  return whole;
};

describe('a picture', () => {
  it.each(KINDS)('of type %s is stored without metadata', (ending, type, make) => {
    const said = make(SAID);
    expect(said.toString('latin1').split(SAID).length).toBeGreaterThan(3);
    const kept = pictureIn(type, said);
    expect(kept?.ending).toBe(ending);
    expect(kept?.bytes.toString('latin1')).not.toContain(SAID);
    expect(kept?.bytes).toEqual(pictureIn(type, make())?.bytes);
  });

  it.each(KINDS)('of type %s keeps every part that is drawn', (_ending, type, make) => {
    const plain = make();
    const kept = pictureIn(type, plain)?.bytes ?? Buffer.alloc(0);
    // A JPEG loses its JFIF header and one fill byte, which are not drawn; the others have no such part.
    expect(plain.length - kept.length).toBe(type === 'image/jpeg' ? 19 : 0);
    expect(pictureIn(type, kept)?.bytes).toEqual(kept);
  });

  it.each([
    ['jpg', 'image/jpeg', (exif: Buffer) => insertedAt(aJpeg(), 2, segment(0xe1, Buffer.concat([EXIF, exif])))],
    ['webp', 'image/webp', (exif: Buffer) => webpWith(exif)],
    ['webp with a JPEG marker', 'image/webp', (exif: Buffer) => webpWith(Buffer.concat([EXIF, exif]))],
  ] as const)('of type %s keeps of its EXIF the way up alone', (_name, type, make) => {
    const turned = pictureIn(type, make(tiff(6)))?.bytes ?? Buffer.alloc(0);
    expect(turned.includes(orientationBlock(6))).toBe(true);
    expect(turned.toString('latin1')).not.toContain(SAID);
    expect(pictureIn(type, turned)?.bytes).toEqual(turned);
    expect(pictureIn(type, make(tiff(6, 'MM')))?.bytes).toEqual(turned);
    const plain = pictureIn(type, make(Buffer.alloc(0)))?.bytes;
    for (const upright of [tiff(1), tiff(9), tiff(6).subarray(0, 20), Buffer.from(SAID)])
      expect(pictureIn(type, make(upright))?.bytes).toEqual(plain);
  });

  it.each(KINDS)('of type %s is refused when sent as another type', (_ending, type, make) => {
    for (const [, other] of KINDS) if (other !== type) expect(pictureIn(other, make())).toBeNull();
    expect(pictureIn('image/svg+xml', make())).toBeNull();
  });

  it.each(KINDS)('of type %s is refused when truncated anywhere', (_ending, type, make) => {
    const whole = make(SAID);
    const end = whole.length - SAID.length;
    for (let at = 0; at < end; at += 1)
      expect({ at, kept: pictureIn(type, whole.subarray(0, at)) }).toEqual({ at, kept: null });
    expect(pictureIn(type, whole.subarray(0, end))).not.toBeNull();
  });

  it.each([
    ['png', 'image/png', aPng, 16, 4, 'BE', 0],
    ['png', 'image/png', aPng, 20, 4, 'BE', 0],
    ['jpg', 'image/jpeg', aJpeg, aJpeg().indexOf(Buffer.from([0xff, 0xc2])) + 5, 2, 'BE', 0],
    ['jpg', 'image/jpeg', aJpeg, aJpeg().indexOf(Buffer.from([0xff, 0xc2])) + 7, 2, 'BE', 0],
    ['webp in the extended format', 'image/webp', aWebp, 24, 3, 'LE', 1],
    ['webp in the extended format', 'image/webp', aWebp, 27, 3, 'LE', 1],
    ['gif', 'image/gif', aGif, 6, 2, 'LE', 0],
    ['gif', 'image/gif', aGif, 8, 2, 'LE', 0],
    ['gif with a frame', 'image/gif', aGif, aGif().indexOf(0x2c) + 5, 2, 'LE', 0],
    ['gif with a frame', 'image/gif', aGif, aGif().indexOf(0x2c) + 7, 2, 'LE', 0],
  ] as const)('of type %s has sides of at most 4,096 pixels', (_name, type, make, at, size, order, less) => {
    const sized = (pixels: number): Buffer => {
      const bytes = make();
      if (order === 'BE') bytes.writeUIntBE(pixels - less, at, size);
      else bytes.writeUIntLE(pixels - less, at, size);
      return bytes;
    };
    expect(pictureIn(type, sized(4_096))).not.toBeNull();
    expect(pictureIn(type, sized(4_097))).toBeNull();
  });

  it.each([
    [
      'without loss',
      'VP8L',
      (width: number, height: number) => Buffer.concat([Buffer.from([0x2f]), u32((width - 1) | ((height - 1) << 14))]),
    ],
    [
      'with loss',
      'VP8 ',
      (width: number, height: number) =>
        Buffer.from([0, 0, 0, 0x9d, 1, 0x2a, width & 0xff, width >> 8, height & 0xff, height >> 8]),
    ],
  ])('of type webp %s has sides of at most 4,096 pixels', (_name, type, make) => {
    const webp = (data: Buffer): Buffer => {
      const even = Buffer.concat([data, Buffer.alloc(data.length % 2)]);
      const body = Buffer.concat([Buffer.from(`WEBP${type}`, 'latin1'), u32(data.length), even]);
      return Buffer.concat([Buffer.from('RIFF', 'latin1'), u32(body.length), body]);
    };
    expect(pictureIn('image/webp', webp(make(4_096, 4_096)))).not.toBeNull();
    expect(pictureIn('image/webp', webp(make(4_097, 1)))).toBeNull();
    expect(pictureIn('image/webp', webp(make(1, 4_097)))).toBeNull();
  });

  it.each([
    ['a page', 'image/png', '<!doctype html><script>alert(1)</script>'],
    ['a drawing with a script', 'image/svg+xml', '<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>'],
    ['nothing', 'image/jpeg', ''],
  ])('is not recognised in %s', (_name, type, text) => {
    expect(pictureIn(type, Buffer.from(text))).toBeNull();
  });

  it.each(KINDS)('of type %s with any byte changed is accepted or refused without raising', (_ending, type, make) => {
    const whole = make(SAID);
    for (let at = 0; at < whole.length; at += 1)
      for (const value of [0, 0x7f, 0xff]) {
        const broken = Buffer.from(whole);
        broken[at] = value;
        expect(() => pictureIn(type, broken)).not.toThrow();
      }
  });
});
