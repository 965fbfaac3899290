import { expect, test } from '@jest/globals';
import { printFirstLead, printing } from './printing.js';

const logged = () => {
  const lines: object[] = [];
  const log = { info: (line: object) => void lines.push(line), warn: (line: object) => void lines.push(line) };
  return { lines, log: log as never };
};
const message = { kind: 'sign_in', to: 'ada@people.example', subject: 'Your link' } as never;

test.each([
  ['development', [{ kind: 'sign_in', to: 'ada@people.example', subject: 'Your link', link: 'https://x.example' }]],
  ['test', []],
  ['production', []],
])('in %s a message is printed only where nobody else delivers it', (env, expected) => {
  const { lines, log } = logged();
  printing({ config: { env } as never, log })(message, 'https://x.example');
  expect(lines).toEqual(expected);
});

test.each([
  ['a link', [{ link: 'https://x.example' }]],
  [null, []],
] as const)('the first lead is offered %s', async (offered, expected) => {
  const { lines, log } = logged();
  const link = offered === null ? null : 'https://x.example';
  await printFirstLead({ operators: { linkForFirstLead: async () => link } as never }, log);
  expect(lines).toEqual(expected);
});
