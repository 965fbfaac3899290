import type { Stack } from '../../../tools/lib/stack.js';
import type { Plans, Reader } from './fixture.js';
import type { Goal } from './goals.js';
import type { Captured } from './references.js';
import type { VariantReport } from './rounds.js';

export type Bench = {
  stack: Stack;
  readers: readonly Reader[];
  plans: Plans | null;
  captured: Captured;
};

export type Findings = {
  comparisons: Record<string, VariantReport[]>;
  figures?: Record<string, unknown>;
  goals: Goal[];
};

export type Scenario = (bench: Bench) => Promise<Findings>;
