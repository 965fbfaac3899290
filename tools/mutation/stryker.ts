/** Runs Stryker on the rules of a copy of the tree. */
import { readFileSync } from 'node:fs';
import { join, matchesGlob, relative } from 'node:path';
import type { Location } from '@stryker-mutator/api/core';
import { Stryker } from '@stryker-mutator/core';
import { type Area, filesOf } from './areas.ts';
import { type End, type Mutated, plain } from './verdict.ts';

const ENDS = {
  Killed: 'killed',
  Timeout: 'timeout',
  Survived: 'survived',
  NoCoverage: 'survived',
} as Readonly<Record<string, End>>;
/** What a mutant may take beyond half as long again as its tests do without it. */
const TIMEOUT_MS = 5_000;

export async function mutate(
  { rules, suites }: Area,
  root: string,
  { only, workers }: { only?: string; workers: string },
): Promise<Mutated[]> {
  const files = filesOf(rules).filter(
    (file) => !file.endsWith('.test.ts') && (only === undefined || matchesGlob(file, only)),
  );
  if (files.length === 0) return [];
  const results = await new Stryker({
    inPlace: true,
    mutate: files,
    // Everything but the rules, which would only be copied once more.
    ignorePatterns: ['**', ...files.map((file) => `!${file}`)],
    plugins: [join(root, 'tools', 'mutation', 'runner.ts')],
    testRunner: 'rules',
    rules: { suites },
    coverageAnalysis: 'perTest',
    concurrency: Number(workers),
    timeoutMS: TIMEOUT_MS,
    reporters: ['progress-append-only'],
    allowConsoleColors: false,
    // The type is an enum that only declarations have.
    logLevel: 'error' as never,
    disableTypeChecks: false,
    warnings: false,
  }).runMutationTest();
  return results.map(({ fileName, location, replacement = '', status }) => {
    const file = relative(root, fileName);
    const from = textAt(readFileSync(fileName, 'utf8'), location);
    return {
      file,
      line: location.start.line,
      from: plain(from),
      to: plain(replacement),
      end: ENDS[status] ?? 'broken',
    };
  });
}

function textAt(text: string, { start, end }: Location) {
  const lines = text.split('\n').slice(start.line - 1, end.line);
  const last = lines.length - 1;
  lines[last] = lines[last].slice(0, end.column - 1);
  lines[0] = lines[0].slice(start.column - 1);
  return lines.join('\n');
}
