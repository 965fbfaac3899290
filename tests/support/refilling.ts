import { createHash } from 'node:crypto';
import { MongoClient } from 'mongodb';
import type { SharedStack } from './stack.js';
import { StackWindows } from './windows.js';

/** The id of the document that counts a key's writes of a day. */
const writesOf = (keyId: unknown): string => `writes:${createHash('sha256').update(String(keyId)).digest('base64url')}`;

/**
 * Gives these workspaces back, again and again, what their requests, reads of creators and campaigns used up: the
 * limits have tests of their own, and here they would hide the rest. With `everybody`, people, operators and addresses
 * get back what they used up as well. Returns how to stop.
 */
export const refilling = async (
  stack: SharedStack,
  workspaces: readonly string[],
  { everybody = false }: { everybody?: boolean } = {},
): Promise<() => Promise<void>> => {
  const [mongo, windows] = await Promise.all([new MongoClient(stack.mongodbUri).connect(), StackWindows.open(stack)]);
  const rows = (service: string, collection: string) =>
    mongo.db(`${stack.prefix}cds_${service}`).collection<{ _id: string; ws: string }>(collection);
  const refill = async () => {
    const ofWorkspaces = { ws: { $in: [...workspaces] } };
    const keys = await rows('gateway', 'keys').distinct('key_id', ofWorkspaces);
    const publicIds = await rows('gateway', 'keys').distinct('_id', ofWorkspaces);
    await windows.beginAgain(everybody ? undefined : publicIds);
    await rows('gateway', 'quotas').deleteMany({ _id: { $in: keys.map(writesOf) } });
    if (everybody) await rows('gateway', 'quotas').deleteMany({});
    await rows('catalog', 'read_meters').deleteMany({ _id: { $in: [...workspaces] } });
    await rows('planning', 'campaign_starts').updateMany({ _id: { $in: [...workspaces] } }, { $set: { at: [] } });
  };
  await refill();
  let running = Promise.resolve();
  const timer = setInterval(() => {
    running = running.then(refill).catch(() => undefined);
  }, 1_000);
  return async () => {
    clearInterval(timer);
    await running;
    await Promise.all([mongo.close(), windows.close()]);
  };
};
