/** A copy of the tree, in which mutants are made and tested; the tree itself is never changed. */
import { cpSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { REPOSITORY } from './home.ts';

const MODULES = 'node_modules';
const LEFT_OUT = new Set([MODULES, '.git', '.cds', 'results']);
/** Our own packages, which npm installs as relative links: these lead into the copy. */
const OURS = join(MODULES, '@cds');

export function copyOfTree(): string {
  const root = mkdtempSync(join(realpathSync(tmpdir()), 'cds-mutants-'));
  const filter = (path: string) => !LEFT_OUT.has(basename(path));
  cpSync(REPOSITORY, root, { recursive: true, preserveTimestamps: true, filter });
  cpSync(join(REPOSITORY, OURS), join(root, OURS), { recursive: true, verbatimSymlinks: true });
  const others = readdirSync(join(REPOSITORY, MODULES)).map((name) => join(MODULES, name));
  const rooms = ['libs', 'services'].flatMap((room) =>
    readdirSync(join(REPOSITORY, room)).map((name) => join(room, name)),
  );
  const nested = rooms.filter((path) => readdirSync(join(REPOSITORY, path)).includes(MODULES));
  for (const path of [...others.filter((one) => one !== OURS), ...nested.map((one) => join(one, MODULES))]) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    symlinkSync(join(REPOSITORY, path), join(root, path));
  }
  return root;
}
