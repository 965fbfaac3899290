import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { CAUSES, type Cause, DERIVED_RIGHTS, rolesThatMay } from './derived-rights.js';

/** The table of docs/domain/access.md#rights, as DERIVED_RIGHTS has it. */
const table = (): string => {
  const rows = Object.values(DERIVED_RIGHTS).map(({ right, madeBy, fates }) => {
    const causes = Object.entries(fates) as [Cause, string | { stays: string }][];
    const where = (fate: string): string =>
      causes
        .filter(([, one]) => one === fate)
        .map(([cause]) => CAUSES[cause])
        .join('; ');
    const reasons = new Map<string, string[]>();
    for (const [cause, fate] of causes)
      if (typeof fate !== 'string') reasons.set(fate.stays, [...(reasons.get(fate.stays) ?? []), CAUSES[cause]]);
    const stays = [...reasons].map(([reason, of]) => `${of.join(' or ')}: ${reason}`).join('; ');
    return [right, madeBy, where('ends'), where('narrows'), where('refused'), stays];
  });
  const head = ['right', 'its row records', 'ends for good when', 'narrows when', 'is refused while', 'stays when'];
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`.replaceAll('|  |', '| |');
  return [
    line(head),
    `|${head.map(() => '---|').join('')}`,
    ...rows.map((row) => line(row).replaceAll('|  |', '| |')),
  ].join('\n');
};

test('the documents have the table of rights as it is declared and tested', () => {
  const page = readFileSync(join(import.meta.dirname, '../../../../../../docs/domain/access.md'), 'utf8');
  expect(page).toContain(table());
});

test('whoever may make keys connects clients, and owners invite', () => {
  expect(rolesThatMay('client')).toEqual(['admin', 'owner']);
  expect(rolesThatMay('invitation')).toEqual(['owner']);
});
