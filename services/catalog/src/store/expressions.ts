/** Aggregation expressions as functions, so that a pipeline reads like the rule it implements. */

/** An aggregation expression. */
export type Expr = unknown;

export const lit = (value: unknown): Expr => ({ $literal: value });
export const or = (field: string, value: unknown): Expr => ({ $ifNull: [field, lit(value)] });
export const len = (array: Expr): Expr => ({ $size: array });
export const keep = (input: Expr, cond: (one: string) => Expr, as = 'one'): Expr => ({
  $filter: { input, as, cond: cond(`$$${as}`) },
});
export const when = (test: Expr, then: Expr, otherwise: Expr): Expr => ({ $cond: [test, then, otherwise] });
/** The value of the first case that holds, else null. */
export const firstOf = (...cases: [Expr, Expr][]): Expr => ({
  $switch: { branches: cases.map(([test, then]) => ({ case: test, then })), default: null },
});
export const either = (...values: Expr[]): Expr => values.reduceRight((rest, value) => ({ $ifNull: [value, rest] }));
