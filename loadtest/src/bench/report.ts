import type { VariantReport } from './rounds.js';

export const printTable = (title: string, reports: readonly VariantReport[]): void => {
  console.log(`\n${title}`);
  const rows = reports.map(({ name, perSecond, ratio, p50, p99, failed, cpuTotal, cpu }) => {
    const quartiles = `${ratio.median.toFixed(2)} (${ratio.low.toFixed(2)} to ${ratio.high.toFixed(2)})`;
    const micros = Object.entries(cpu).map(([process_, value]) => `${process_} ${value}`);
    return [
      name,
      {
        ...{
          'per second': perSecond,
          'ratio (quartiles)': quartiles,
          'p50 ms': Number(p50.toFixed(1)),
          'p99 ms': Number(p99.toFixed(1)),
          failed,
        },
        'CPU us per operation': `${cpuTotal} = ${micros.join(' + ')}`,
      },
    ];
  });
  console.table(Object.fromEntries(rows));
};

export const printFigures = (title: string, values: unknown): void => {
  console.log(`\n${title}\n  ${JSON.stringify(values).replaceAll('"', '').replaceAll(',', ', ')}`);
};

export const printFailed = (comparisons: Readonly<Record<string, VariantReport[]>>): boolean => {
  const failed = Object.entries(comparisons).flatMap(([title, reports]) =>
    reports.filter((one) => one.failed > 0).map((one) => `  ${title}: ${one.name} failed ${one.failed} requests`),
  );
  if (failed.length > 0) console.log(`\nFAILED\n${failed.join('\n')}`);
  return failed.length > 0;
};
