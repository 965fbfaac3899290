import { z } from 'zod';
import { DueFact } from '../facts.js';
import { CalendarDate, Cents, Count, paidText, publicText, redactedText, Timestamp, Uuid } from '../fields.js';

/** The first reading at or after seven days (spec, "EvidenceItem", still_up). */
export const StillUp = z
  .object({ checked_at: Timestamp, views: Count.nullable(), line: publicText() })
  .meta({ id: 'StillUp' });
export type StillUp = z.infer<typeof StillUp>;

const item = {
  id: Uuid,
  campaign_id: Uuid,
  brief_id: Uuid.optional().meta({ deprecated: true, description: 'Same as campaign_id; removed 2026-11-10.' }),
  campaign: publicText(),
  slot: publicText(),
  status: z.enum(['live', 'completed']),
  status_label: publicText(),
  date: publicText(),
  proof_url: paidText().nullable(),
  published_at: Timestamp.nullable(),
  disclosure: redactedText().nullable(),
  still_up: StillUp.nullable(),
} as const;

/** The proof of one paid post (spec, "EvidenceItem"). */
export const EvidenceItem = z.object(item).meta({ id: 'EvidenceItem' });
export type EvidenceItem = z.infer<typeof EvidenceItem>;

/** The answer of GET /evidence. */
export const Evidence = z.object({ items: z.array(EvidenceItem) }).meta({ id: 'Evidence' });
export type Evidence = z.infer<typeof Evidence>;

/** The newest reading in words and figures (spec, "ResultItem", latest; domain 3-orders 13). */
export const LatestReading = z
  .object({
    line: publicText(),
    as_of: Timestamp,
    views: Count.nullable(),
    clicks: Count.nullable(),
    likes: Count.nullable().optional(),
    comments: Count.nullable().optional(),
    shares: Count.nullable().optional(),
    more: z.array(z.object({ line: publicText(), as_of: Timestamp })),
  })
  .meta({ id: 'LatestReading' });
export type LatestReading = z.infer<typeof LatestReading>;

/** The reading before the newest (spec, "ResultItem", previous). */
export const PreviousReading = z
  .object({
    views: Count.nullable(),
    likes: Count.nullable(),
    comments: Count.nullable(),
    shares: Count.nullable(),
    captured_at: Timestamp,
  })
  .meta({ id: 'PreviousReading' });
export type PreviousReading = z.infer<typeof PreviousReading>;

/** The results of one paid post (spec, "ResultItem"). */
export const ResultItem = z
  .object({
    ...item,
    scheduled_date: CalendarDate,
    latest: LatestReading.nullable(),
    snapshots: Count,
    previous: PreviousReading.nullable(),
    versus: publicText(),
    schedule: publicText().nullable(),
    channel_label: publicText().optional(),
    spend_cents: Cents.nullable().optional(),
    currency: publicText().nullable().optional(),
  })
  .meta({ id: 'ResultItem' });
export type ResultItem = z.infer<typeof ResultItem>;

/** The answer of GET /results. */
export const Results = z.object({ items: z.array(ResultItem) }).meta({ id: 'Results' });
export type Results = z.infer<typeof Results>;

/** A line's post as the sandbox's post door shows it, with what is still to happen to it (domain 4-doors 7). */
export const SandboxPost = z
  .object({
    id: Uuid,
    campaign_id: Uuid,
    scheduled_date: CalendarDate,
    status: z.enum(['booked', 'live', 'blocked', 'completed']),
    proof_url: paidText().nullable(),
    published_at: Timestamp.nullable(),
    disclosure: redactedText().nullable(),
    pending: z.array(DueFact),
  })
  .meta({ id: 'SandboxPost' });
export type SandboxPost = z.infer<typeof SandboxPost>;
