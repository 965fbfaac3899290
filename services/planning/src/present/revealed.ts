import type { Output } from '@cds/contracts';

/** Paid fields are set from this type alone, so nothing else is ever shown (docs/reliability.md#handles; I43). */
export class Revealed {
  private constructor(
    private readonly creators: ReadonlyMap<string, { handle: string; url: string; name: string | null }>,
  ) {}

  static readonly nothing = new Revealed(new Map());

  static from(answer: Output<'identity_reveal'>): Revealed {
    return new Revealed(
      new Map(answer.creators.map(({ creator_id, handle, url, name = null }) => [creator_id, { handle, url, name }])),
    );
  }

  handle(creatorId: string | null): string | null {
    return creatorId === null ? null : (this.creators.get(creatorId)?.handle ?? null);
  }

  name(creatorId: string | null): string | null {
    return creatorId === null ? null : (this.creators.get(creatorId)?.name ?? null);
  }

  profileUrl(creatorId: string | null): string | null {
    return creatorId === null ? null : (this.creators.get(creatorId)?.url ?? null);
  }
}
