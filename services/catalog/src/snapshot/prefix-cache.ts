import type { Row } from './rows.js';

const PREFIXES_MAX = 20_000;

export class PrefixCache {
  private readonly byRequest = new Map<string, Map<number, Buffer>>();
  private size = 0;

  get requests(): number {
    return this.byRequest.size;
  }

  forRequest(request: string, encode: (row: Row, place: number) => string): (row: Row, place: number) => Buffer {
    if (this.size >= PREFIXES_MAX) {
      this.byRequest.clear();
      this.size = 0;
    }
    const cached = this.byRequest.get(request) ?? new Map<number, Buffer>();
    return (row, place) => {
      const known = cached.get(place);
      if (known !== undefined) return known;
      const prefix = Buffer.from(encode(row, place));
      // Only now: a request without rows adds nothing to the size, so nothing would bound how many are kept.
      this.byRequest.set(request, cached);
      cached.set(place, prefix);
      this.size += 1;
      return prefix;
    };
  }
}
