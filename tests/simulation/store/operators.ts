import { Query } from 'mingo';

type Plain = Record<string, unknown>;
type Apply = (holder: Plain, name: string, value: unknown) => void;

/** The update operators that the services use, on a document that may be changed. Others are refused, never guessed. */
export const applyOperators = (doc: Plain, filter: Plain, update: Plain): void => {
  for (const [operator, fields] of Object.entries(update)) {
    const apply = OPERATORS[operator];
    if (apply === undefined) throw new Error(`the simulated store does not know ${operator}`);
    for (const [path, value] of Object.entries(fields as Plain)) at(doc, path.split('.'), '', filter, value, apply);
  }
};

/**
 * Walks to the holder of a path's last name, making what is missing; `$` is the first element that the filter matches.
 */
const at = (
  holder: Plain,
  path: readonly string[],
  walked: string,
  filter: Plain,
  value: unknown,
  apply: Apply,
): void => {
  const [name, ...rest] = path;
  if (name === undefined) return;
  if (Array.isArray(holder) && name === '$[]') {
    for (const index of holder.keys()) at(holder, [String(index), ...rest], walked, filter, value, apply);
    return;
  }
  const step = Array.isArray(holder) && name === '$' ? String(matchedIndex(holder, walked, filter)) : name;
  if (rest.length === 0) {
    apply(holder, step, value);
    return;
  }
  holder[step] ??= {};
  at(holder[step] as Plain, rest, walked === '' ? step : `${walked}.${step}`, filter, value, apply);
};

const matchedIndex = (elements: readonly unknown[], path: string, filter: Plain): number => {
  const [name, wanted] = Object.entries(filter).find(([field]) => field.startsWith(`${path}.`)) ?? [];
  if (name === undefined) throw new Error(`no condition on ${path} for its positional operator`);
  const query = new Query({ [name.slice(path.length + 1)]: wanted });
  return elements.findIndex((one) => query.test(one as Plain));
};

const isGreater = (one: unknown, other: unknown): boolean => (one as number) > (other as number);

const OPERATORS: Record<string, Apply> = {
  $set: (holder, name, value) => {
    holder[name] = value;
  },
  $unset: (holder, name) => {
    delete holder[name];
  },
  $inc: (holder, name, value) => {
    holder[name] = ((holder[name] as number | undefined) ?? 0) + (value as number);
  },
  $max: (holder, name, value) => {
    if (holder[name] === undefined || isGreater(value, holder[name])) holder[name] = value;
  },
  $min: (holder, name, value) => {
    if (holder[name] === undefined || isGreater(holder[name], value)) holder[name] = value;
  },
  $push: (holder, name, value) => {
    holder[name] = [...((holder[name] as unknown[] | undefined) ?? []), value];
  },
  $pull: (holder, name, value) => {
    const elements = holder[name];
    if (!Array.isArray(elements)) return;
    const query = new Query(value as Plain);
    holder[name] = elements.filter((one) => !query.test(one as Plain));
  },
};
