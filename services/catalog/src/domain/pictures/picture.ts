/**
 * A profile picture as we store it: pixels only. Comments, EXIF (except the orientation of a JPEG or WebP), XMP, named
 * colour profiles and trailing bytes are removed, since any of them may name its owner
 * (docs/domain/network.md#pictures, docs/reliability.md#handles). Nothing is decoded.
 */
import { PICTURE_TYPES, type PictureEnding } from '@cds/contracts';
import { NoPicture } from './bytes.js';
import { strippedGif } from './gif.js';
import { JPEG_START, strippedJpeg } from './jpeg.js';
import { PNG_SIGNATURE, strippedPng } from './png.js';
import { strippedWebp } from './webp.js';

/** A stored picture; `ending` is the file extension of its type. */
export type Picture = { ending: PictureEnding; bytes: Buffer };

const startsWith = (bytes: Buffer, text: string, at = 0): boolean =>
  bytes.subarray(at, at + text.length).toString('latin1') === text;

/** The type that the first bytes show; null for every other kind of file. */
const endingOf = (bytes: Buffer): PictureEnding | null => {
  if (bytes.subarray(0, PNG_SIGNATURE.length).equals(PNG_SIGNATURE)) return 'png';
  if (bytes[0] === 0xff && bytes[1] === JPEG_START && bytes[2] === 0xff) return 'jpg';
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
 * The picture in another server's answer, without its metadata. Null when its first bytes are of another type than the
 * content type says, when it is incomplete, or when a side is longer than 4,096 pixels.
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
