import { CliError, EXIT } from '../failures.js';
import type { SignIn } from '../login-file.js';
import type { World } from '../world.js';
import { newProof } from './proof.js';
import { type Begun, codeIn, pageOf, readServer, redeem, register } from './server.js';

/** As long as the service waits for a decision (docs/domain/sign-in.md#mcp-sign-in). */
const LONGEST_MS = 3_600_000;

/** Waits for the browser, but not for longer than the service does. */
const waited = async (world: World, answer: (signal: AbortSignal) => Promise<URLSearchParams>) => {
  const limit = AbortSignal.timeout(LONGEST_MS);
  try {
    return await answer(AbortSignal.any([world.signal, limit]));
  } catch (error) {
    if (limit.aborted && !world.signal.aborted)
      throw new CliError('Nobody signed in within an hour.', 'Run cds login again.', EXIT.declined);
    throw error;
  }
};

/** Signs in by the person's browser, as a public client with PKCE, and listens here for the answer (RFC 8252). */
export const signInByBrowser = async (world: World, url: string): Promise<SignIn> => {
  const server = await readServer(world, url);
  const proof = newProof();
  const loopback = await world.listen((answer) => answer.get('state') === proof.state);
  try {
    const { redirectUri } = loopback;
    const begun: Begun = { server, proof, redirectUri, clientId: await register(world, server, redirectUri) };
    const page = pageOf(begun);
    const opened = await world.openBrowser(page);
    world.err(
      `${opened ? 'Opened' : 'Open'} ${page}\nSign in there, and choose the key that cds acts as. No browser on this machine? Ctrl+C, then cds login --key\n`,
    );
    return await redeem(world, begun, codeIn(await waited(world, loopback.answer), begun));
  } finally {
    await loopback.close();
  }
};
