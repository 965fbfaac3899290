import { mustFit, NoPicture, part } from './bytes.js';
import { EXIF_MARKER, orientationOnly } from './orientation.js';

export const JPEG_START = 0xd8;
const JPEG = { end: 0xd9, scan: 0xda, exif: 0xe1, adobe: 0xee } as const;
/** Frame headers, which state the size: C0 to CF without tables (C4), extensions (C8) and arithmetic coding (CC). */
const isFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
/** Application and comment segments. Only Adobe's matters for drawing: it says how colours are stored. */
const isMetadata = (marker: number): boolean => (marker >= 0xe0 && marker <= 0xef) || marker === 0xfe;
const ADOBE_BYTES = 14;

const jpegExif = (tiff: Buffer): Buffer => {
  const data = Buffer.concat([EXIF_MARKER, tiff]);
  return Buffer.concat([Buffer.from([0xff, JPEG.exif, 0, data.length + 2]), data]);
};

const scanEnd = (bytes: Buffer, from: number): number => {
  for (let end = from; ; end += 2) {
    end = bytes.indexOf(0xff, end);
    if (end < 0 || end + 1 >= bytes.length) throw new NoPicture();
    const next = bytes[end + 1] ?? 0;
    if (next !== 0 && !(next >= 0xd0 && next <= 0xd7)) return end;
  }
};

export const strippedJpeg = (bytes: Buffer): Buffer => {
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
    const draws = !isMetadata(marker) || (marker === JPEG.adobe && size === ADOBE_BYTES);
    const orientation = marker === JPEG.exif ? orientationOnly(segment.subarray(4)) : null;
    if (draws) kept.push(segment);
    else if (orientation !== null) kept.push(jpegExif(orientation));
    if (marker === JPEG.scan) {
      const from = end;
      end = scanEnd(bytes, from);
      kept.push(part(bytes, from, end));
      scans += 1;
    }
    at = end;
  }
  if (scans === 0) throw new NoPicture();
  return Buffer.concat([...kept, Buffer.from([0xff, JPEG.end])]);
};
