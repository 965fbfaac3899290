import { z } from 'zod';
import { CalendarDate, publicText, Timestamp, Uuid } from '../fields.js';
import { addressInput, closed, dateInput, lineInput, tokenInput, uuidInput } from '../input.js';
import { defineOperations } from '../operation.js';
import { list, paging, readBy, reason, segmentId, written } from './operator-inputs.js';

/** A launch that the team tracks; the handle is the brand's (docs/domain/network.md#match-score). */
export const Launch = z
  .object({
    id: Uuid,
    project: publicText(),
    title: publicText().nullable(),
    brand: z.object({
      name: publicText(),
      handle: publicText().nullable(),
      site: publicText().nullable(),
      avatar_url: publicText().nullable(),
    }),
    date: CalendarDate,
    segments: z.array(publicText()),
    created_at: Timestamp,
    updated_at: Timestamp,
  })
  .meta({ id: 'Launch' });
export type Launch = z.infer<typeof Launch>;

const launchFields = () => ({
  project: lineInput({ max: 120 }),
  title: lineInput({ max: 200 }).nullable().optional(),
  brand: closed({
    name: lineInput({ max: 120 }),
    handle: tokenInput({ max: 16 }).nullable().optional(),
    site: addressInput({ max: 200 }).nullable().optional(),
    avatar_url: addressInput({ max: 500 }).nullable().optional(),
  }),
  date: dateInput(),
  segments: list(segmentId(), 10).optional(),
});

export const launchOperations = defineOperations('catalog', {
  ops_launches_list: {
    ...readBy,
    rest: { method: 'GET', path: '/api/ops/launches', root: 'app' },
    summary: 'Lists tracked launches, newest first.',
    query: closed(paging()),
    output: z.object({ launches: z.array(Launch), next: publicText().nullable() }),
  },
  ops_launch_add: {
    ...written,
    rest: { method: 'POST', path: '/api/ops/launches', root: 'app' },
    summary: 'Starts tracking a launch.',
    body: closed({ ...launchFields(), reason: reason() }),
    output: Launch,
    success: 201,
  },
  ops_launch_change: {
    ...written,
    rest: { method: 'PATCH', path: '/api/ops/launches/{id}', root: 'app' },
    summary: 'Changes a tracked launch. Fields left out keep their values.',
    params: closed({ id: uuidInput() }),
    body: closed({
      project: launchFields().project.optional(),
      title: launchFields().title,
      brand: launchFields().brand.optional(),
      date: launchFields().date.optional(),
      segments: launchFields().segments,
      reason: reason(),
    }),
    output: Launch,
  },
  ops_launch_remove: {
    ...written,
    rest: { method: 'DELETE', path: '/api/ops/launches/{id}', root: 'app' },
    summary: 'Stops tracking a launch.',
    params: closed({ id: uuidInput() }),
    output: z.object({ removed: z.boolean() }),
  },
});
