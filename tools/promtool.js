#!/usr/bin/env node
/**
 * `node tools/promtool.js`: fetches promtool into the cache, for the tests of the alert rules. They are skipped on a
 * machine without it.
 */
import { resolveEngine } from './lib/engines.js';
import { printFailure } from './lib/failure.js';
import { createProgress } from './lib/progress.js';

async function main() {
  const progress = createProgress();
  await progress.step('promtool', async (say) => {
    const { version, origin } = await resolveEngine('promtool', { say, note: progress.note, external: false });
    return `${version} from ${origin}`;
  });
}

main().catch((error) => {
  printFailure(error);
  process.exit(1);
});
