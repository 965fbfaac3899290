#!/usr/bin/env node
/**
 * One whole system for all suites of a lane that only bring brands of their own into it. The first suite that asks
 * starts this process, which writes how to reach the system to the given file and lives until the lane ends.
 */
import { writeJson } from '../lib/home.js';
import { seedNetwork, startStack } from '../lib/stack.js';

const CREATORS = 400;
const [file] = process.argv.slice(2);

try {
  // Suites listen for webhooks on this machine.
  const stack = await startStack({ env: { CDS_WEBHOOK_ALLOW_LOOPBACK: '1' } });
  await seedNetwork(stack, { creators: CREATORS, seed: 1 });
  const { appUrl, apiUrl, mcpUrl, guestMcpUrl, opsUrl, appUrls, opsToken, relayToken, mongodbUri } = stack;
  const { natsUrl, prefix, home } = stack;
  writeJson(file, {
    appUrl,
    apiUrl,
    mcpUrl,
    guestMcpUrl,
    opsUrl,
    appUrls,
    opsToken,
    relayToken,
    mongodbUri,
    natsUrl,
    prefix,
    home,
  });
  setInterval(() => {}, 2 ** 30);
} catch (error) {
  writeJson(file, { failed: String(error?.message ?? error) });
  process.exit(1);
}
