import { mustFit, NoPicture, part } from './bytes.js';

export const PNG_SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/** Chunks that affect what is drawn: size, palette, pixels, transparency, brightness and animation. */
const PNG_KEPT: ReadonlySet<string> = new Set([
  ...['IHDR', 'PLTE', 'IDAT', 'IEND', 'tRNS', 'gAMA', 'cHRM', 'sRGB', 'sBIT'],
  ...['acTL', 'fcTL', 'fdAT'],
]);

export const strippedPng = (bytes: Buffer): Buffer => {
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
