/**
 * `npm run check`: types, lint and layer rules, citations that resolve, no given-up words, comments and prose within
 * 120 columns, generated documents up to date, an API document and workflows that lint clean. Every step runs even
 * after a failure, so that one run reports everything.
 */
import { run } from './lib/command.ts';
import { runTool } from './lib/failure.ts';
import { REPOSITORY } from './lib/home.ts';
import { ensureDependencies } from './lib/install.ts';
import { createProgress } from './lib/progress.ts';

const STEPS: [name: string, script: string, args: string[]][] = [
  ['Types', 'node_modules/typescript/bin/tsc', ['-b']],
  [
    'Lint and layer rules',
    'node_modules/@biomejs/biome/bin/biome',
    ['ci', '--error-on-warnings', '--colors=off', '--max-diagnostics=50', '.'],
  ],
  ['Citations', 'tools/check/citations.js', []],
  ['Words', 'tools/check/words.js', []],
  ['Columns', 'tools/check/columns.js', []],
  ['Generated documents', 'libs/generators/dist/main.js', ['--check']],
  ['Users of the bus, metrics, variables', 'tools/generate.ts', ['--check']],
  [
    'OpenAPI lint',
    'node_modules/@redocly/cli/bin/cli.js',
    ['lint', '--format=stylish', 'libs/contracts/generated/openapi.json'],
  ],
  ['Workflows lint', 'node_modules/@redocly/cli/bin/cli.js', ['lint', '--format=stylish', 'docs/arazzo.yaml']],
];

const progress = createProgress();

const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true', NO_COLOR: '1' };

async function main() {
  await progress.step('Dependencies', ensureDependencies);
  const failed: string[] = [];
  for (const [name, script, args] of STEPS) {
    await progress
      .step(name, async () => {
        const { code, output } = await run(process.execPath, [script, ...args], { cwd: REPOSITORY, env });
        if (code !== 0) throw new Error(output);
        return 'passed';
      })
      .catch((error) => {
        failed.push(name);
        console.log(error.message.replace(/^/gm, '    '));
      });
  }
  console.log(failed.length === 0 ? '\ncheck passed' : `\ncheck failed: ${failed.join('; ')}`);
  return failed.length === 0 ? 0 : 1;
}

runTool(main);
