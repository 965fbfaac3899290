import { Deadline } from '@cds/service';
import type { AudienceOnFile, Contexts } from '../store/contexts.js';

const KEPT = 20_000;

/** The audiences on file, cached until the change stream says that one changed (docs/reliability.md#catalog-memory). */
export class Audiences {
  private readonly kept = new Map<string, Promise<AudienceOnFile>>();

  constructor(
    private readonly contexts: Pick<Contexts, 'audienceOf'>,
    private readonly most = KEPT,
  ) {}

  of(workspace: string): Promise<AudienceOnFile> {
    const held = this.kept.get(workspace);
    if (held !== undefined) return held;

    const read = Deadline.detached(() => this.contexts.audienceOf(workspace));
    this.kept.set(workspace, read);
    // A failed read is not cached. If a change overtook this read, the entry may be a newer one.
    read.catch(() => {
      if (this.kept.get(workspace) === read) this.kept.delete(workspace);
    });
    const [oldest] = this.kept.keys();
    if (this.kept.size > this.most && oldest !== undefined) this.kept.delete(oldest);
    return read;
  }

  forget(workspace: string): void {
    this.kept.delete(workspace);
  }

  forgetAll(): void {
    this.kept.clear();
  }
}
