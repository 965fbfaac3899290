import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { extensionTools, operations, sandboxTools, toolNameOf } from '@cds/contracts';
import { describe, expect, test } from '@jest/globals';
import { INSTRUCTIONS } from './key-offer.js';
import { toolsUnder } from './tools.js';

/** Every name of an operation or tool; a text that has one, or a method and path, tells its reader to call it. */
const NAMES = new Set(
  [...operations.map(({ name }) => name), ...[...extensionTools(), ...sandboxTools()].map(toolNameOf)].filter((name) =>
    name.includes('_'),
  ),
);
const namedIn = (text: string): string[] =>
  (text.match(/\b[a-z]+(?:_[a-z]+)+\b|\b(?:GET|POST|PUT|PATCH|DELETE) \/[\w/{}.-]+/g) ?? []).filter(
    (word) => NAMES.has(word) || word.includes(' '),
  );

describe.each([
  ['a plain client', false, false],
  ['a client of a sandbox', false, true],
  ['a client where extensions are on', true, false],
])('%s reads only of tools that it has', (_who, extensions, sandbox) => {
  const { list, operations: callable } = toolsUnder({ extensions }, sandbox);

  test.each(list.map((tool) => [tool.name, JSON.stringify(tool)] as const))('by the tool %s', (_name, text) => {
    expect(namedIn(text).filter((name) => !callable.has(name))).toEqual([]);
  });

  test('by the instructions', () => {
    expect(namedIn(INSTRUCTIONS).filter((name) => !callable.has(name))).toEqual([]);
  });
});

const ROOT = join(import.meta.dirname, '../../../../..');
const SPEAKERS = [
  ...['planning', 'proposals', 'billing', 'catalog', 'metrics'].map((service) => `services/${service}/src`),
  ...['error.ts', 'error-guide.ts', 'conflict-guide.ts', 'catalog/segments.ts'].map(
    (file) => `libs/contracts/src/${file}`,
  ),
];
const sourcesOf = (path: string): string[] =>
  path.endsWith('.ts')
    ? [path]
    : readdirSync(join(ROOT, path), { recursive: true, encoding: 'utf8' })
        .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && !file.startsWith('test/'))
        .map((file) => `${path}/${file}`);
/** Sentences in quotes; operators read paths of their own, which have no other transport. */
const sentencesOf = (source: string): string[] =>
  (source.replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '').match(/(['"`])(?:(?!\1)[^\\\n]|\\.)*\1/g) ?? [])
    .filter((text) => /[a-z] [a-z]/i.test(text))
    .map((text) => text.replaceAll(/[A-Z]+ \/api\/ops\//g, ''));

test.each(SPEAKERS)('the refusals, notes and next steps of %s name no operation by path or tool', (path) => {
  const sources = sourcesOf(path);
  expect(sources.length).toBeGreaterThan(0);
  const named = sources.flatMap((file) => {
    const found = sentencesOf(readFileSync(join(ROOT, file), 'utf8')).flatMap(namedIn);
    return found.length === 0 ? [] : [{ file, found }];
  });
  expect(named).toEqual([]);
});
