import { Deadline, DeadlineOver } from '@cds/service';

/** A turn without a deadline of its own ends after this long, as a statement does. */
const TURN_MS = 8_000;

type Waiting<Request, Answer> = {
  request: Request;
  deadline: Deadline | undefined;
  resolve: (answer: Answer) => void;
  reject: (error: unknown) => void;
};

/** Requests about one document that arrive during a turn share the next one, so a burst costs few statements. */
export class Turns<Request, Answer> {
  private readonly lanes = new Map<string, Waiting<Request, Answer>[]>();

  constructor(
    private readonly most: number,
    private readonly take: (document: string, requests: readonly Request[]) => Promise<readonly Answer[]>,
  ) {}

  async add(document: string, request: Request): Promise<Answer> {
    const lane = this.lanes.get(document);
    if (lane !== undefined)
      return new Promise((resolve, reject) => {
        lane.push({ request, deadline: Deadline.current(), resolve, reject });
      });

    const waiting: Waiting<Request, Answer>[] = [];
    this.lanes.set(document, waiting);
    try {
      const [answer] = await this.take(document, [request]);
      return answer as Answer;
    } finally {
      void Deadline.detached(() => this.continue(document, waiting));
    }
  }

  private async continue(document: string, waiting: Waiting<Request, Answer>[]): Promise<void> {
    while (waiting.length > 0) {
      const sharing = waiting.splice(0, this.most).filter(isInTime);
      if (sharing.length === 0) continue;
      const remaining = sharing.map(({ deadline }) => deadline?.remainingMs() ?? TURN_MS);
      try {
        const answers = await Deadline.in(Math.max(...remaining)).run(() =>
          this.take(
            document,
            sharing.map(({ request }) => request),
          ),
        );
        for (const [index, { resolve }] of sharing.entries()) resolve(answers[index] as Answer);
      } catch (error) {
        for (const { reject } of sharing) reject(error);
      }
    }
    this.lanes.delete(document);
  }
}

const isInTime = <Request, Answer>({ deadline, reject }: Waiting<Request, Answer>): boolean => {
  if (deadline === undefined || deadline.remainingMs() > 0) return true;
  reject(new DeadlineOver());
  return false;
};
