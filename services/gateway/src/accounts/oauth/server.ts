import type { WriteShell } from '@cds/service';
import type { Provider } from 'oidc-provider';
import type { EndingDeps } from '../rights/ending.js';
import { type Passed, pass, type Returned } from './bridge.js';
import { type DocumentFetch, fetchDocument } from './client-document.js';
import { grantEnder } from './end-grant.js';
import { PATHS } from './provider.js';
import type { OAuthRows } from './store/oauth-rows.js';

/** The authorization server, which is loaded when the first request needs it. */
export class OAuthServer {
  private loading: Promise<Provider> | undefined;
  fetchDocument: DocumentFetch = fetchDocument;

  constructor(
    readonly appUrl: string,
    private readonly deps: EndingDeps,
    private readonly shell: Pick<WriteShell, 'store' | 'audit'>,
  ) {}

  get rows(): OAuthRows {
    return this.deps.oauthRows;
  }

  /** Has it answer a request. Raises what it could not answer for a reason of ours, such as a database that is away. */
  async answer(passed: Passed): Promise<Returned> {
    const returned = await pass(await this.provider(), this.appUrl, passed);
    if (returned.failure !== undefined) {
      throw returned.failure;
    }
    const given = passed.path === PATHS.revoke ? new URLSearchParams(passed.body?.text).get('token') : null;
    if (given !== null) await this.deps.rightEnds.settleClientOf(given);
    return returned;
  }

  private provider(): Promise<Provider> {
    this.loading ??= this.load().catch((error: unknown) => {
      this.loading = undefined;
      throw error;
    });
    return this.loading;
  }

  private async load(): Promise<Provider> {
    const { loadProvider } = await import('./provider.js');
    return loadProvider({
      appUrl: this.appUrl,
      rows: this.rows,
      endGrant: grantEnder(this.deps, this.shell),
      keys: this.deps.keys,
      fetchDocument: (url) => this.fetchDocument(url),
    });
  }
}
