/** The fonts of the files of documents. A file holds only the letters that it shows. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { inflateSync } from 'node:zlib';
import bidiOf from 'bidi-js';
import type { Font, GlyphPosition, GlyphRun } from 'fontkit';

/** DejaVu Sans holds Latin, Greek, Cyrillic, Hebrew and Arabic; Unifont all scripts of today, in one plain style. */
const FILES = {
  plain: ['dejavu-fonts-ttf', 'ttf/DejaVuSans.ttf'],
  bold: ['dejavu-fonts-ttf', 'ttf/DejaVuSans-Bold.ttf'],
  other: ['@fontsource/unifontex', 'files/unifontex-latin-400-normal.woff'],
} as const;

export type FontName = keyof typeof FILES;

const packageFile = createRequire(import.meta.url).resolve;
// Its types describe the module's other build.
const bidi = (bidiOf as unknown as typeof bidiOf.default)();

const opened = new Map<FontName, Promise<Font>>();

/** Reads a font with the first document that needs it; it is parsed once for all documents. */
export const openFont = (name: FontName): Promise<Font> => {
  const held = opened.get(name);
  if (held !== undefined) return held;
  const font = open(name).catch((error: unknown) => {
    opened.delete(name);
    throw error;
  });
  opened.set(name, font);
  return font;
};

const open = async (name: FontName): Promise<Font> => {
  const { create } = await import('fontkit');
  const [from, file] = FILES[name];
  const bytes = await readFile(join(dirname(packageFile(`${from}/package.json`)), file));
  const font = create(file.endsWith('.woff') ? unpacked(bytes) : bytes) as Font;
  // A glyph remembers the letter that first asked for it. The E of an É asks without one, and would then be copied
  // out of all later files as nothing. Unifont makes no letter of others.
  if (name !== 'other') for (const codePoint of font.characterSet) font.glyphForCodePoint(codePoint);
  return inBothDirections(font);
};

/** A packed font (WOFF 1.0) as the file in it: out of a packed one, fontkit unpacks all letters for each letter. */
const unpacked = (woff: Buffer): Buffer => {
  const count = woff.readUInt16BE(12);
  const head = Buffer.alloc(12 + count * 16);
  woff.copy(head, 0, 4, 8);
  head.writeUInt16BE(count, 4);
  const parts = [head];
  let at = head.length;
  for (let table = 0; table < count; table += 1) {
    const packed = 44 + table * 20;
    const from = woff.readUInt32BE(packed + 4);
    const bytes = woff.subarray(from, from + woff.readUInt32BE(packed + 8));
    const length = woff.readUInt32BE(packed + 12);
    const data = Buffer.alloc((length + 3) & ~3);
    (bytes.length < length ? inflateSync(bytes) : bytes).copy(data);
    const entry = 12 + table * 16;
    woff.copy(head, entry, packed, packed + 4);
    woff.copy(head, entry + 4, packed + 16, packed + 20);
    head.writeUInt32BE(at, entry + 8);
    head.writeUInt32BE(length, entry + 12);
    parts.push(data);
    at += data.length;
  }
  return Buffer.concat(parts);
};

const RIGHT_TO_LEFT = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;

/** The same font, whose lines are in the order in which people read them (UAX 9). */
const inBothDirections = (font: Font): Font =>
  Object.create(font, {
    layout: {
      value: (text: string, features?: never[]): GlyphRun =>
        RIGHT_TO_LEFT.test(text)
          ? joined(partsOf(text).map((part) => laidOut(font, part, features)))
          : font.layout(text, features),
    },
  }) as Font;

type Part = { text: string; rightToLeft: boolean };

const laidOut = (font: Font, { text, rightToLeft }: Part, features?: never[]): GlyphRun =>
  font.layout(text, features, undefined, undefined, rightToLeft ? 'rtl' : 'ltr');

/** The parts of one direction, from left to right. */
const partsOf = (text: string): Part[] => {
  const embedding = bidi.getEmbeddingLevels(text);
  const parts: { level: number; indices: number[] }[] = [];
  for (const index of bidi.getReorderedIndices(text, embedding)) {
    const level = embedding.levels[index] ?? 0;
    const last = parts.at(-1);
    if (last !== undefined && last.level === level) last.indices.push(index);
    else parts.push({ level, indices: [index] });
  }
  return parts.map(({ level, indices }) => {
    const rightToLeft = level % 2 === 1;
    const logical = indices.sort((one, other) => one - other).map((index) => text[index] ?? '');
    return {
      text: logical.map((one) => (rightToLeft ? (bidi.getMirroredCharacter(one) ?? one) : one)).join(''),
      rightToLeft,
    };
  });
};

const joined = (runs: readonly GlyphRun[]): GlyphRun => {
  const positions: GlyphPosition[] = runs.flatMap((run) => run.positions);
  return {
    glyphs: runs.flatMap((run) => run.glyphs),
    positions,
    // Read after its positions are scaled.
    get advanceWidth() {
      return positions.reduce((sum, { xAdvance }) => sum + xAdvance, 0);
    },
  } as GlyphRun;
};
