/**
 * What is kept of a picture that a creator's profile shows: the picture itself, without a word about it. Comments,
 * EXIF (of a JPEG and a WebP all but the way up), XMP, colour profiles with their names, and whatever stands behind the
 * end are left out, since any of them may name its owner (domain 1-network 15; reliability 3.9). Pixels are not touched,
 * so nothing has to be decoded here.
 */
import { PICTURE_TYPES, type PictureEnding } from '@cds/contracts';
import { orientationBlock, orientationIn } from './orientation.js';

/** A picture as it is kept; `ending` tells its type. */
export type Picture = { ending: PictureEnding; bytes: Buffer };

/** The bytes are not the picture that they are said to be, or end too early. */
class NoPicture extends Error {}

/** The part of `bytes` from one place up to another. Raises NoPicture when it is not all there. */
const part = (bytes: Buffer, from: number, to: number): Buffer => {
  if (from < 0 || to < from || to > bytes.length) throw new NoPicture();
  return bytes.subarray(from, to);
};

const sized = (size: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(size);
  return bytes;
};

/** What stands in front of a TIFF block in JPEG, and now and then in WebP. */
const EXIF = Buffer.from('Exif\0\0', 'latin1');

/** The block of EXIF that is kept of one: the way up alone; null where it says nothing of it. */
const wayUpIn = (exif: Buffer): Buffer | null => {
  const tiff = exif.subarray(0, EXIF.length).equals(EXIF) ? exif.subarray(EXIF.length) : exif;
  const orientation = orientationIn(tiff);
  return orientation === null ? null : orientationBlock(orientation);
};

/** The most pixels of a side (A): a small file may announce more than a reader's memory holds. */
const SIDE_MAX = 4_096;

/** Raises NoPicture for a side that is too long; the smallest files of some kinds announce none. */
const mustFit = (...sides: readonly number[]): void => {
  if (sides.some((side) => side > SIDE_MAX)) throw new NoPicture();
};

const PNG_SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/** Chunks that draw: size, palette, pixels, transparency, brightness and animation. */
const PNG_KEPT: ReadonlySet<string> = new Set([
  ...['IHDR', 'PLTE', 'IDAT', 'IEND', 'tRNS', 'gAMA', 'cHRM', 'sRGB', 'sBIT'],
  ...['acTL', 'fcTL', 'fdAT'],
]);

const strippedPng = (bytes: Buffer): Buffer => {
  const kept = [part(bytes, 0, PNG_SIGNATURE.length)];
  const seen = new Set<string>();
  for (let at = PNG_SIGNATURE.length; !seen.has('IEND'); ) {
    const end = at + 12 + part(bytes, at, at + 4).readUInt32BE();
    const type = part(bytes, at + 4, at + 8).toString('latin1');
    if (seen.size === 0 && type !== 'IHDR') throw new NoPicture();
    const chunk = part(bytes, at, end);
    if (type === 'IHDR') mustFit(part(chunk, 8, 12).readUInt32BE(), part(chunk, 12, 16).readUInt32BE());
    if (PNG_KEPT.has(type)) kept.push(chunk);
    seen.add(type);
    at = end;
  }
  if (!seen.has('IDAT')) throw new NoPicture();
  return Buffer.concat(kept);
};

const JPEG = { start: 0xd8, end: 0xd9, scan: 0xda, exif: 0xe1, adobe: 0xee } as const;
/** Frame headers, which announce the size: C0 to CF without tables (C4), extensions (C8) and arithmetic coding (CC). */
const isFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
/** Segments of an application or a comment; of those only Adobe's, which says how colours are stored, draws. */
const isSpoken = (marker: number): boolean => (marker >= 0xe0 && marker <= 0xef) || marker === 0xfe;
const ADOBE_BYTES = 14;

const jpegExif = (tiff: Buffer): Buffer => {
  const data = Buffer.concat([EXIF, tiff]);
  return Buffer.concat([Buffer.from([0xff, JPEG.exif, 0, data.length + 2]), data]);
};

