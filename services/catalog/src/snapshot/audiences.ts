import { Deadline } from '@cds/service';
import type { AudienceOnFile, Contexts } from '../store/contexts.js';

/** The most audiences cached; beyond that the oldest entry is dropped. */
const KEPT = 20_000;

/**
 * The audiences on file, cached until their document changes, since every read of the network needs one. The change
 * stream that keeps the network current also invalidates these (docs/reliability.md#catalog-memory).
 */
export class Audiences {
  private readonly kept = new Map<string, Promise<AudienceOnFile>>();

  constructor(
    private readonly contexts: Pick<Contexts, 'audienceOf'>,
    private readonly most = KEPT,
  ) {}

  /** A workspace's audience on file. */
  of(workspace: string): Promise<AudienceOnFile> {
    const held = this.kept.get(workspace);
    if (held !== undefined) return held;

    // Other callers share the result, so it must outlive the first caller's deadline.
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

  /** Reads a workspace's audience again at the next call. */
  forget(workspace: string): void {
    this.kept.delete(workspace);
  }

  /** Reads every audience again, after a time in which changes may have been missed. */
  forgetAll(): void {
    this.kept.clear();
  }
}
