import { ClockSetAnswer, ClockSetInput, DueAnswer, WorkspaceInput } from '../facts.js';
import { defineOperation } from '../operation.js';

export const metricsInternal = {
  metrics_due: defineOperation({
    name: 'metrics_due',
    service: 'metrics',
    audience: 'internal',
    scope: null,
    effect: 'read',
    callers: ['gateway'],
    summary: 'Due facts of a sandbox that are not handled yet, earliest first, at most 50.',
    body: WorkspaceInput,
    output: DueAnswer,
  }),
  metrics_clock_set: defineOperation({
    name: 'metrics_clock_set',
    service: 'metrics',
    audience: 'internal',
    scope: null,
    effect: 'write',
    callers: ['gateway'],
    summary: 'Moves a sandbox clock forward and runs what became due.',
    body: ClockSetInput,
    output: ClockSetAnswer,
  }),
} as const;