const strippedJpeg = (bytes: Buffer): Buffer => {
  const kept = [part(bytes, 0, 2)];
  let scans = 0;
  for (let at = 2; ; ) {
    const [lead, marker = 0] = part(bytes, at, at + 2);
    if (lead !== 0xff) throw new NoPicture();
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    if (marker === JPEG.end) break;
    const size = part(bytes, at + 2, at + 4).readUInt16BE();
    let end = at + 2 + size;
    const segment = part(bytes, at, end);
    if (isFrame(marker)) mustFit(part(segment, 5, 7).readUInt16BE(), part(segment, 7, 9).readUInt16BE());
    const draws = !isSpoken(marker) || (marker === JPEG.adobe && size === ADOBE_BYTES);
    const wayUp = marker === JPEG.exif ? wayUpIn(segment.subarray(4)) : null;
    if (draws) kept.push(segment);
    else if (wayUp !== null) kept.push(jpegExif(wayUp));
    if (marker === JPEG.scan) {
      const from = end;
      // Within a scan, a marker is data when 00 follows it, and a restart from D0 to D7.
      for (;;) {
        end = bytes.indexOf(0xff, end);
        if (end < 0 || end + 1 >= bytes.length) throw new NoPicture();
        const next = bytes[end + 1] ?? 0;
        if (next !== 0 && !(next >= 0xd0 && next <= 0xd7)) break;
        end += 2;
      }
      kept.push(part(bytes, from, end));
      scans += 1;
    }
    at = end;
  }
  if (scans === 0) throw new NoPicture();
  return Buffer.concat([...kept, Buffer.from([0xff, JPEG.end])]);
};

const WEBP_KEPT: ReadonlySet<string> = new Set(['VP8 ', 'VP8L', 'VP8X', 'ALPH', 'ANIM', 'ANMF']);
/** Flags of VP8X that announce a colour profile, EXIF and XMP. */
const WEBP_EXIF_FLAG = 0x08;
const WEBP_SPOKEN_FLAGS = 0x20 | WEBP_EXIF_FLAG | 0x04;

/** The sides that a chunk of a WebP announces; none for one that draws within them. */
const webpSides = (type: string, data: Buffer): readonly number[] => {
  switch (type) {
    case 'VP8X':
      return [1 + part(data, 4, 7).readUIntLE(0, 3), 1 + part(data, 7, 10).readUIntLE(0, 3)];
    case 'VP8L': {
      const bits = part(data, 1, 5).readUInt32LE();
      return [1 + (bits & 0x3fff), 1 + ((bits >>> 14) & 0x3fff)];
    }
    case 'VP8 ':
      return [part(data, 6, 8).readUInt16LE() & 0x3fff, part(data, 8, 10).readUInt16LE() & 0x3fff];
    default:
      return [];
  }
};

const strippedWebp = (bytes: Buffer): Buffer => {
  const whole = 8 + bytes.readUInt32LE(4);
  const kept: Buffer[] = [];
  let extended: Buffer | null = null;
  for (let at = 12; at < whole; ) {
    const type = part(bytes, at, at + 4).toString('latin1');
    const size = part(bytes, at + 4, at + 8).readUInt32LE();
    const end = at + 8 + size + (size % 2);
    const chunk = Buffer.from(part(bytes, at, end));
    mustFit(...webpSides(type, part(chunk, 8, 8 + size)));
    if (type === 'VP8X' && size > 0) {
      chunk[8] = (chunk[8] ?? 0) & ~WEBP_SPOKEN_FLAGS;
      extended = chunk;
    }
    const wayUp = type === 'EXIF' && extended !== null ? wayUpIn(part(chunk, 8, 8 + size)) : null;
    if (WEBP_KEPT.has(type)) kept.push(chunk);
    else if (wayUp !== null && extended !== null) {
      extended[8] = (extended[8] ?? 0) | WEBP_EXIF_FLAG;
      kept.push(Buffer.from(type, 'latin1'), sized(wayUp.length), wayUp);
    }
    at = end;
  }
  if (kept.length === 0) throw new NoPicture();
  const body = Buffer.concat([Buffer.from('WEBP', 'latin1'), ...kept]);
  return Buffer.concat([Buffer.from('RIFF', 'latin1'), sized(body.length), body]);
};

