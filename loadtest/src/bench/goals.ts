import { median, type VariantReport } from './rounds.js';

export type Goal = { number: number; path: string; target: string; measured: string; met: boolean };

const RELATION = {
  '>=': (value: number, bound: number) => value >= bound,
  '<=': (value: number, bound: number) => value <= bound,
};

export const goal = (
  number: number,
  path: string,
  relation: keyof typeof RELATION,
  bound: number,
  value: number,
  unit = 'x',
): Goal => ({
  number,
  path,
  target: `${relation} ${bound} ${unit}`,
  measured: `${value.toFixed(2)} ${unit}`,
  met: RELATION[relation](value, bound),
});

const one = (reports: readonly VariantReport[], name: string): VariantReport => {
  const found = reports.find((report) => report.name === name);
  if (found === undefined) throw new Error(`variant ${name} was not measured`);
  return found;
};

const perRound = (of: 'perSecond' | 'p50' | 'p99') => (reports: readonly VariantReport[], name: string, to: string) => {
  const reference = one(reports, to).rounds;
  return median(one(reports, name).rounds.map((round, index) => round[of] / (reference[index]?.[of] ?? Number.NaN)));
};

export const rateRatio = perRound('perSecond');
export const p50Ratio = perRound('p50');
export const p99Ratio = perRound('p99');

/** CPU per operation relative to a reference, without the database, because the statements are the same. */
export const cpuRatio = (reports: readonly VariantReport[], name: string, to: string): number => {
  const cpu = (report: VariantReport) => report.cpuTotal - (report.cpu['mongod'] ?? 0);
  return cpu(one(reports, name)) / cpu(one(reports, to));
};

export const printGoals = (goals: readonly Goal[]): void => {
  console.log('\nGates');
  for (const { number, path, target, measured, met } of goals)
    console.log(
      `  ${String(number).padStart(2)}  ${met ? 'met    ' : 'NOT MET'}  ${measured.padStart(12)}  ${target.padEnd(12)}  ${path}`,
    );
};
