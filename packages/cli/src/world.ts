import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { type Config, readConfig } from './config.js';
import { type Loopback, listen } from './sign-in/loopback.js';

/** Everything outside the command line, so that a test can replace it. */
export type World = {
  config: Config;
  fetch: typeof globalThis.fetch;
  out: (text: string) => void;
  err: (text: string) => void;
  /** Which of output, errors and input are a terminal, and how wide that is. */
  terminal: { out: boolean; err: boolean; in: boolean; columns: number };
  /** Asks a person at the terminal. `hidden` shows nothing of what is typed. */
  ask: (question: string, options?: { hidden?: boolean }) => Promise<string>;
  readInput: () => Promise<string>;
  /** Opens a page in the person's browser; whether that seems to have worked. */
  openBrowser: (url: string) => Promise<boolean>;
  listen: (accepts: (answer: URLSearchParams) => boolean) => Promise<Loopback>;
  now: () => number;
  /** Aborted when the person presses Ctrl+C. */
  signal: AbortSignal;
};

const OPENERS: Readonly<Record<string, readonly [string, ...string[]]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};

const openBrowser = (url: string): Promise<boolean> =>
  new Promise((resolve) => {
    const [command, ...args] = OPENERS[process.platform] ?? ['xdg-open'];
    const child = spawn(command, [...args, url], { stdio: 'ignore', detached: true });
    child.once('error', () => resolve(false)).once('spawn', () => resolve(true));
    child.unref();
  });

const ask = async (question: string, interrupt: AbortController, { hidden = false } = {}): Promise<string> => {
  let muted = false;
  const output = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      if (!muted) process.stderr.write(chunk);
      done();
    },
  });
  const terminal = createInterface({ input: process.stdin, output, terminal: true });
  // At its prompt the terminal hands over Ctrl+C as a key, not as a signal.
  terminal.once('SIGINT', () => interrupt.abort(new Interrupted()));
  try {
    const answer = terminal.question(question, { signal: interrupt.signal });
    muted = hidden;
    return (await answer).trim();
  } finally {
    terminal.close();
    if (hidden) process.stderr.write('\n');
  }
};

const readInput = async (): Promise<string> => {
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(Buffer.from(chunk as Uint8Array));
  return Buffer.concat(chunks).toString('utf8');
};

export const realWorld = (): World => {
  const interrupt = new AbortController();
  process.once('SIGINT', () => interrupt.abort(new Interrupted()));
  return {
    config: readConfig(),
    fetch: globalThis.fetch,
    out: (text) => process.stdout.write(text),
    err: (text) => process.stderr.write(text),
    terminal: {
      out: process.stdout.isTTY === true,
      err: process.stderr.isTTY === true,
      in: process.stdin.isTTY === true,
      columns: process.stdout.columns ?? 80,
    },
    ask: (question, options) => ask(question, interrupt, options),
    readInput,
    openBrowser,
    listen,
    now: () => Date.now(),
    signal: interrupt.signal,
  };
};

export class Interrupted extends Error {}
