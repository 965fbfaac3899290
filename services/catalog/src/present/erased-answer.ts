/** Stored answers to operators once a creator in them is erased (docs/domain/network.md#creators-who-leave). */
import type { OpsCreator } from '@cds/contracts';

type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null;

export const answerAfterErasure = (answer: unknown, now: OpsCreator): unknown => {
  if (Array.isArray(answer)) return answer.map((part) => answerAfterErasure(part, now));
  if (!isFields(answer)) return answer;
  if (answer['id'] === now.id && 'network_id' in answer) return now;
  const parts = Object.entries(answer).map(([name, part]) => [name, answerAfterErasure(part, now)] as const);
  return {
    ...Object.fromEntries(parts),
    ...(answer['creator_id'] === now.id && 'handle' in answer ? { handle: null } : {}),
  };
};
