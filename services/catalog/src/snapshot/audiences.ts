import { Deadline } from '@cds/service';
import type { AudienceOnFile, Contexts } from '../store/contexts.js';

/** So many workspaces' audiences are kept; beyond that the one kept longest goes. */
const KEPT = 20_000;

/**
 * The audiences on file, read once and kept until their document changes: every read of the network asks for one. The
 * change stream that keeps the network current names what to forget (reliability 3.12).
 */
export class Audiences {
  private readonly kept = new Map<string, Promise<AudienceOnFile>>();

  constructor(
    private readonly contexts: Pick<Contexts, 'audienceOf'>,
    private readonly most = KEPT,
  ) {}

  /** The audience that a workspace has on file. */
  of(workspace: string): Promise<AudienceOnFile> {
    const held = this.kept.get(workspace);
    if (held !== undefined) return held;

    // Others share it, so it does not end with the deadline of whoever came first.
    const read = Deadline.detached(() => this.contexts.audienceOf(workspace));
    this.kept.set(workspace, read);
    // A read that failed is not kept; one that a change overtook was forgotten already, and another may stand there.
    read.catch(() => {
      if (this.kept.get(workspace) === read) this.kept.delete(workspace);
    });
    const [oldest] = this.kept.keys();
    if (this.kept.size > this.most && oldest !== undefined) this.kept.delete(oldest);
    return read;
  }

  /** Reads a workspace's audience anew at the next call. */
  forget(workspace: string): void {
    this.kept.delete(workspace);
  }

  /** Reads every audience anew, as after a time in which changes may have been missed. */
  forgetAll(): void {
    this.kept.clear();
  }
}
