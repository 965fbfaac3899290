// `npm run check`: types, lint and layer rules, generated documents up to date, the API document lints clean. Each step
// runs though an earlier one failed, so that one run tells everything.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const node = process.execPath;

const STEPS = [
  ['types', [node, 'node_modules/typescript/bin/tsc', '-b']],
  ['lint, format and layer rules', [node, 'node_modules/@biomejs/biome/bin/biome', 'ci', '--max-diagnostics=50', '.']],
  ['generated documents', [node, 'libs/contracts/dist/generate/main.js', '--check']],
  [
    'OpenAPI lint',
    [node, 'node_modules/@redocly/cli/bin/cli.js', 'lint', '--format=stylish', 'libs/contracts/generated/openapi.json'],
    { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
  ],
];

const failed = [];
for (const [name, [command, ...args], env] of STEPS) {
  const started = performance.now();
  const run = spawnSync(command, args, { cwd: root, encoding: 'utf8', env: { ...process.env, ...env } });
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  const good = run.status === 0;
  console.log(`${good ? '✓' : '✗'} ${name.padEnd(32)} ${seconds.padStart(6)} s`);
  if (good) continue;
  failed.push(name);
  console.log(`${run.stdout}${run.stderr}`.trimEnd().replace(/^/gm, '    '));
}

if (failed.length > 0) {
  console.log(`\ncheck failed: ${failed.join('; ')}`);
  process.exit(1);
}
console.log('\ncheck passed');
