/** A copy of the tree, in which mutants are made and tested; the tree itself is never changed. */
import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { REPOSITORY } from '../lib/home.ts';
import { type Patch, patched } from '../lib/patch.ts';

const MODULES = 'node_modules';

export class Copy {
  readonly root: string;

  constructor() {
    this.root = mkdtempSync(join(realpathSync(tmpdir()), 'cds-mutants-'));
    for (const path of sources()) copy(path, this.root);
    for (const path of builds()) copy(path, this.root);
    linkPackages(this.root);
  }

  /** Makes the mutant, and returns what takes it back. */
  apply(edits: readonly Patch[]) {
    const before: Map<string, string> = new Map();
    for (const edit of edits) {
      const path = join(this.root, edit.file);
      const text = readFileSync(path, 'utf8');
      if (!before.has(path)) before.set(path, text);
      writeFileSync(path, patched(text, edit));
    }
    return () => {
      for (const [path, text] of before) writeFileSync(path, text);
    };
  }

  remove() {
    rmSync(this.root, { recursive: true, force: true });
  }
}

/** Tracked and new files, as they are now. */
function sources() {
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: REPOSITORY,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  return listed.split('\0').filter((path) => path !== '' && existsSync(join(REPOSITORY, path)));
}

/** What was compiled, so that the copy compiles only what a mutant changes. */
function builds() {
  const packages = ['libs', 'packages', 'services'].flatMap((room) =>
    readdirSync(join(REPOSITORY, room)).map((name) => join(room, name)),
  );
  return [...packages, 'tests', 'tools', 'loadtest', '.']
    .flatMap((folder) => ['dist', 'tsconfig.tsbuildinfo'].map((name) => join(folder, name)))
    .filter((path) => existsSync(join(REPOSITORY, path)));
}

function copy(path: string, root: string) {
  cpSync(join(REPOSITORY, path), join(root, path), { recursive: true, preserveTimestamps: true });
}

/**
 * Links the installed packages. Our own ones are links into the tree they are installed in: these are made again, or
 * the copy would test the sources of the tree.
 */
function linkPackages(root: string) {
  const modules = join(REPOSITORY, MODULES);
  for (const name of readdirSync(modules)) {
    const scoped = name.startsWith('@') ? readdirSync(join(modules, name)).map((one) => join(name, one)) : [name];
    for (const one of scoped) {
      const from = join(modules, one);
      const to = join(root, MODULES, one);
      mkdirSync(dirname(to), { recursive: true });
      symlinkSync(isOurs(from) ? readlinkSync(from) : from, to);
    }
  }
  for (const room of ['libs', 'services'])
    for (const name of readdirSync(join(REPOSITORY, room))) {
      const own = join(REPOSITORY, room, name, MODULES);
      if (existsSync(own)) symlinkSync(own, join(root, room, name, MODULES));
    }
}

function isOurs(path: string) {
  return lstatSync(path).isSymbolicLink() && !realpathSync(path).includes(`/${MODULES}/`);
}
