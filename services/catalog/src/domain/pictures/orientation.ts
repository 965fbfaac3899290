/**
 * The orientation of a picture, the one EXIF statement that affects drawing. It is written into a new block that holds
 * nothing else (docs/domain/network.md#pictures).
 */

const TAG = 0x0112;
const SHORT = 3;
const ENTRY_BYTES = 12;
const [TURNED_FROM, TURNED_TO] = [2, 8];

export const orientationIn = (tiff: Buffer): number | null => {
  const order = tiff.subarray(0, 4).toString('latin1');
  if (order !== 'II*\0' && order !== 'MM\0*') return null;
  const number = (at: number, bytes: 2 | 4): number => {
    if (at + bytes > tiff.length) return -1;
    return order === 'II*\0' ? tiff.readUIntLE(at, bytes) : tiff.readUIntBE(at, bytes);
  };
  const first = number(4, 4);
  const entries = first < 0 ? 0 : number(first, 2);
  for (let entry = 0; entry < entries; entry += 1) {
    const at = first + 2 + entry * ENTRY_BYTES;
    const tag = number(at, 2);
    if (tag < 0) return null;
    if (tag !== TAG || number(at + 2, 2) !== SHORT) continue;
    const orientation = number(at + 8, 2);
    return orientation >= TURNED_FROM && orientation <= TURNED_TO ? orientation : null;
  }
  return null;
};

export const orientationBlock = (orientation: number): Buffer =>
  Buffer.from([
    ...[0x4d, 0x4d, 0, 0x2a, 0, 0, 0, 8],
    ...[0, 1, 0x01, 0x12, 0, SHORT, 0, 0, 0, 1, 0, orientation, 0, 0],
    0,
    0,
    0,
    0,
  ]);

/** The marker before a TIFF block in JPEG, and sometimes in WebP. */
export const EXIF_MARKER = Buffer.from('Exif\0\0', 'latin1');

export const orientationOnly = (exif: Buffer): Buffer | null => {
  const marked = exif.subarray(0, EXIF_MARKER.length).equals(EXIF_MARKER);
  const orientation = orientationIn(marked ? exif.subarray(EXIF_MARKER.length) : exif);
  return orientation === null ? null : orientationBlock(orientation);
};
