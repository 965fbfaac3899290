import { describe, expect, it } from '@jest/globals';
import { duration } from './commands/values.js';
import { clean, money, table } from './output.js';
import { createProgress } from './progress.js';
import { aWorld } from './test/fake-world.js';

describe('a table', () => {
  const columns = [
    { title: 'name', wide: true },
    { title: 'price', align: 'right' },
  ] as const;
  const rows = [
    ['Ann', '$5'],
    ['Bartholomew the Second', '$1,000'],
  ];

  it('aligns its columns, numbers to the right', () => {
    expect(table(columns, rows, aWorld().world)).toBe(
      'name                     price\nAnn                         $5\nBartholomew the Second  $1,000\n',
    );
  });

  it('cuts the wide column to the width of a terminal, and nothing elsewhere', () => {
    const terminal = { out: true, columns: 20 };
    expect(table(columns, rows, aWorld({ terminal, noColor: true }).world)).toContain('Bartholomew…  $1,000');
    expect(table(columns, rows, aWorld({ terminal: { columns: 20 } }).world)).toContain('Bartholomew the Second');
  });
});

describe('values', () => {
  it.each([
    [509_500, '$5,095'],
    [1, '$0.01'],
    [0, '$0'],
    [null, ''],
  ])('%s cents are %s', (cents, words) => {
    expect(money(cents)).toBe(words);
  });

  it.each([
    ['90s', 90],
    ['2d', 172_800],
  ])('%s are %s seconds', (text, seconds) => {
    expect(duration(text)).toBe(seconds);
  });

  it('keep text on one line', () => {
    expect(clean('a\r\nb\u0007\u2066c')).toBe('a b c');
  });
});

describe('progress', () => {
  it('says nothing of a short call, and each attempt of a long one', async () => {
    const { world, said } = aWorld();
    const progress = createProgress(world);
    await progress.during('Signing', async () => 1);
    expect(said.err).toBe('');
    progress.onRetry({ operation: 'inventory', attempt: 1, waitMs: 1_500, error: new Error('Unavailable.') });
    expect(said.err).toBe('Unavailable. Trying again in 2 s (attempt 1 failed).\n');
  });
});
