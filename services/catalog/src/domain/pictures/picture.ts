/**
 * A profile picture as we store it: pixels only. Any comment, EXIF, XMP, colour profile or trailing byte may name its
 * owner (docs/domain/network.md#pictures). Nothing is decoded.
 */
import { PICTURE_TYPES, type PictureEnding } from '@cds/contracts';
import { NoPicture } from './bytes.js';
import { strippedGif } from './gif.js';
import { JPEG_START, strippedJpeg } from './jpeg.js';
import { PNG_SIGNATURE, strippedPng } from './png.js';
import { strippedWebp } from './webp.js';

export type Picture = { ending: PictureEnding; bytes: Buffer };

const startsWith = (bytes: Buffer, text: string, at = 0): boolean =>
  bytes.subarray(at, at + text.length).toString('latin1') === text;

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

/** Null when its first bytes are of another type than the content type says, or it is incomplete or too large. */
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
