/** Taking over a home: as its only launcher, with nothing left of an earlier one. */
import { Failure } from './failure.ts';
import { type Home, shortPath } from './home.ts';
import { lockHome } from './lock.ts';
import { endProcesses, processesOf, waitUntilGone } from './process-table.ts';
import type { Progress } from './progress.ts';
import { runtimeFile } from './runtime-file.ts';
import { STOP_GRACE_MS } from './services.ts';

const STOPPING_LIMIT_MS = 60_000;

/** The lock on the home; undefined when another launcher holds it, which is then reported with its address. */
export async function takeHome({ home, fresh, progress }: { home: Home; fresh: boolean; progress: Progress }) {
  for (;;) {
    const lock = lockHome(home);
    if (!lock.holder) return lock;
    const { pid, phase } = lock.holder;
    if (phase === 'stopping') {
      await progress.step('Waiting', async (say) => {
        say(`for process ${pid}, which is stopping`);
        if (pid !== undefined) await waitUntilGone(pid, STOPPING_LIMIT_MS);
        return 'the other launcher has stopped';
      });
      continue;
    }
    const url = runtimeFile(home).read()?.app_url;
    const where = phase === 'running' && url ? `It runs already at ${url}` : 'It is being started already';
    if (fresh) {
      const fixes = ['Stop it with Ctrl-C where it runs', `kill ${pid}`, 'CDS_HOME=/another/folder npm start'];
      throw new Failure(`${where}, so its data cannot be dropped.`, fixes);
    }
    progress.text(`  ${where} (process ${pid}, home ${shortPath(home.root)}).\n\n`);
    return undefined;
  }
}

/** A launcher that was killed leaves its children running; they hold the data and the ports. */
export async function endLeftovers({ home, progress }: { home: Home; progress: Progress }) {
  runtimeFile(home).remove();
  const left = processesOf(home.root).map(({ pid }) => pid);
  if (left.length === 0) return;
  await progress.step('Clean-up', async () => {
    await endProcesses(left, STOP_GRACE_MS);
    return `ended ${left.length} ${left.length === 1 ? 'process' : 'processes'} that an earlier launcher left behind`;
  });
}
