import { AppError, hasDoor, operations, pathOf, type RestOperation } from '@cds/contracts';
import { EdgeRefusal } from './http/refusal.js';

/** What answers at one path and method, with the declared path for log lines. */
export type Route<Target> = { path: string; method: string; target: Target };

/** A path that exists: what its segments are called, and what each of its methods does. */
type Place<Target> = { path: string; names: readonly (string | null)[]; methods: Map<string, Target> };

export type Found<Target> = { path: string; params: Record<string, string>; methods: ReadonlyMap<string, Target> };

const segmentsOf = (path: string): string[] => path.split('/').slice(1);

const nameOf = (segment: string): string | null => /^\{(.+)\}$/.exec(segment)?.[1] ?? null;

/** A segment as its value; a broken escape stays as it is, and no id reads so. */
const decoded = (segment: string): string => {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
};

/**
 * The paths of the application, found by their segments: fixed words before names, so that `/campaigns/{id}` and a
 * later `/campaigns/export` never meet.
 */
export class Routes<Target> {
  private readonly fixed = new Map<string, Place<Target>>();
  private readonly named = new Map<number, Place<Target>[]>();

  constructor(routes: readonly Route<Target>[]) {
    for (const route of routes) this.add(route);
  }

  /** The place of a path, or undefined when no path of the application reads so. */
  find(path: string): Found<Target> | undefined {
    const place = this.fixed.get(path);
    if (place !== undefined) return { path: place.path, params: {}, methods: place.methods };

    const segments = segmentsOf(path);
    for (const one of this.named.get(segments.length) ?? []) {
      const params = matching(one, segments);
      if (params !== undefined) return { path: one.path, params, methods: one.methods };
    }
    return undefined;
  }

  private add({ path, method, target }: Route<Target>): void {
    const place = this.placeAt(path);
    if (place.methods.has(method)) throw new Error(`${method} ${path} is declared twice`);
    place.methods.set(method, target);
  }

  private placeAt(path: string): Place<Target> {
    const segments = segmentsOf(path);
    const names = segments.map(nameOf);
    const place: Place<Target> = { path, names, methods: new Map() };
    if (names.every((name) => name === null)) {
      const known = this.fixed.get(path) ?? place;
      this.fixed.set(path, known);
      return known;
    }
    const all = this.named.get(segments.length) ?? [];
    const known = all.find((one) => one.path === path);
    if (known !== undefined) return known;
    this.named.set(segments.length, [...all, place]);
    return place;
  }
}

const matching = <Target>(place: Place<Target>, segments: readonly string[]): Record<string, string> | undefined => {
  const words = segmentsOf(place.path);
  const params: Record<string, string> = {};
  for (const [at, segment] of segments.entries()) {
    const name = place.names[at] ?? null;
    if (name === null ? words[at] !== segment : segment === '') return undefined;
    if (name !== null) params[name] = decoded(segment);
  }
  return params;
};

/** Check 2: the path exists (domain 4-doors 10). */
export const pathStage = <Target>(routes: Routes<Target>, path: string): Found<Target> => {
  const found = routes.find(path);
  if (found === undefined) throw noSuchPath();
  return found;
};

const noSuchPath = (): AppError =>
  new AppError('not_found', 'Nothing is served at this path. The paths are listed in /openapi.json.');

/** Check 3: the method exists there. */
export const methodStage = <Target>(found: Found<Target>, method: string): Target => {
  const target = found.methods.get(method);
  if (target !== undefined) return target;
  const allow = [...found.methods.keys()].join(', ');
  throw new EdgeRefusal(
    'method_not_allowed',
    `This path does not take ${/^[A-Z]{1,20}$/.test(method) ? method : 'that method'}; it takes ${allow}.`,
    undefined,
    { Allow: allow },
  );
};

/** The REST routes: a loop over the declarations. Operations under `/api/ops/dev` exist in development only. */
export const operationRoutes = (development: boolean): Route<RestOperation>[] =>
  operations
    .filter(hasDoor)
    .filter((operation) => development || !pathOf(operation).startsWith('/api/ops/dev/'))
    .map((operation) => ({
      path: pathOf(operation),
      method: operation.rest.method,
      target: operation,
    }));
