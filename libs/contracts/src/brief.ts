/**
 * The fields that a brief answer keeps (docs/domain/mcp.md#brief-answers): `true` for a field as it is, or the fields
 * kept within it or within each item. Without a `needed` one its object is left out.
 */
export type Kept<T> =
  | true
  | 'needed'
  | (T extends readonly (infer Item)[]
      ? Kept<Item>
      : T extends object
        ? { readonly [F in keyof T]?: Kept<NonNullable<T[F]>> }
        : true);

export type KeptFields = { readonly [field: string]: true | 'needed' | KeptFields };

export type Brief = {
  kept: KeptFields;
  /** After an edit of a plan: the field that names the changed line. Of the plan's lines only that one is kept. */
  changedLine?: 'line_id';
};

/** The views of an answer, the default first (docs/domain/mcp.md#brief-answers). */
export const VIEWS = ['full', 'brief'] as const;
export type View = (typeof VIEWS)[number];

/** Lists shorter than this repeat so little that nothing is said for all their items at once. */
const SHARED_FROM = 3;

type Fields = Record<string, unknown>;

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Moves out of a list what all its items share. Compares encoded values, so that objects and lists count too. */
const shared = (items: readonly Fields[]): { same: Fields; items: readonly Fields[] } => {
  const [first] = items;
  if (first === undefined || items.length < SHARED_FROM) return { same: {}, items };
  const same = Object.entries(first).filter(([field, value]) => {
    const encoded = JSON.stringify(value);
    return items.every((item) => JSON.stringify(item[field]) === encoded);
  });
  const names = new Set(same.map(([field]) => field));
  return {
    same: Object.fromEntries(same),
    items: items.map((item) => Object.fromEntries(Object.entries(item).filter(([field]) => !names.has(field)))),
  };
};

const briefList = (field: string, list: readonly unknown[], kept: KeptFields): Fields => {
  const { same, items } = shared(list.filter(isFields).map((item) => briefFields(item, kept)));
  return { ...(Object.keys(same).length === 0 ? {} : { [`same_for_all_${field}`]: same }), [field]: items };
};

const withoutNulls = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (!isFields(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, within]) => (within === null ? [] : [[name, withoutNulls(within)]])),
  );
};

const briefField = (field: string, value: unknown, kept: true | 'needed' | KeptFields): Fields => {
  if (value === null || value === undefined) return {};
  if (kept === true || kept === 'needed')
    return Array.isArray(value) && value.length === 0 ? {} : { [field]: withoutNulls(value) };
  if (Array.isArray(value)) return briefList(field, value, kept);
  if (!isFields(value)) return { [field]: value };
  const lacks = Object.entries(kept).some(([name, as]) => as === 'needed' && value[name] === undefined);
  return lacks ? {} : { [field]: briefFields(value, kept) };
};

const briefFields = (value: Fields, kept: KeptFields): Fields =>
  Object.assign({}, ...Object.entries(kept).map(([field, within]) => briefField(field, value[field], within)));

const withChangedLine = (answer: Fields, by: string): Fields => {
  const { plan } = answer;
  if (!isFields(plan) || !Array.isArray(plan['lines'])) return answer;
  const lines = plan['lines'].filter((line) => isFields(line) && line['id'] === answer[by]);
  return { ...answer, plan: { ...plan, lines } };
};

/**
 * The view `brief` (docs/domain/mcp.md#brief-answers), without nulls and empty lists of plain values. What all items of
 * a list of three or more share is said once, in `same_for_all_<list>`.
 */
export const briefAnswer = ({ tool }: { tool?: { brief?: Brief } }, answer: unknown): unknown => {
  if (tool?.brief === undefined || !isFields(answer)) return answer;
  const { kept, changedLine } = tool.brief;
  return briefFields(changedLine === undefined ? answer : withChangedLine(answer, changedLine), kept);
};
