import { type Collection, newerOnly, type Store } from '@cds/service';
import { type Resolved, resolveAudience } from '../domain/audience/segments.js';

export type AudienceOnFile = Resolved & { text: string | null };

type ContextDoc = AudienceOnFile & { _id: string; version: number; at: Date };

const NONE: AudienceOnFile = { text: null, segments: [], unresolved: false };

export const CONTEXTS = 'contexts';

export class Contexts {
  private readonly rows: Collection<ContextDoc>;

  constructor(store: Store) {
    this.rows = store.collection<ContextDoc>({ name: CONTEXTS });
  }

  async audienceOf(workspace: string): Promise<AudienceOnFile> {
    return (await this.rows.findOne({ _id: workspace })) ?? NONE;
  }

  async take(of: { workspace: string; version: number; audience: string | null }, at: Date): Promise<void> {
    const resolved = of.audience === null ? { segments: [], unresolved: false } : resolveAudience(of.audience);
    await newerOnly(this.rows, of.workspace, { version: of.version, text: of.audience, ...resolved, at });
  }
}
