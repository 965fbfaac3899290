import { mustFit, NoPicture, part } from './bytes.js';

const GIF = { extension: 0x21, image: 0x2c, end: 0x3b, control: 0xf9, application: 0xff } as const;
const GIF_LOOPS: ReadonlySet<string> = new Set(['NETSCAPE2.0', 'ANIMEXTS1.0']);

const gifTable = (flags: number): number => ((flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 0x07) + 1));

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

export const strippedGif = (bytes: Buffer): Buffer => {
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
