import { ClockSetAnswer, ClockSetInput, DueAnswer, WorkspaceInput } from '../facts.js';
import { defineOperation } from '../operation.js';

export const proposalsInternal = {
  proposals_due: defineOperation({
    name: 'proposals_due',
    service: 'proposals',
    audience: 'internal',
    scope: null,
    effect: 'read',
    callers: ['gateway'],
    summary: 'Due facts of a sandbox that are not handled yet, earliest first, at most 50.',
    body: WorkspaceInput,
    output: DueAnswer,
  }),
  proposals_clock_set: defineOperation({
    name: 'proposals_clock_set',
    service: 'proposals',
    audience: 'internal',
    scope: null,
    effect: 'write',
    callers: ['gateway'],
    summary: 'Moves a sandbox clock forward and runs what became due.',
    body: ClockSetInput,
    output: ClockSetAnswer,
  }),
} as const;
