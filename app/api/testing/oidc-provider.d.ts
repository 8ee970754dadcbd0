/** Types of the parts of oidc-provider that tests use; the package ships none. */
declare module 'oidc-provider' {
  import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';

  interface Grant {
    addOIDCScope(scope: string): void;
    save(): Promise<string>;
  }

  interface RequestContext {
    readonly oidc: {
      readonly session?: { readonly accountId?: string };
      readonly client?: { readonly clientId: string };
      readonly provider: {
        readonly Grant: new (fields: { accountId?: string; clientId?: string }) => Grant;
      };
    };
  }

  interface Configuration {
    clients: readonly object[];
    claims: Readonly<Record<string, readonly string[]>>;
    features?: object;
    interactions?: { url: () => string };
    cookies: object;
    findAccount: (ctx: RequestContext, id: string) => { accountId: string; claims: () => object } | undefined;
    loadExistingGrant: (ctx: RequestContext) => Promise<Grant>;
  }

  export default class Provider {
    constructor(issuer: string, configuration: Configuration);
    callback(): RequestListener;
    interactionFinished(
      request: IncomingMessage,
      response: ServerResponse,
      result: object,
      options: { mergeWithLastSubmission: boolean },
    ): Promise<void>;
  }
}
