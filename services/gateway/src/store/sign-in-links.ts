import type { Collection, Store } from '@cds/service';

/** A sign-in link that was not used yet. The sign-in module makes and takes these rows, by these names. */
export type SignInLinkRow = {
  _id: string;
  /** `magic-link:` and the SHA-256 of the link's token. */
  identifier: string;
  value: string;
  expires_at: Date;
  created_at: Date;
  updated_at: Date;
};

/** How long a sign-in link may be used (docs/domain/access.md#sign-in). */
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
}
