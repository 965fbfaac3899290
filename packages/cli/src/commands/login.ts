import { ApiFailure, createClient } from '@cds/sdk';
import type { Command } from 'commander';
import { type Common, clientFor, credentials } from '../context.js';
import { CliError, EXIT } from '../failures.js';
import { isSignIn, type Login, readLogin, removeLogin, type SignIn, saveLogin } from '../login-file.js';
import { signInByBrowser } from '../sign-in/by-browser.js';
import { revoke } from '../sign-in/server.js';
import { alone } from '../sign-in/tokens.js';
import type { World } from '../world.js';
import { KEY, nameOf } from './key-name.js';

const askKey = async (world: World, url: string, fromInput: boolean): Promise<string> => {
  if (fromInput) return (await world.readInput()).trim();
  if (!world.terminal.in)
    throw new CliError('There is no terminal to ask for the key.', 'Pipe it in: cds login --key-stdin < key.txt');
  const page = new URL('/developers', url).href;
  const opened = await world.openBrowser(page);
  world.err(`${opened ? 'Opened' : 'Open'} ${page}\nMake a key there, copy it, and paste it here. It is not shown.\n`);
  return world.ask('Key: ', { hidden: true });
};

/** Whether the service knows the key. Any valid key may read the usage of its workspace. */
const checkKey = async (world: World, url: string, key: string): Promise<void> => {
  try {
    await clientFor(world, { url, key }).keysUsage({ limit: 1 }, { signal: world.signal });
  } catch (error) {
    if (error instanceof ApiFailure && error.code === 'unauthorized')
      throw new CliError(`${url} does not know this key.`, 'Copy it again, or make a new one.', EXIT.access);
    throw error;
  }
};

const ended = (world: World, signIn: SignIn): Promise<boolean> =>
  revoke(world, signIn).then(
    () => true,
    () => false,
  );

/** Saves a login, and ends the sign-in that it replaces, so that no forgotten one stays valid. */
const replaced = async (world: World, login: Login): Promise<string> => {
  const { folder } = world.config;
  const before = await readLogin(folder);
  const path = await alone(world, () => saveLogin(folder, login));
  if (before !== null && isSignIn(before)) await ended(world, before);
  return path;
};

type LoginOptions = Common & { key?: boolean; keyStdin?: boolean };

const withKey = async (world: World, url: string, fromInput: boolean): Promise<void> => {
  const key = await askKey(world, url, fromInput);
  if (!KEY.test(key))
    throw new CliError('That is no API key.', 'A key begins with cds_live_ or cds_test_; copy the whole of it.');
  await checkKey(world, url, key);
  const path = await replaced(world, { url, key });
  world.out(`Logged in to ${url} as ${nameOf(key)}. The key is in ${path}, readable by you alone.\n`);
};

const login = async (world: World, options: LoginOptions): Promise<void> => {
  const { url } = await credentials(world, options.url);
  createClient({ url, key: 'unused' });
  if (options.key === true || options.keyStdin === true) return withKey(world, url, options.keyStdin === true);
  const signIn = await signInByBrowser(world, url);
  const path = await replaced(world, signIn);
  world.out(`Logged in to ${signIn.url}. The sign-in is in ${path}, readable by you alone; cds logout ends it.\n`);
};

const logout = async (world: World): Promise<void> => {
  const was = await alone(world, () => removeLogin(world.config.folder));
  if (was === null) return world.out('Nobody was logged in.\n');
  if (!isSignIn(was)) return world.out('Logged out. The key stays valid until it is revoked in Developers.\n');
  if (!(await ended(world, was)))
    throw new CliError(
      `Logged out here, but ${was.url} did not say that the sign-in has ended.`,
      'End it in Developers, on the page of its key.',
      EXIT.unavailable,
    );
  world.out('Logged out. The sign-in has ended; its key stays.\n');
};

export const addLogin = (program: Command, world: World): void => {
  program
    .command('login')
    .description('Sign in by the browser, or save an API key from Developers')
    .option('--key', 'paste a key instead, on a machine without a browser')
    .option('--key-stdin', 'read the key from the input')
    .action((_options, command: Command) => login(world, command.optsWithGlobals()));
  program
    .command('logout')
    .description('End the sign-in, or remove the saved key')
    .action(() => logout(world));
};
