import type { Collection, Store } from '@cds/service';
import type { From } from '../domain/sign-in-from.js';

/** A sign-in link that was not used yet. The sign-in module makes and takes these rows, by these names. */
export type SignInLinkRow = {
  _id: string;
  /** `magic-link:` and the SHA-256 of the link's token. */
  identifier: string;
  value: string;
  expires_at: Date;
  created_at: Date;
  updated_at: Date;
  /** Where it was asked for; absent in rows of an earlier version. */
  asked_from?: From;
};

export const LINK_MS = 15 * 60_000;

export class SignInLinks {
  readonly rows: Collection<SignInLinkRow>;

  constructor(
    store: Store,
    readonly name: string,
  ) {
    this.rows = store.collection<SignInLinkRow>({
      name,
      indexes: [
        { key: { identifier: 1 }, unique: true },
        { key: { expires_at: 1 }, expireAfterSeconds: 0 },
      ],
    });
  }

  async askedFrom(tokenHash: string, from: From): Promise<void> {
    await this.rows.updateOne({ identifier: identifierOf(tokenHash) }, { $set: { asked_from: from } });
  }

  /** When and where a link was asked for; null for one that is unknown, used or expired. */
  async asked(tokenHash: string): Promise<{ at: Date; from: From | null } | null> {
    const row = await this.rows.findOne({ identifier: identifierOf(tokenHash) });
    return row === null ? null : { at: row.created_at, from: row.asked_from ?? null };
  }
}

const identifierOf = (tokenHash: string): string => `magic-link:${tokenHash}`;
