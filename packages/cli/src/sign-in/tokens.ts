import { randomUUID } from 'node:crypto';
import { readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { CliError, EXIT } from '../failures.js';
import { isSignIn, makeFolder, readLogin, type SignIn, saveLogin } from '../login-file.js';
import type { World } from '../world.js';
import { refresh } from './server.js';

/** A token this close to its end is renewed first, so that it lasts for the request. */
const MARGIN_MS = 60_000;
const POLL_MS = 50;
/** No refresh takes this long, so a lock that is older was left by a process that died. */
const ABANDONED_MS = 120_000;

const isFresh = ({ endsAt }: SignIn, now: number): boolean => endsAt - MARGIN_MS > now;

const isTaken = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'EEXIST';

/** Runs work that no other command of this person's runs at the same time. */
export const alone = async <T>({ config, signal }: World, work: () => Promise<T>): Promise<T> => {
  const lock = join(config.folder, 'login.lock');
  const owner = randomUUID();
  await makeFolder(config.folder);
  for (;;) {
    try {
      await writeFile(lock, owner, { flag: 'wx' });
      break;
    } catch (error) {
      if (!isTaken(error)) throw error;
      if (await isAbandoned(lock)) await clear(lock, owner);
      else await sleep(POLL_MS, undefined, { signal });
    }
  }
  try {
    return await work();
  } finally {
    // It is another's if this command slept for so long that it counted as dead.
    if ((await readFile(lock, 'utf8').catch(() => '')) === owner) await rm(lock, { force: true });
  }
};

const isAbandoned = (lock: string): Promise<boolean> =>
  stat(lock).then(
    ({ mtimeMs }) => Date.now() - mtimeMs > ABANDONED_MS,
    () => false,
  );

/** Takes an abandoned lock out of the way. Of several commands that try, one moves it; a new lock is put back. */
const clear = async (lock: string, owner: string): Promise<void> => {
  const aside = `${lock}.${owner}`;
  try {
    await rename(lock, aside);
  } catch {
    return;
  }
  if (await isAbandoned(aside)) await rm(aside, { force: true });
  else await rename(aside, lock);
};

const saved = async ({ config }: World): Promise<SignIn> => {
  const login = await readLogin(config.folder);
  if (login === null || !isSignIn(login))
    throw new CliError('The sign-in has ended meanwhile.', 'Sign in again: cds login', EXIT.access);
  return login;
};

/**
 * The access token of the saved sign-in, a new one where it has come to its end. A refresh token that is used twice
 * ends its sign-in, so only one command at a time renews, and the others take what it saved.
 */
export const currentToken = async (world: World): Promise<string> => {
  const login = await saved(world);
  if (isFresh(login, world.now())) return login.accessToken;
  return alone(world, async () => {
    const latest = await saved(world);
    if (isFresh(latest, world.now())) return latest.accessToken;
    const next = await refresh(world, latest);
    await saveLogin(world.config.folder, next);
    return next.accessToken;
  });
};