const GIF = { extension: 0x21, image: 0x2c, end: 0x3b, control: 0xf9, application: 0xff } as const;
/** The applications whose block says how often an animation repeats. */
const GIF_LOOPS: ReadonlySet<string> = new Set(['NETSCAPE2.0', 'ANIMEXTS1.0']);

/** The size of a colour table in bytes, by the flags that announce it. */
const gifTable = (flags: number): number => ((flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 0x07) + 1));

/** Where a chain of sub-blocks ends. */
const gifChainEnd = (bytes: Buffer, from: number): number => {
  let at = from;
  for (;;) {
    const [size = 0] = part(bytes, at, at + 1);
    at += 1 + size;
    if (size === 0) return at;
  }
};

const gifExtension = (bytes: Buffer, at: number): { end: number; draws: boolean } => {
  const [label, size = 0] = part(bytes, at + 1, at + 3);
  const end = gifChainEnd(bytes, at + 2);
  const name = part(bytes, at + 3, at + 3 + size).toString('latin1');
  return { end, draws: label === GIF.control || (label === GIF.application && GIF_LOOPS.has(name)) };
};

const strippedGif = (bytes: Buffer): Buffer => {
  mustFit(part(bytes, 6, 8).readUInt16LE(), part(bytes, 8, 10).readUInt16LE());
  const [screen = 0] = part(bytes, 10, 11);
  let at = 13 + gifTable(screen);
  const kept = [part(bytes, 0, at)];
  let images = 0;
  for (;;) {
    const [block] = part(bytes, at, at + 1);
    if (block === GIF.end) break;
    if (block === GIF.extension) {
      const { end, draws } = gifExtension(bytes, at);
      if (draws) kept.push(part(bytes, at, end));
      at = end;
    } else if (block === GIF.image) {
      const [flags = 0] = part(bytes, at + 9, at + 10);
      mustFit(part(bytes, at + 5, at + 7).readUInt16LE(), part(bytes, at + 7, at + 9).readUInt16LE());
      const end = gifChainEnd(bytes, at + 10 + gifTable(flags) + 1);
      kept.push(part(bytes, at, end));
      images += 1;
      at = end;
    } else throw new NoPicture();
  }
  if (images === 0) throw new NoPicture();
  return Buffer.concat([...kept, Buffer.from([GIF.end])]);
};

const startsWith = (bytes: Buffer, text: string, at = 0): boolean =>
  bytes.subarray(at, at + text.length).toString('latin1') === text;

/** What the first bytes say that a file is; null for everything that is no picture of ours. */
const endingOf = (bytes: Buffer): PictureEnding | null => {
  if (bytes.subarray(0, PNG_SIGNATURE.length).equals(PNG_SIGNATURE)) return 'png';
  if (bytes[0] === 0xff && bytes[1] === JPEG.start && bytes[2] === 0xff) return 'jpg';
  if (startsWith(bytes, 'RIFF') && startsWith(bytes, 'WEBP', 8)) return 'webp';
  return startsWith(bytes, 'GIF87a') || startsWith(bytes, 'GIF89a') ? 'gif' : null;
};

const STRIPPED: Readonly<Record<PictureEnding, (bytes: Buffer) => Buffer>> = {
  png: strippedPng,
  jpg: strippedJpeg,
  webp: strippedWebp,
  gif: strippedGif,
};

/**
 * The picture in an answer of another server, without what is told about it; null when its first bytes are of another
 * type than it was sent as, it is not whole, or a side of it is longer than 4,096 pixels.
 */
export const pictureIn = (contentType: string, bytes: Buffer): Picture | null => {
  const ending = endingOf(bytes);
  if (ending === null || PICTURE_TYPES[ending] !== contentType) return null;
  try {
    return { ending, bytes: STRIPPED[ending](bytes) };
  } catch (error) {
    if (error instanceof NoPicture) return null;
    throw error;
  }
};
