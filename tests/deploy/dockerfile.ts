import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { REPOSITORY } from '../../tools/lib/home.js';

/** One instruction of a Dockerfile, its continued lines joined. */
type Instruction = { name: string; rest: string };

/** What a stage ends with: its files below `root`, and how its image starts. */
export type Stage = { name: string; base: string; root: string; workdir: string; user: string; entrypoint: string[] };

/** The instructions of a Dockerfile, in order. */
export const instructionsOf = (text: string): Instruction[] =>
  text
    .split('\n')
    .filter((line) => !line.startsWith('#'))
    .join('\n')
    .replaceAll('\\\n', ' ')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const [name = '', ...rest] = line.trim().split(/\s+/);
      return { name, rest: rest.join(' ') };
    });

/** The pattern of a line of .dockerignore: it means a file or folder, and what is in it. */
const patternOf = (glob: string): RegExp => {
  const source = glob
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replace(
      /\*\*\/|\*\*|\*|\?/g,
      (part) => ({ '**/': '(?:.*/)?', '**': '.*', '*': '[^/]*', '?': '[^/]' })[part] ?? '',
    );
  return new RegExp(`^${source}(?:/|$)`);
};

/** Which files a build is given: of the lines of .dockerignore that mean one, the last decides. */
export const sentBy = (dockerignore: string): ((path: string) => boolean) => {
  const lines = dockerignore
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => ({ keeps: line.startsWith('!'), pattern: patternOf(line.replace(/^!/, '')) }));
  return (path) => lines.findLast(({ pattern }) => pattern.test(path))?.keeps ?? true;
};

/** The context of a build: of the tracked and the new files of the repository, what .dockerignore lets through. */
export const contextIn = (folder: string): void => {
  const names = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: REPOSITORY,
    encoding: 'utf8',
  });
  const isSent = sentBy(readFileSync(join(REPOSITORY, '.dockerignore'), 'utf8'));
  for (const name of names.split('\0').filter((one) => one !== '' && existsSync(join(REPOSITORY, one)) && isSent(one)))
    cpSync(join(REPOSITORY, name), join(folder, name));
};

/**
 * Follows a Dockerfile without a container engine: each stage is a folder, COPY copies, RUN runs in the stage's working
 * folder. `replaced` stands in for commands that need more than this machine; a base image is an empty folder with what
 * `base` puts into it.
 */
export const follow = (
  dockerfile: string,
  {
    context,
    to,
    base,
    replaced,
  }: {
    context: string;
    to: string;
    base: (image: string, root: string) => void;
    replaced: Record<string, (cwd: string) => void>;
  },
): Stage => {
  const stages: Stage[] = [];
  const args: Record<string, string> = {};
  const current = (): Stage => stages.at(-1) ?? raise('an instruction before FROM');
  const within = (stage: Stage, path: string) => join(stage.root, resolve(stage.workdir, path));

  for (const { name, rest } of instructionsOf(readFileSync(dockerfile, 'utf8'))) {
    if (name === 'ARG') {
      const [key = '', value = ''] = rest.split('=');
      args[key] = value;
    } else if (name === 'FROM') {
      const [image = '', , alias = ''] = rest
        .replace(/\$\{(\w+)\}/g, (_all, key: string) => args[key] ?? '')
        .split(' ');
      const root = join(to, String(stages.length));
      mkdirSync(root);
      base(image, root);
      stages.push({ name: alias, base: image, root, workdir: '/', user: '', entrypoint: [] });
    } else if (name === 'WORKDIR') {
      current().workdir = rest;
      mkdirSync(within(current(), '.'), { recursive: true });
    } else if (name === 'COPY') {
      copy(rest, current(), (alias) => stages.find((one) => one.name === alias) ?? raise(`no stage ${alias}`), context);
    } else if (name === 'RUN') {
      for (const command of rest.split(' && ').map((one) => one.trim().replaceAll(/\s+/g, ' ')))
        run(command, within(current(), '.'), replaced);
    } else if (name === 'USER') current().user = rest;
    else if (name === 'ENTRYPOINT') current().entrypoint = JSON.parse(rest) as string[];
    else if (!['ENV', 'LABEL'].includes(name)) raise(`${name} is not followed; teach tests/deploy/dockerfile.ts`);
  }
  return current();
};

const copy = (rest: string, stage: Stage, stageOf: (name: string) => Stage, context: string): void => {
  const words = rest.split(' ');
  const options = words.filter((word) => word.startsWith('--'));
  const paths = words.filter((word) => !word.startsWith('--'));
  const target = paths.pop() ?? '';
  const from = options.find((option) => option.startsWith('--from='))?.slice('--from='.length);
  const root = from === undefined ? context : stageOf(from).root;
  for (const path of paths) {
    const source = join(root, path);
    const folder = statSync(source).isDirectory();
    const to = join(stage.root, resolve(stage.workdir, target), !folder && target.endsWith('/') ? basename(path) : '');
    mkdirSync(folder ? to : join(to, '..'), { recursive: true });
    if (folder) link(source, to);
    else cpSync(source, to);
  }
};

/** Copies a folder as links where the file system can, which is cheap: what runs here never writes in place. */
export const link = (from: string, to: string): void => {
  const options = ['-a', '--remove-destination', `${from}/.`, to];
  try {
    execFileSync('cp', ['--link', ...options], { stdio: 'pipe' });
  } catch {
    execFileSync('cp', options);
  }
};

const run = (command: string, cwd: string, replaced: Record<string, (cwd: string) => void>): void => {
  const instead = Object.keys(replaced).find((start) => command.startsWith(start));
  if (instead !== undefined) replaced[instead]?.(cwd);
  else
    execFileSync('sh', ['-c', command], {
      cwd,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, CI: 'true' },
    });
};

const raise = (message: string): never => {
  throw new Error(message);
};
