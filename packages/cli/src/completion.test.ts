import { execFileSync } from 'node:child_process';
import { describe, expect, it } from '@jest/globals';
import { completionOf } from './completion.js';
import { programOf } from './run.js';
import { aWorld } from './test/fake-world.js';

const program = programOf(aWorld().world);

/** What bash would offer for a line whose last word is being typed. */
const offered = (...words: string[]): string[] => {
  const script = `${completionOf(program, 'bash')}
COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')})
COMP_CWORD=${words.length - 1}
_cds
printf '%s\\n' "\${COMPREPLY[@]}"`;
  return execFileSync('bash', ['--norc', '-c', script], { encoding: 'utf8' }).split('\n').filter(Boolean);
};

describe('completion in bash', () => {
  it.each([
    [
      ['cds', 'cr'],
      ['creators', 'creator'],
    ],
    [
      ['cds', 'plan', 's'],
      ['start', 'swap'],
    ],
    [['cds', 'plan', 'quote', '--j'], ['--json']],
    [['cds', 'approve', 'PLAN', '--f'], ['--fingerprint']],
    [['cds', 'status', '--u'], ['--url']],
  ])('%j', (words, expected) => {
    expect(offered(...words)).toEqual(expected);
  });
});

describe('completion in other shells', () => {
  it('names every command and option', () => {
    for (const shell of ['zsh', 'fish'])
      for (const word of ['approve', 'preflight', 'fingerprint', 'completion'])
        expect(completionOf(program, shell)).toContain(word);
  });

  it('in fish quotes what commands say of themselves', () => {
    const text = completionOf(program, 'fish');
    expect(text).toContain("-d 'Show a plan\\'s lines");
    for (const line of text.trimEnd().split('\n')) expect(line).toMatch(/^complete -c cds /);
  });
});
