export type Route<Target> = { path: string; method: string; target: Target };

/** A declared path: the names of its segments, null for a fixed one, and the target of each method. */
type Entry<Target> = { path: string; names: readonly (string | null)[]; methods: Map<string, Target> };

export type Found<Target> = { path: string; params: Record<string, string>; methods: ReadonlyMap<string, Target> };

const segmentsOf = (path: string): string[] => path.split('/').slice(1);

const nameOf = (segment: string): string | null => /^\{(.+)\}$/.exec(segment)?.[1] ?? null;

/** Decodes a segment. A broken escape stays as it is; it can never be an id. */
const decoded = (segment: string): string => {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
};

/** The application's paths. A fixed path wins over one with parameters: `/campaigns/export` over `/campaigns/{id}`. */
export class Routes<Target> {
  private readonly fixed = new Map<string, Entry<Target>>();
  private readonly named = new Map<number, Entry<Target>[]>();

  constructor(routes: readonly Route<Target>[]) {
    for (const route of routes) this.add(route);
  }

  find(path: string): Found<Target> | undefined {
    const entry = this.fixed.get(path);
    if (entry !== undefined) return { path: entry.path, params: {}, methods: entry.methods };

    const segments = segmentsOf(path);
    for (const one of this.named.get(segments.length) ?? []) {
      const params = matching(one, segments);
      if (params !== undefined) return { path: one.path, params, methods: one.methods };
    }
    return undefined;
  }

  private add({ path, method, target }: Route<Target>): void {
    const entry = this.entryAt(path);
    if (entry.methods.has(method)) throw new Error(`${method} ${path} is declared twice`);
    entry.methods.set(method, target);
  }

  private entryAt(path: string): Entry<Target> {
    const segments = segmentsOf(path);
    const names = segments.map(nameOf);
    const entry: Entry<Target> = { path, names, methods: new Map() };
    if (names.every((name) => name === null)) {
      const known = this.fixed.get(path) ?? entry;
      this.fixed.set(path, known);
      return known;
    }
    const all = this.named.get(segments.length) ?? [];
    const known = all.find((one) => one.path === path);
    if (known !== undefined) return known;
    this.named.set(segments.length, [...all, entry]);
    return entry;
  }
}

const matching = <Target>(entry: Entry<Target>, segments: readonly string[]): Record<string, string> | undefined => {
  const words = segmentsOf(entry.path);
  const params: Record<string, string> = {};
  for (const [at, segment] of segments.entries()) {
    const name = entry.names[at] ?? null;
    if (name === null ? words[at] !== segment : segment === '') return undefined;
    if (name !== null) params[name] = decoded(segment);
  }
  return params;
};
