import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join, posix } from 'node:path';
import {
  API_VERSION,
  ERROR_CODES,
  events,
  isShellOperation,
  MANDATE_REASONS,
  operationsOf,
  publishedOperations,
  SERVICES,
} from '@cds/contracts';
import { describe, expect, it } from '@jest/globals';
import { anchorsOf } from '../../tools/check/citations.js';
import { textFiles } from '../../tools/check/text-files.js';

const root = join(import.meta.dirname, '..', '..');
const read = (path: string): Promise<string> => readFile(join(root, path), 'utf8');

/** A path of the repository, or of the page's own package, in backticks: with a folder and without a placeholder. */
const PATH = /`((?:libs|services|packages|tests|tools|docs|deploy|loadtest|src)\/[\w./-]+)`/g;
/** Paths of what a build or a run makes, and methods of MCP that look like paths. */
const NOT_TRACKED = /\/dist\/|^loadtest\/results\/|^deploy\/compose\/secrets|^tools\/(?:call|list)$/;

const LINK = /\]\(([^)\s]+)\)/g;

const withoutCode = (text: string): string => text.replaceAll(/^```.*?^```/gms, '').replaceAll(/`[^`\n]*`/g, '``');

/** The name of a collection where a store declares it, inline or through a constant of the same file. */
const DECLARED = /\bname: (?:'(\w+)'|([A-Z_]+)\b)/g;
/** The name of a collection where a store that serves several of them is made. */
const MADE = /\bnew \w+(?:<\w+>)?\(store, '(\w+)'(?:, \w+)*\)/g;

const FOLDERS = [
  ['store', DECLARED],
  ['rails', DECLARED],
  ['identity', DECLARED],
  ['people', MADE],
  ['operators', MADE],
] as const;

/** The collections that a service's stores declare. */
const collectionsOf = async (service: string): Promise<Set<string>> => {
  const found = new Set<string>();
  const files = await readdir(join(root, `services/${service}/src`), { recursive: true });
  for (const file of files.filter((one) => /(?<!\.test)\.ts$/.test(one))) {
    const [, pattern] = FOLDERS.find(([folder]) => `/${file}`.includes(`/${folder}/`)) ?? [];
    if (pattern === undefined) continue;
    const text = await read(`services/${service}/src/${file}`);
    for (const [, literal, constant] of text.matchAll(pattern))
      found.add(literal ?? new RegExp(`${constant} = '(\\w+)'`).exec(text)?.[1] ?? `${constant} of ${file}`);
  }
  return found;
};

const suitesOf = async (): Promise<Record<string, string[]>> => {
  const files = await readdir(join(root, 'tests'), { recursive: true });
  const suites = files.flatMap((file) => {
    const [, room = '', suite = ''] = /^(?!dist\/)([^/]+)\/(.+)\.test\.ts$/.exec(file) ?? [];
    return room === '' ? [] : [{ room, suite }];
  });
  return Object.fromEntries(
    [...Map.groupBy(suites, ({ room }) => room)].map(([room, own]) => [room, own.map(({ suite }) => suite).sort()]),
  );
};

const listedSuites = (page: string): Record<string, string[]> =>
  Object.fromEntries(
    page
      .split(/^## /m)
      .slice(1)
      .map((section) => {
        const names = [...section.matchAll(/^\| (`[^|]+) \|/gm)].flatMap(([, cell = '']) => [
          ...cell.matchAll(/`([\w/-]+)`/g),
        ]);
        return [section.split('\n', 1)[0] ?? '', names.map(([, name = '']) => name).sort()];
      }),
  );

