import { isDeepStrictEqual } from 'node:util';
import type { OperationName } from '@cds/contracts';

export type Write = {
  workspace: string;
  operation: OperationName;
  key: string;
  input: Record<string, unknown>;
  secret: string;
  begunAt: number;
  /** Final answers, in order: all of them must be equal. */
  answers: { status: number; body: unknown }[];
  /** Tries without a final answer: connection lost, 500, 503, in_progress. */
  unknown: number;
  /** What the last try without a final answer got, and after how long. */
  lastUnknown: string;
  /** Answers that blame us: an injected fault may cause a 503, but nothing excuses a 500. */
  internal: number;
};

export class History {
  readonly writes: Write[] = [];

  begin(sent: Pick<Write, 'workspace' | 'operation' | 'key' | 'input' | 'secret'>): Write {
    const write: Write = { ...sent, begunAt: performance.now(), answers: [], unknown: 0, lastUnknown: '', internal: 0 };
    this.writes.push(write);
    return write;
  }

  waitingFor(low: number, high: number): Write | undefined {
    const now = performance.now();
    return this.writes.find(
      ({ begunAt, answers }) => answers.length === 0 && now - begunAt >= low && now - begunAt <= high,
    );
  }

  succeeded(workspace: string, operation: OperationName): Write[] {
    return this.writes.filter(
      (one) => one.workspace === workspace && one.operation === operation && (one.answers[0]?.status ?? 500) < 300,
    );
  }

  /**
   * Writes whose answers differ between tries (I02), that never got a final answer, or that were answered with a fault
   * of ours.
   */
  faults(): string[] {
    return this.writes.flatMap((write) => {
      const [first, ...rest] = write.answers;
      const internal =
        write.internal > 0 ? [`${write.operation} ${write.key} answered 500 ${write.internal} times`] : [];
      if (first === undefined)
        return [
          ...internal,
          `${write.operation} ${write.key} never got a final answer: ${write.unknown} tries, the last ${write.lastUnknown}`,
        ];
      const differing = rest.filter((one) => !isDeepStrictEqual(one, first));
      const contradicted = differing.map(
        (one) =>
          `${write.operation} ${write.key} answered ${JSON.stringify(first).slice(0, 300)} and then ${JSON.stringify(one).slice(0, 300)}`,
      );
      return [...internal, ...contradicted];
    });
  }
}
