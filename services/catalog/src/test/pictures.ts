import { crc32, deflateSync } from 'node:zlib';

const sized = (size: number, little = false): Buffer => {
  const bytes = Buffer.alloc(4);
  if (little) bytes.writeUInt32LE(size);
  else bytes.writeUInt32BE(size);
  return bytes;
};

const pngChunk = (type: string, data: Buffer): Buffer => {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  return Buffer.concat([sized(data.length), body, sized(crc32(body))]);
};

/** A PNG of one grey pixel; `said` is in its text, its EXIF and after its end. */
export const aPng = (said = '', grey = 7): Buffer =>
  Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    pngChunk('IHDR', Buffer.from([0, 0, 0, 1, 0, 0, 0, 1, 8, 0, 0, 0, 0])),
    ...(said === ''
      ? []
      : [
          pngChunk('tEXt', Buffer.from(`Author\0${said}`)),
          pngChunk('iTXt', Buffer.from(`XML:com.adobe.xmp\0\0\0\0\0${said}`)),
          pngChunk('eXIf', Buffer.from(said)),
        ]),
    pngChunk('IDAT', deflateSync(Buffer.from([0, grey]))),
    pngChunk('IEND', Buffer.alloc(0)),
    Buffer.from(said),
  ]);

/** A segment of a JPEG. */
export const segment = (marker: number, data: Buffer): Buffer => {
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(data.length + 2, 2);
  return Buffer.concat([head, data]);
};

/** A JPEG in segments, with two scans; `said` is in EXIF, XMP, a comment and after its end. */
export const aJpeg = (said = ''): Buffer =>
  Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    segment(0xe0, Buffer.from('JFIF\0\x01\x01\0\0\x01\0\x01\0\0', 'latin1')),
    ...(said === ''
      ? []
      : [
          segment(0xe1, Buffer.from(`Exif\0\0${said}`)),
          segment(0xe1, Buffer.from(`http://ns.adobe.com/xap/1.0/\0${said}`)),
          segment(0xee, Buffer.from(`Adobe and ${said}`)),
          segment(0xfe, Buffer.from(said)),
        ]),
    segment(0xee, Buffer.from('Adobe\0\x64\0\0\0\0\x01', 'latin1')),
    segment(0xdb, Buffer.alloc(65, 1)),
    segment(0xc2, Buffer.from([8, 0, 1, 0, 1, 1, 1, 0x11, 0])),
    segment(0xc4, Buffer.alloc(20)),
    segment(0xda, Buffer.from([1, 1, 0, 0, 63, 0])),
    Buffer.from([0x12, 0xff, 0x00, 0x34, 0xff, 0xd0, 0x56]),
    Buffer.from([0xff]),
    segment(0xda, Buffer.from([1, 1, 0, 1, 63, 0])),
    Buffer.from([0x78]),
    Buffer.from([0xff, 0xd9]),
    Buffer.from(said),
  ]);

/** A chunk of a WebP. */
export const riffChunk = (type: string, data: Buffer): Buffer =>
  Buffer.concat([Buffer.from(type, 'latin1'), sized(data.length, true), data, Buffer.alloc(data.length % 2)]);

const VP8L = Buffer.from('LwAAABAHEBERiIj+BwA=', 'base64');

/** A WebP of one pixel in the extended format; `said` is in EXIF, XMP, its colour profile and after its end. */
export const aWebp = (said = ''): Buffer => {
  const flags = said === '' ? 0x10 : 0x10 | 0x20 | 0x08 | 0x04;
  const spoken = (type: string): Buffer[] => (said === '' ? [] : [riffChunk(type, Buffer.from(said))]);
  const body = Buffer.concat([
    Buffer.from('WEBP', 'latin1'),
    riffChunk('VP8X', Buffer.from([flags, 0, 0, 0, 0, 0, 0, 0, 0, 0])),
    ...spoken('ICCP'),
    riffChunk('VP8L', VP8L),
    ...spoken('EXIF'),
    ...spoken('XMP '),
  ]);
  return Buffer.concat([Buffer.from('RIFF', 'latin1'), sized(body.length, true), body, Buffer.from(said)]);
};

/** A GIF of one looping pixel; `said` is in a comment, a text, another application's block and after its end. */
export const aGif = (said = ''): Buffer => {
  const block = Buffer.concat([Buffer.from([said.length]), Buffer.from(said), Buffer.from([0])]);
  return Buffer.concat([
    Buffer.from('GIF89a', 'latin1'),
    Buffer.from([1, 0, 1, 0, 0x80, 0, 0, 0, 0, 0, 255, 255, 255]),
    Buffer.from([0x21, 0xff, 11]),
    Buffer.from('NETSCAPE2.0\x03\x01\0\0\0', 'latin1'),
    ...(said === ''
      ? []
      : [
          Buffer.concat([Buffer.from([0x21, 0xfe]), block]),
          Buffer.concat([Buffer.from([0x21, 0xff, 11]), Buffer.from('XMP DataXMP', 'latin1'), block]),
          Buffer.concat([Buffer.from([0x21, 0x01, 12]), Buffer.alloc(12), block]),
        ]),
    Buffer.from([0x21, 0xf9, 4, 1, 0, 0, 0, 0]),
    Buffer.from([0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0, 0x3b]),
    Buffer.from(said),
  ]);
};
