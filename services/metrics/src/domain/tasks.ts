// What metrics asks the team to do (docs/domain/operators.md#tasks-and-feedback).
import type { EventPayload, TaskKind } from '@cds/contracts';
import { namedUuid } from '@cds/service/named-uuid';
import type { Post } from './post.js';

export type PostTask = EventPayload<'metrics_task.opened'>;

export const taskOf = (kind: TaskKind, post: Post, at: Date, by: Date | null = null): PostTask => ({
  aggregate: namedUuid(kind, post._id, String(post.attempt), at.toISOString()),
  version: 1,
  kind,
  about: { line_id: post._id, order_id: post.order_id, campaign_id: post.campaign_id, creator_id: post.creator_id },
  note: by === null ? null : `By ${by.toISOString()}.`,
  opened_at: at.toISOString(),
});

const BLOCKED_TASKS = {
  post_missing: 'post_missing',
  post_gone: 'post_gone',
  no_disclosure: 'post_undisclosed',
} as const;

export const tasksOf = (before: Post | null, after: Post, at: Date): PostTask[] => {
  if (after.sandbox) return [];
  const live = after.published_at !== null && after.published_at.getTime() !== before?.published_at?.getTime();
  const reason = after.status === 'blocked' && before?.status !== 'blocked' ? after.blocked_reason : null;
  const unread = after.reading_asked_at != null && before?.reading_asked_at == null;
  return [
    ...(unread ? [taskOf('reading_due', after, at)] : []),
    ...(live ? [taskOf('post_to_look_at', after, at)] : []),
    ...(reason === null ? [] : [taskOf(BLOCKED_TASKS[reason], after, at, after.remedy_at ?? null)]),
  ];
};

export const taskEvents = (tasks: readonly PostTask[]) =>
  tasks.map((payload) => ({ name: 'metrics_task.opened' as const, payload }));
