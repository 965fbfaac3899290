export class LruCache<V> {
  private readonly values = new Map<string, V>();

  constructor(private readonly max: number) {}

  getOrCompute(key: string, compute: () => V): V {
    const value = this.values.get(key) ?? compute();
    this.values.delete(key);
    this.set(key, value);
    return value;
  }

  set(key: string, value: V): void {
    const oldest = this.values.keys().next();
    if (this.values.size >= this.max && oldest.done !== true) this.values.delete(oldest.value);
    this.values.set(key, value);
  }

  entries(): Iterable<[string, V]> {
    return this.values;
  }
}

export type CacheBounds = { most: number; least: number; places: number };

export const capacityFor = ({ most, least, places }: CacheBounds, rows: number): number =>
  Math.max(least, Math.min(most, Math.floor(places / Math.max(1, rows))));