describe('the documents', () => {
  it('list every suite of the tests of the whole system, in its room, and every room', async () => {
    const [suites, page] = [await suitesOf(), await read('tests/README.md')];
    expect(listedSuites(page)).toEqual(suites);
    const rooms = [...(page.split(/^## /m)[0] ?? '').matchAll(/^\| `(\w+)` \|/gm)].map(([, room]) => room);
    expect(rooms).toEqual(expect.arrayContaining(Object.keys(suites)));
  });

  it('name only files and folders that exist', () => {
    const named = textFiles().flatMap(({ path: page, text }) =>
      page.endsWith('.md') ? [...text.matchAll(PATH)].map(([, path = '']) => ({ page, path })) : [],
    );
    expect(named.length).toBeGreaterThan(200);
    const missing = named.filter(({ page, path }) => {
      const beside = join(root, posix.dirname(page));
      if (NOT_TRACKED.test(path) || (path.startsWith('src/') && !existsSync(join(beside, 'src')))) return false;
      return !existsSync(join(root, path)) && !existsSync(join(beside, path));
    });
    expect(missing).toEqual([]);
  });

  it('link only to files and headings that exist', () => {
    const pages = textFiles().filter(({ path }) => path.endsWith('.md'));
    const anchors = new Map(pages.map(({ path, text }) => [path, anchorsOf(text)]));
    const links = pages.flatMap(({ path, text }) =>
      [...withoutCode(text).matchAll(LINK)].flatMap(([, target = '']) => {
        if (/^[a-z]+:/.test(target)) return [];
        const [file = '', anchor = ''] = target.split('#');
        const to = file === '' ? path : posix.normalize(posix.join(posix.dirname(path), file));
        const leads = existsSync(join(root, to)) && (anchor === '' || anchors.get(to)?.has(anchor) === true);
        return [{ link: `${path}: ${target}`, leads }];
      }),
    );
    expect(links.length).toBeGreaterThan(200);
    expect(links.filter(({ leads }) => !leads).map(({ link }) => link)).toEqual([]);
  });

  it('give every decision its context, consequences and what would reopen it', async () => {
    const names = await readdir(join(root, 'docs/adr'));
    for (const name of names) {
      const headings = [...(await read(`docs/adr/${name}`)).matchAll(/^## (.+)$/gm)].map(([, heading]) => heading);
      expect({ name, headings }).toEqual({
        name,
        headings: ['Context', 'Decision', 'Consequences', 'What would reopen it'],
      });
    }
  });

  it('give every collection exactly one writer', async () => {
    const table = (await read('ARCHITECTURE.md')).split('## One writer per collection')[1]?.split('\n## ')[0] ?? '';
    for (const service of SERVICES) {
      const rows = table.split('\n').filter((row) => row.startsWith(`| ${service}`));
      const listed = rows.flatMap((row) => [...(row.split('|')[2] ?? '').matchAll(/`(\w+)`/g)].map(([, name]) => name));
      expect({ service, collections: new Set(listed) }).toEqual({ service, collections: await collectionsOf(service) });
    }
  });

  it.each(['billing', 'planning'] as const)(
    'name each operation of %s and each event that it follows',
    async (name) => {
      const readme = await read(`services/${name}/README.md`);
      const operations = operationsOf(name).filter((one) => !isShellOperation(one.name));
      const followed = events.filter(({ consumers }) => consumers.includes(name));
      const all = [...operations, ...followed].map((one) => one.name);
      expect(all.length).toBeGreaterThan(30);
      expect(all.filter((one) => !readme.includes(`\`${one}\``))).toEqual([]);
    },
  );

  it('start the changelog with the current API version', async () => {
    expect(/^## (\S+)/m.exec(await read('CHANGELOG.md'))?.[1]).toBe(API_VERSION);
  });
});

describe('the guide to errors', () => {
  const cells = async (): Promise<string[][]> =>
    (await read('docs/guides/errors.md'))
      .split('\n')
      .filter((line) => line.startsWith('| `'))
      .map((line) => line.split('|').map((cell) => cell.trim()));
  const words = (cell = ''): string[] => [...cell.matchAll(/`(\w+)`/g)].map(([, word = '']) => word);

  it('lists every code with its status, and no other', async () => {
    const codes = (await cells())
      .filter((row) => /^\d{3}$/.test(row[2] ?? ''))
      .map((row) => [words(row[1])[0] ?? '', Number(row[2])] as const);
    expect(codes).toHaveLength(Object.keys(ERROR_CODES).length);
    for (const [code, { status }] of Object.entries(ERROR_CODES)) expect(codes).toContainEqual([code, status]);
  });

  it('explains every reason that a public operation can return', async () => {
    const listed = new Set((await cells()).flatMap((row) => words(row[1])));
    const reasons = [...MANDATE_REASONS, ...publishedOperations().flatMap((operation) => operation.conflicts ?? [])];
    expect([...new Set(reasons)].filter((reason) => !listed.has(reason))).toEqual([]);
  });
});
