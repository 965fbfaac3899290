/** The bytes are not a picture of the type they were sent as, or end too early. */
export class NoPicture extends Error {}

export const part = (bytes: Buffer, from: number, to: number): Buffer => {
  if (from < 0 || to < from || to > bytes.length) throw new NoPicture();
  return bytes.subarray(from, to);
};

/** The longest side in pixels (A): a small file may declare a size that exceeds a reader's memory. */
const SIDE_MAX = 4_096;

export const mustFit = (...sides: readonly number[]): void => {
  if (sides.some((side) => side > SIDE_MAX)) throw new NoPicture();
};
