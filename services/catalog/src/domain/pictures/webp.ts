import { mustFit, NoPicture, part } from './bytes.js';
import { orientationOnly } from './orientation.js';

const sized = (size: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(size);
  return bytes;
};

const WEBP_KEPT: ReadonlySet<string> = new Set(['VP8 ', 'VP8L', 'VP8X', 'ALPH', 'ANIM', 'ANMF']);
/** Flags of VP8X that announce a colour profile, EXIF and XMP. */
const WEBP_EXIF_FLAG = 0x08;
const WEBP_METADATA_FLAGS = 0x20 | WEBP_EXIF_FLAG | 0x04;

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

export const strippedWebp = (bytes: Buffer): Buffer => {
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
      chunk[8] = (chunk[8] ?? 0) & ~WEBP_METADATA_FLAGS;
      extended = chunk;
    }
    const orientation = type === 'EXIF' && extended !== null ? orientationOnly(part(chunk, 8, 8 + size)) : null;
    if (WEBP_KEPT.has(type)) kept.push(chunk);
    else if (orientation !== null && extended !== null) {
      extended[8] = (extended[8] ?? 0) | WEBP_EXIF_FLAG;
      kept.push(Buffer.from(type, 'latin1'), sized(orientation.length), orientation);
    }
    at = end;
  }
  if (kept.length === 0) throw new NoPicture();
  const body = Buffer.concat([Buffer.from('WEBP', 'latin1'), ...kept]);
  return Buffer.concat([Buffer.from('RIFF', 'latin1'), sized(body.length), body]);
};
