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
  ['development', 'https://x.example', [{ link: 'https://x.example' }]],
  ['development', null, []],
  ['test', 'https://x.example', []],
  ['production', 'https://x.example', []],
])('in %s the first lead is offered a link in the log only there: %s', async (env, link, expected) => {
  const { lines, log } = logged();
  const shell = { config: { env } as never, log };
  await printFirstLead({ operators: { linkForFirstLead: async () => link } as never }, shell);
  expect(lines).toEqual(expected);
});
