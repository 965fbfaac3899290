import type { VariantReport } from './rounds.js';

const fixed = (value: number, digits: number): string => value.toFixed(digits);

export const printTable = (title: string, reports: readonly VariantReport[]): void => {
  console.log(`\n${title}`);
  console.log('  variant      per second   ratio (quartiles)      p50 ms   p99 ms   failed   CPU us per operation');
  for (const one of reports) {
    const cpu = Object.entries(one.cpu).map(([name, micros]) => `${name} ${micros}`);
    const ratio = `${fixed(one.ratio.median, 2)} (${fixed(one.ratio.low, 2)} to ${fixed(one.ratio.high, 2)})`;
    const row = [
      one.name.padEnd(12),
      String(one.perSecond).padStart(10),
      ratio.padStart(20),
      fixed(one.p50, 1).padStart(11),
      fixed(one.p99, 1).padStart(8),
      String(one.failed).padStart(8),
    ];
    console.log(`  ${row.join(' ')}   ${one.cpuTotal} = ${cpu.join(' + ')}`);
  }
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
