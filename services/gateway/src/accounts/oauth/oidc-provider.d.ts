/** What we use of oidc-provider, which has no types of its own. */
declare module 'oidc-provider' {
  type Payload = Record<string, unknown>;

  export type Client = {
    clientId: string;
    clientName?: string;
    redirectUris?: string[];
  };

  export class Grant {
    constructor(of: { accountId: string; clientId: string });
    static find(id: string): Promise<Grant | undefined>;
    addResourceScope(resource: string, scope: string): void;
    getValueAndPayload(): Promise<{ value: string; payload: Payload }>;
  }

  export type Context = {
    req: object;
    path: string;
    status: number;
    body: unknown;
    oidc: {
      client: Client;
      params?: { resource?: unknown };
      /** What the request is about, as far as it was found. */
      entities: { RefreshToken?: { resource?: string } };
      result?: { login?: unknown; consent?: { grantId?: string } };
    };
  };

  /** A token as its own model makes it; `aud` is set before its text. */
  type MadeToken = { generateTokenId(): string; aud?: string | string[] };

  export class Provider {
    constructor(issuer: string, configuration: Record<string, unknown>);
    static readonly ctx: Context | undefined;
    proxy: boolean;
    readonly Grant: typeof Grant;
    readonly AccessToken: { prototype: MadeToken };
    readonly RefreshToken: { prototype: MadeToken };
    callback(): (request: object, response: object) => Promise<void>;
    on(event: 'server_error', listener: (ctx: Context, error: unknown) => void): void;
  }

  export const errors: Record<'InvalidGrant' | 'InvalidTarget', new (message?: string) => Error>;

  export const interactionPolicy: {
    Prompt: new (
      of: { name: string; requestable: boolean },
      details: (ctx: Context) => object,
      ...checks: object[]
    ) => object;
    Check: new (reason: string, description: string, check: (ctx: Context) => boolean) => object;
  };
}
