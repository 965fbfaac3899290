import { describe, expect, it } from '@jest/globals';
import { aGif, aJpeg, aPng, aWebp } from '../test/pictures.js';
import { pictureIn } from './picture.js';

const SAID = 'quill_one';
const KINDS = [
  ['png', 'image/png', aPng],
  ['jpg', 'image/jpeg', aJpeg],
  ['webp', 'image/webp', aWebp],
  ['gif', 'image/gif', aGif],
] as const;

describe('a picture', () => {
  it.each(KINDS)('of type %s is kept without a word about it', (ending, type, make) => {
    const said = make(SAID);
    expect(said.toString('latin1').split(SAID).length).toBeGreaterThan(3);
    const kept = pictureIn(type, said);
    expect(kept?.ending).toBe(ending);
    expect(kept?.bytes.toString('latin1')).not.toContain(SAID);
    expect(kept?.bytes).toEqual(pictureIn(type, make())?.bytes);
  });

  it.each(KINDS)('of type %s keeps every part that draws', (_ending, type, make) => {
    const plain = make();
    const kept = pictureIn(type, plain)?.bytes ?? Buffer.alloc(0);
    // A JPEG loses its JFIF header and one fill byte, which draw nothing; the others have no such part.
    expect(plain.length - kept.length).toBe(type === 'image/jpeg' ? 19 : 0);
    expect(pictureIn(type, kept)?.bytes).toEqual(kept);
  });

  it.each(KINDS)('of type %s that was sent as another type is none', (_ending, type, make) => {
    for (const [, other] of KINDS) if (other !== type) expect(pictureIn(other, make())).toBeNull();
    expect(pictureIn('image/svg+xml', make())).toBeNull();
  });

  it.each(KINDS)('of type %s that ends too early is none, wherever it ends', (_ending, type, make) => {
    const whole = make(SAID);
    const end = whole.length - SAID.length;
    for (let at = 0; at < end; at += 1)
      expect({ at, kept: pictureIn(type, whole.subarray(0, at)) }).toEqual({ at, kept: null });
    expect(pictureIn(type, whole.subarray(0, end))).not.toBeNull();
  });

  it.each([
    ['a page', 'image/png', '<!doctype html><script>alert(1)</script>'],
    ['a drawing with a script', 'image/svg+xml', '<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>'],
    ['nothing', 'image/jpeg', ''],
  ])('is not what %s is', (_name, type, text) => {
    expect(pictureIn(type, Buffer.from(text))).toBeNull();
  });

  it.each(KINDS)('of type %s with any byte changed is taken or refused, and never raises', (_ending, type, make) => {
    const whole = make(SAID);
    for (let at = 0; at < whole.length; at += 1)
      for (const value of [0, 0x7f, 0xff]) {
        const broken = Buffer.from(whole);
        broken[at] = value;
        expect(() => pictureIn(type, broken)).not.toThrow();
      }
  });
});
