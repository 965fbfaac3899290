import type { ConsumerInfo } from '@nats-io/jetstream';

export type Progress = Pick<ConsumerInfo, 'num_pending' | 'num_ack_pending' | 'num_redelivered'> & {
  delivered: { stream_seq: number };
  ack_floor: { stream_seq: number };
};

/** The newest event in the stream now; later ones are not waited for. */
export const newestOf = (now: Progress): number => now.delivered.stream_seq + now.num_pending;

/** How far a consumer is: all applied, some pending, or only events left that failed before and need no waiting for. */
export const progressTo = (target: number, now: Progress): 'applied' | 'pending' | 'failing' => {
  if (now.num_pending + now.num_ack_pending === 0 || now.ack_floor.stream_seq >= target) return 'applied';
  const failing = now.delivered.stream_seq >= target && now.num_ack_pending <= now.num_redelivered;
  return failing ? 'failing' : 'pending';
};
