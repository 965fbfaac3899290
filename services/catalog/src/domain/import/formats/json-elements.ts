/** Reads a large JSON document element by element, so that a file of 10 MiB is never one value. */

/** An element of a wanted list, or a top-level scalar, as JSON. `index` counts from 0 within its list. */
export type Found = { path: string; index: number; json: string };

export class MalformedJson extends Error {}

const QUOTE = 34;
const COMMA = 44;
const COLON = 58;
const BACKSLASH = 92;
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [91, 93, 123, 125];

const isSpace = (code: number): boolean => code === 32 || code === 10 || code === 13 || code === 9;

type Level = { list: boolean; path: string; index: number; key: string | null };

/** Elements of named lists, from JSON that arrives in chunks; the inside of an element is checked by its parser. */
export class JsonElements {
  private readonly levels: Level[] = [];
  private readonly counts = new Map<string, number>();
  private text = '';
  private inString = false;
  private escaped = false;
  /** Where the current value begins in `text`; -1 between values. */
  private begin = -1;
  /** The nesting depth inside a wanted element. */
  private inner = 0;

  /** `singles` are top-level lists that may be given as one bare element, like `data` when one item was requested. */
  constructor(
    private readonly lists: ReadonlySet<string>,
    private readonly singles: ReadonlySet<string> = new Set(),
  ) {}

  push(chunk: string): Found[] {
    const found: Found[] = [];
    const from = this.text.length;
    this.text += chunk;
    for (let at = from; at < this.text.length; at += 1) this.take(this.text.charCodeAt(at), at, found);
    if (this.begin < 0) this.text = '';
    else {
      this.text = this.text.slice(this.begin);
      this.begin = 0;
    }
    return found;
  }

  end(): Found[] {
    if (this.inString || this.inner > 0 || this.levels.length > 0)
      throw new MalformedJson('the document is incomplete');
    return [];
  }

  private take(code: number, at: number, found: Found[]): void {
    if (this.inString) {
      if (this.escaped) this.escaped = false;
      else if (code === BACKSLASH) this.escaped = true;
      else if (code === QUOTE) this.inString = false;
      return;
    }
    if (code === QUOTE) {
      this.inString = true;
      if (this.begin < 0) this.begin = at;
    } else if (this.inner > 0) this.takeInside(code, at, found);
    else if (code === OPEN_LIST || code === OPEN_OBJECT) this.open(code === OPEN_LIST, at);
    else if (code === CLOSE_LIST || code === CLOSE_OBJECT) this.close(code === CLOSE_LIST, at, found);
    else if (code === COMMA) {
      this.finish(at, found);
      const level = this.levels.at(-1);
      if (level === undefined) throw new MalformedJson('unexpected comma');
      level.key = null;
    } else if (code === COLON) this.takeKey(at);
    else if (isSpace(code)) this.finishAtSpace(at, found);
    else if (this.begin < 0) this.begin = at;
  }

  private takeInside(code: number, at: number, found: Found[]): void {
    if (code === OPEN_LIST || code === OPEN_OBJECT) this.inner += 1;
    else if (code === CLOSE_LIST || code === CLOSE_OBJECT) {
      this.inner -= 1;
      if (this.inner === 0) this.finish(at + 1, found);
    }
  }

  private open(list: boolean, at: number): void {
    if (this.begin >= 0) throw new MalformedJson('unexpected bracket inside a value');
    const level = this.levels.at(-1);
    const here = this.pathHere();
    if ((level?.list === true && this.lists.has(level.path)) || (!list && this.singles.has(here))) {
      this.begin = at;
      this.inner = 1;
      return;
    }
    this.levels.push({ list, path: here, index: 0, key: null });
  }

  private close(list: boolean, at: number, found: Found[]): void {
    this.finish(at, found);
    const level = this.levels.pop();
    if (level === undefined || level.list !== list) throw new MalformedJson('mismatched bracket');
  }

  private takeKey(at: number): void {
    const level = this.levels.at(-1);
    if (level === undefined || level.list || level.key !== null || this.begin < 0)
      throw new MalformedJson('unexpected colon');
    level.key = String(parsed(this.text.slice(this.begin, at)));
    this.begin = -1;
  }

  private finishAtSpace(at: number, found: Found[]): void {
    const level = this.levels.at(-1);
    // A key still waits for its colon; any other value is complete.
    if (this.begin >= 0 && (level === undefined || level.list || level.key !== null)) this.finish(at, found);
  }

  private finish(at: number, found: Found[]): void {
    if (this.begin < 0) return;
    const json = this.text.slice(this.begin, at);
    this.begin = -1;
    const level = this.levels.at(-1);
    if (level?.list === true && this.lists.has(level.path)) {
      const index = this.counts.get(level.path) ?? 0;
      this.counts.set(level.path, index + 1);
      found.push({ path: level.path, index, json });
    } else if (this.levels.length === 1 && level?.key != null) found.push({ path: level.key, index: 0, json });
    else if (level !== undefined && !level.list && level.key === null) throw new MalformedJson('value without a key');
  }

  private pathHere(): string {
    const level = this.levels.at(-1);
    if (level === undefined) return '';
    const step = level.list ? '[]' : (level.key ?? '');
    return level.path === '' ? step : `${level.path}.${step}`;
  }
}

/** Parses one JSON value; raises MalformedJson. */
export const parsed = (json: string): unknown => {
  try {
    return JSON.parse(json) as unknown;
  } catch {
    throw new MalformedJson('a value is not valid JSON');
  }
};
