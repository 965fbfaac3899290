// @night: a person in a browser changes little from one commit to the next; sign-in itself has tests beside it.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, readFile, stat, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser, BrowserContext } from 'playwright-core';
import { type SharedStack, sharedStack } from '../support/stack.js';
import { launchBrowser, openView } from './browser.js';
import { allow, aNewcomer, type Newcomer } from './newcomer.js';

/** A person and a command take some seconds; a busy machine takes many times as long. */
const LIMIT_MS = 240_000;

const CDS = join(import.meta.dirname, '..', '..', 'packages', 'cli', 'dist', 'main.js');

type Ran = { exit: number | null; out: string; err: string };
type SavedSignIn = { accessToken: string; refreshToken: string; endsAt: number };

describe('cds login, with a person in a browser', () => {
  let stack: SharedStack;
  let browser: Browser;
  let context: BrowserContext;
  let maya: Newcomer;
  let settings: string;
  const running = new Set<ChildProcess>();

  beforeAll(async () => {
    [stack, browser] = await Promise.all([sharedStack(), launchBrowser()]);
    context = await openView(browser, { url: stack.appUrl, scripts: false });
    maya = await aNewcomer(stack);
    settings = await mkdtemp(join(process.env['CDS_TEST_HOME'] ?? '', 'cli-'));
  }, LIMIT_MS);
  afterAll(async () => {
    for (const child of running) child.kill();
    await browser?.close();
  });

  /** Runs the command as it is installed. Nothing on its PATH opens a browser, so it prints the address to open. */
  const cds = (args: readonly string[], onPage?: (url: string) => void): Promise<Ran> => {
    const child = spawn(process.execPath, [CDS, ...args], {
      env: { PATH: '/nowhere', XDG_CONFIG_HOME: settings, CDS_URL: stack.appUrl, NO_COLOR: '1' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    running.add(child);
    const said = { out: '', err: '' };
    child.stdout.on('data', (chunk) => {
      said.out += chunk;
    });
    child.stderr.on('data', (chunk) => {
      said.err += chunk;
      const [, url] = /^Open (\S+)\n/.exec(said.err) ?? [];
      if (url !== undefined && onPage !== undefined) {
        onPage(url);
        onPage = undefined;
      }
    });
    return new Promise((resolve) => {
      child.once('close', (exit) => {
        running.delete(child);
        resolve({ exit, ...said });
      });
    });
  };

  const file = () => join(settings, 'cds', 'login.json');
  const saved = async () => JSON.parse(await readFile(file(), 'utf8')) as SavedSignIn;
  const at = (path: string, token: string, init: RequestInit = {}) =>
    fetch(`${stack.appUrl}${path}`, { ...init, headers: { ...init.headers, authorization: `Bearer ${token}` } });
  const overMcp = (token: string) =>
    at('/api/mcp', token, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }),
    });

  test(
    'signs in, works, renews its token, and ends at logout',
    async () => {
      const failed: unknown[] = [];
      const person = async (url: string) => {
        const page = await context.newPage();
        await page.goto(url);
        await page.getByText('By calls of the REST API').waitFor();
        await maya.signIn(page);
        await maya.makeKey(page);
        await allow(page, `cds on ${hostname()}`);
        await page.getByText('You can close this window.').waitFor();
        await page.close();
      };
      const login = await cds(['login'], (url) => void person(url).catch((error: unknown) => failed.push(error)));
      expect({ login, failed }).toEqual({ login: expect.objectContaining({ exit: 0 }), failed: [] });
      expect((await stat(file())).mode & 0o777).toBe(0o600);

      const first = await saved();
      expect(login.out + login.err).not.toContain(first.accessToken);
      expect((await at('/api/v1/inventory', first.accessToken)).status).toBe(200);
      expect((await overMcp(first.accessToken)).status).toBe(401);
      const whoami = await cds(['whoami', '--json']);
      expect(JSON.parse(whoami.out)).toMatchObject({ workspace: 'live', key: null, from: 'login' });

      await writeFile(file(), JSON.stringify({ ...first, endsAt: 0 }));
      const commands = await Promise.all([cds(['inventory', '--json']), cds(['orders', '--json'])]);
      expect(commands.map(({ exit, err }) => ({ exit, err }))).toEqual([
        { exit: 0, err: '' },
        { exit: 0, err: '' },
      ]);
      const next = await saved();
      expect(next.refreshToken).not.toBe(first.refreshToken);
      expect((await stat(file())).mode & 0o777).toBe(0o600);

      expect(await cds(['logout'])).toMatchObject({ exit: 0 });
      await expect(stat(file())).rejects.toThrow('ENOENT');
      for (const { accessToken } of [first, next])
        expect((await at('/api/v1/inventory', accessToken)).status).toBe(401);
      expect(await cds(['inventory'])).toMatchObject({ exit: 3, err: expect.stringContaining('cds login') });
    },
    LIMIT_MS,
  );
});
