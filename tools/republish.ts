/**
 * `npm run republish`: makes the services of the running system publish the current state of every aggregate again, and
 * shows their progress. `npm run republish -- billing` asks one service only. Safe at any time.
 */
import { Failure, runTool } from './lib/failure.ts';
import { createProgress } from './lib/progress.ts';
import { runningSystem } from './lib/runtime-file.ts';
import { operator } from './lib/seed.ts';

type Run = { service: string; sent: number; done_at: string | null };

const LOOK_EVERY_MS = 500;

async function main() {
  const [service, ...rest] = process.argv.slice(2);
  if (rest.length > 0) {
    throw new Failure(`Too many arguments: ${rest.join(' ')}.`, ['npm run republish', 'npm run republish -- billing']);
  }
  const { runtime } = runningSystem();
  const progress = createProgress();
  const ops = operator({ opsUrl: runtime.ops_url, opsToken: runtime.ops_token });
  const { body: asked }: { body: { runs: Run[]; unavailable: string[] } } = await ops(
    'POST',
    '/republish',
    service === undefined ? {} : { service },
  );
  if (asked.unavailable.length > 0) {
    progress.text(`  No answer from ${asked.unavailable.join(', ')}: ask again once they run.\n`);
  }
  const waiting = new Map(asked.runs.map((run) => [run.service, run]));
  await progress.step('Publishing again', async (say) => {
    for (;;) {
      const { body }: { body: { runs: Run[] } } = await ops('GET', '/republish');
      // A run that a lost stream started meanwhile does the same and replaces ours.
      const mine = body.runs.filter((run) => waiting.has(run.service));
      say(mine.map((run) => `${run.service} ${run.sent}${run.done_at === null ? '…' : ''}`).join(', '));
      if (mine.length === waiting.size && mine.every((run) => run.done_at !== null)) {
        return { detail: mine.map((run) => `${run.service} ${run.sent}`).join(', ') };
      }
      await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
    }
  });
}

runTool(main);
