/** A home with a mongod for one run of a tool, of which nothing is left. */
import { existsSync, globSync, mkdtempSync, realpathSync, rmSync, statfsSync } from 'node:fs';
import { freemem, tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { openHome } from './home.ts';
import { startMongod } from './mongod.ts';
import { endMarked, isAlive } from './process-table.ts';

const HOMES = 'cds-run-';
/** Linux's file system in memory: engines that need not outlive a run spend a seventh less of the processor there. */
const MEMORY = '/dev/shm';
/** What a run needs of it at most, with as much again left for its processes. */
const RUN_BYTES = 8 * 1024 ** 3;

/** In memory, where nothing expires; one that `measures` is on the disk, as an installation is. */
export async function openScratch(binary: string, { measures = false } = {}) {
  const { bavail, bsize } = existsSync(MEMORY) ? statfsSync(MEMORY) : { bavail: 0, bsize: 0 };
  const isOnDisk = measures || Math.min(bavail * bsize, freemem()) < RUN_BYTES;
  const home = openHome(mkdtempSync(join(isOnDisk ? realpathSync(tmpdir()) : MEMORY, `${HOMES}${process.pid}-`)));
  const mongod = await startMongod({ home, binary, expires: measures });
  return {
    home,
    mongod,
    async close() {
      await mongod.stop();
      await endMarked((from) => from.startsWith(home.root));
      rmSync(home.root, { recursive: true, force: true });
    },
  };
}

/** Drops what an earlier run left when it was killed itself: its process number is in the name of its folder. */
export async function dropAbandoned() {
  const gone = [realpathSync(tmpdir()), MEMORY]
    .flatMap((place) => globSync(join(place, `${HOMES}*`)))
    .filter((path) => !isAlive(Number(basename(path).slice(HOMES.length).split('-')[0])));
  await endMarked((from) => gone.some((folder) => from.startsWith(folder)));
  for (const folder of gone) rmSync(folder, { recursive: true, force: true });
}
