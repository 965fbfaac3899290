import { setTimeout as delay } from 'node:timers/promises';
import { AWAY_MS, MONGOD, type System } from '../system.js';
import type { FaultKind } from './fault.js';

type Broken = { hit: string; restore: () => unknown };

/** Something that is broken for a time while writes are answered. It is over when all members follow one that leads. */
const brokenFor = (
  [least, most]: readonly [least: number, most: number],
  breaks: (system: System, share: number) => Promise<Broken>,
): FaultKind => ({
  limits: { write: AWAY_MS },
  draw: (random) => {
    const share = random.next();
    const forMs = random.between(least, most);
    return {
      target: MONGOD,
      inflict: async (system) => {
        const began = performance.now();
        const { hit, restore } = await breaks(system, share);
        const recovery = async () => {
          try {
            const [written] = await Promise.all([system.write(), delay(forMs)]);
            return { write: [written - began] };
          } finally {
            await restore();
            await system.databaseIsWhole();
          }
        };
        return { hit, recovery };
      },
    };
  },
});

/** A one-way partition: the primary reaches the others, and neither they nor the services reach it. */
export const cutPrimary = brokenFor([4_000, 12_000], async ({ set }) => {
  const { link, name } = await set.primary();
  if (link === undefined) throw new Error('the members of this replica set have no links to cut');
  await link.cut();
  return { hit: name, restore: () => link.heal() };
});

/** SIGSTOP of the primary. */
export const frozenPrimary = brokenFor([4_000, 12_000], async ({ set }) => {
  const primary = await set.primary();
  primary.pause();
  return { hit: primary.name, restore: () => primary.resume() };
});

/** kill -9 of a mongod, the primary or not. */
export const killedMember = brokenFor([0, 3_000], async ({ set: { members } }, share) => {
  const member = members[Math.floor(share * members.length)];
  if (member === undefined) throw new Error('the replica set has no member');
  await member.kill();
  return { hit: member.name, restore: () => member.restart() };
});

/** replSetStepDown of the primary. */
export const stepDown = brokenFor([0, 0], async ({ set }) => {
  const { name } = await set.primary();
  await set.stepDown();
  return { hit: name, restore: () => undefined };
});

/** The part of each period in which the primary is frozen, as on an overwhelmed disk. */
const STILL_MS = 150;
const RUNNING_MS = 50;

/** A primary that works a quarter of the time, too often to be abandoned. It is over when it works as usual. */
export const slowDatabase: FaultKind = {
  draw: (random) => {
    const forMs = random.between(5_000, 15_000);
    return {
      target: MONGOD,
      inflict: async (system) => {
        const primary = await system.set.primary();
        const recovery = async () => {
          const writing = system.write();
          try {
            for (const end = performance.now() + forMs; performance.now() < end; await delay(RUNNING_MS)) {
              primary.pause();
              await delay(STILL_MS);
              primary.resume();
            }
          } finally {
            primary.resume();
          }
          await writing;
          await system.databaseIsWhole();
          return {};
        };
        return { hit: primary.name, recovery };
      },
    };
  },
};
