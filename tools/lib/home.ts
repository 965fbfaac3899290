import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Failure } from './failure.ts';

/** What state.json keeps from start to start. */
export type State = {
  mongod_port: number;
  member_ports: number[];
  bus_ports: number[];
  layout: 'single' | 'cluster';
  network: { creators: number; seed: number };
  demo_shown: boolean;
};
export type Home = ReturnType<typeof openHome>;

export const REPOSITORY = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
/** What a system stores: one folder per engine, or per member of an engine's cluster. */
const DATA = /^((mongo|nats)(-\d+)?|state\.json|runtime\.json)$/;
const LOG_LIMIT_BYTES = 20 * 1024 * 1024;

/** Opens the folder with one installation's data, secrets, logs and state; creates it when missing. */
export function openHome(path = process.env.CDS_HOME || join(REPOSITORY, '.cds')) {
  const folder = resolve(path);
  makeHome(folder);
  const root = realpathSync(folder);
  const at = (...parts: string[]) => join(root, ...parts);
  const folderAt = (name: string) => {
    mkdirSync(at(name), { recursive: true, mode: 0o700 });
    return at(name);
  };
  return {
    root,
    at,
    folder: folderAt,
    /** A file handle for a child's output. It outlives this process, so a killed launcher breaks no pipe. */
    openLog(name: string) {
      const file = join(folderAt('logs'), `${name}.log`);
      if (existsSync(file) && statSync(file).size > LOG_LIMIT_BYTES) renameSync(file, `${file}.1`);
      return { file, fd: openSync(file, 'a', 0o600) };
    },
    readState: () => readJson<Partial<State>>(at('state.json')) ?? {},
    writeState(change: Partial<State>) {
      writeJson(at('state.json'), { ...readJson<Partial<State>>(at('state.json')), ...change });
    },
    dropData() {
      for (const name of readdirSync(root).filter((entry) => DATA.test(entry)))
        rmSync(at(name), { recursive: true, force: true });
    },
  };
}

function makeHome(folder: string) {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    accessSync(folder, constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new Failure(
      `The home ${folder} cannot be used.`,
      ['Use another folder: CDS_HOME=/path npm start', 'npm run doctor  (says what is wrong with this one)'],
      [error.message],
    );
  }
}

/** Returns the content; undefined when there is no such file, or half of one */
export function readJson<T>(file: string): T | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    if (error.code === 'ENOENT' || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Written to a file next to it and renamed, so that a reader never sees half a file; readable by its owner only. */
export function writeJson(file: string, value: unknown) {
  writePrivate(file, `${JSON.stringify(value, null, 2)}\n`);
}

export function writePrivate(file: string, text: string, mode = 0o600) {
  const beside = `${file}.${process.pid}.new`;
  rmSync(beside, { force: true });
  const fd = openSync(beside, 'wx', mode);
  try {
    writeFileSync(fd, text);
  } finally {
    closeSync(fd);
  }
  renameSync(beside, file);
}

export function linesFrom(file: string, offset: number) {
  try {
    return readFileSync(file).subarray(offset).toString('utf8').trimEnd().split('\n').filter(Boolean);
  } catch {
    return [];
  }
}

/** Where engines and Node may be, the first one for writing: per user, so that a clean clone fetches nothing again. */
export function cacheFolders() {
  if (process.env.CDS_CACHE) return [resolve(process.env.CDS_CACHE)];
  const perUser = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'cds');
  const ofRepository = join(REPOSITORY, '.cds');
  try {
    mkdirSync(perUser, { recursive: true });
    return [perUser, ofRepository];
  } catch {
    return [ofRepository];
  }
}

/** Paths are shown short: relative to the repository or to the user's home folder. */
export function shortPath(path: string) {
  if (path.startsWith(`${REPOSITORY}/`)) return path.slice(REPOSITORY.length + 1);
  return path.startsWith(`${homedir()}/`) ? `~${path.slice(homedir().length)}` : path;
}
