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
