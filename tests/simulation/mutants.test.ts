// @night: a run of the simulation for each seeded bug; by day it runs once, on the code as it is.
import { describe, expect, it } from '@jest/globals';
import { searchOf, simulatedMutants } from '../../tools/lib/mutants.js';
import { simulate } from './program.js';

const MINUTES_MS = 60_000;

describe('the simulation', () => {
  it.each(simulatedMutants())(
    'finds $name: $without',
    async (mutant) => {
      const { code, said } = await simulate(...searchOf(mutant));
      expect({ code, said }).toEqual({ code: 1, said: expect.stringMatching(new RegExp(mutant.breaks.join('|'))) });
    },
    5 * MINUTES_MS,
  );
});
