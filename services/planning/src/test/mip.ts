import type { Candidate } from '@cds/contracts';
import highsModule, { type Highs } from 'highs';
import { Basket } from '../domain/builder/basket.js';
import type { Brief } from '../domain/builder/build.js';
import { offered } from '../domain/builder/candidates.js';
import { type Columns, columnsOf } from '../domain/builder/columns.js';
import { limitsOf } from '../domain/builder/limits.js';
import { NO_ANSWERS } from '../domain/builder/value.js';

/** Bounds of the best f of any plan: that of a plan that was found, and the model's bound. */
export type Between = { found: number; atMost: number; rounds: number };

// The package's types describe its CommonJS module, but this imports its ES module, which is the default export itself.
const loadHighs = highsModule as unknown as typeof highsModule.default;

/** The solver's tolerance, and ours between what was found and the bound. */
const SOLVER_GAP = 1e-4;
const CLOSE_ENOUGH = 1e-3;
const ROUNDS = 25;
const SECONDS_A_ROUND = 60;
/** Where each curve is cut at first, in parts of its U; a group's views never exceed 2 U. */
const FIRST_CUTS = [0, 0.15, 0.4, 0.8, 1.4] as const;

/**
 * Bounds the best f under every limit by outer approximation: solves a mixed-integer model in which tangents bound each
 * group's curve, takes the true f of its plan, and cuts each curve again at that plan, until both agree. The builder's
 * oracle where exact search is too slow.
 */
export const mipOptimum = async (candidates: readonly Candidate[], brief: Brief): Promise<Between> => {
  const highs = await loadHighs();
  const pool = offered(candidates, { ...brief, answers: NO_ANSWERS });
  const columns = columnsOf(pool, limitsOf(pool, brief), brief.audience);
  const groups = [...columns.reach.keys()].filter((group) => (columns.reach[group] ?? 0) > 0);
  const whole = columns.reach.reduce((sum, one) => sum + one, 0);
  const scale = columns.buyable.reduce((most, option) => Math.max(most, columns.value[option] ?? 0), 0);
  const cuts = groups.flatMap((group) => FIRST_CUTS.map((part): Cut => ({ group, part })));
  let before = Number.POSITIVE_INFINITY;
  let between: Between = { found: 0, atMost: whole, rounds: 0 };
  for (let round = 1; round <= ROUNDS; round += 1) {
    const solved = solve(highs, modelOf(columns, groups, cuts, scale));
    if (solved === null) break;
    const basket = new Basket(columns, solved.held);
    if (solved.objective * (1 + SOLVER_GAP) * scale < between.found || solved.objective > before * (1 + SOLVER_GAP))
      throw new Error('the solver contradicts itself: more cuts can only lower the optimum, and no plan is worth more');
    before = solved.objective;
    between = {
      found: Math.max(between.found, basket.value()),
      atMost: Math.min(between.atMost, solved.objective * (1 + SOLVER_GAP) * scale),
      rounds: round,
    };
    if (between.atMost - between.found <= CLOSE_ENOUGH * between.atMost) break;
    for (const group of groups) {
      const left = basket.left[group] ?? 0;
      cuts.push({ group, part: -Math.log(left / (columns.reach[group] ?? 1)) });
    }
  }
  return between;
};

/** A tangent of a group's curve at so many parts of its U. */
type Cut = { group: number; part: number };

const number = (value: number): string => value.toPrecision(12);

const sum = (terms: readonly (readonly [coefficient: number, name: string])[]): string =>
  terms
    .map(([coefficient, name]) => `${coefficient < 0 ? '-' : '+'} ${number(Math.abs(coefficient))} ${name}`)
    .join('\n ');

/**
 * The model in CPLEX LP form: x for options, t for the value of each group's curve. Values are relative to the best
 * option's, so that the solver's tolerances are small compared with them.
 */
const modelOf = (columns: Columns, groups: readonly number[], cuts: readonly Cut[], scale: number): string => {
  const { buyable, owner, cents, lines, band, views, segments, reach, limits, bandLines } = columns;
  const options = [...buyable];
  const rows: string[] = [];
  rows.push(`cap: ${sum(options.map((one) => [cents[one] ?? 0, `x${one}`]))} <= ${limits.capCents}`);
  rows.push(`lines: ${sum(options.map((one) => [lines[one] ?? 0, `x${one}`]))} <= ${limits.lines}`);
  for (const [of, most] of bandLines.entries()) {
    const held = options.filter((one) => band[one] === of);
    if (Number.isFinite(most) && held.length > 0)
      rows.push(`band${of}: ${sum(held.map((one) => [lines[one] ?? 0, `x${one}`]))} <= ${most}`);
  }
  for (const of of new Set(options.map((one) => owner[one] ?? 0))) {
    const held = options.filter((one) => owner[one] === of);
    if (held.length > 1) rows.push(`owner${of}: ${sum(held.map((one) => [1, `x${one}`]))} <= 1`);
  }
  for (const [at, { group, part }] of cuts.entries()) {
    const [of, segment] = [Math.floor(group / segments), group % segments];
    const most = (reach[group] ?? 0) / scale;
    const slope = Math.exp(-part);
    const start = most * (-Math.expm1(-part) - slope * part);
    const parts = options
      .filter((one) => band[one] === of && (views[one * segments + segment] ?? 0) > 0)
      .map((one) => [(-slope * (views[one * segments + segment] ?? 0)) / scale, `x${one}`] as const);
    rows.push(`cut${at}: ${sum([[1, `t${group}`], ...parts])} <= ${number(start)}`);
  }
  return [
    'Maximize',
    ` f: ${sum(groups.map((group) => [1, `t${group}`]))}`,
    'Subject To',
    ...rows.map((row) => ` ${row}`),
    'Binary',
    ...options.map((one) => ` x${one}`),
    'End',
  ].join('\n');
};

// highs 1.15.3 reported as optimal what was as little as half the optimum when the cap was a row of fractions, when
// views were separate variables, or when its presolve was off. With integer cents, views inside the cuts and the
// default presolve there was no contradiction in 190 models.
const solve = (highs: Highs, model: string): { objective: number; held: number[] } | null => {
  const solution = highs.solve(model, {
    output_flag: false,
    mip_rel_gap: SOLVER_GAP,
    time_limit: SECONDS_A_ROUND,
  });
  if (solution.Status !== 'Optimal') return null;
  const held = Object.entries(solution.Columns).flatMap(([name, { Primal }]) =>
    name.startsWith('x') && Primal > 0.5 ? [Number(name.slice(1))] : [],
  );
  return { objective: solution.ObjectiveValue, held };
};
