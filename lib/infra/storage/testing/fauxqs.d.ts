declare module 'fauxqs' {
  import type { IncomingMessage } from 'node:http';

  interface Reply {
    code(status: number): Reply;
    type(contentType: string): Reply;
    send(body: string): Promise<unknown>;
  }

  /** The part that the tests use. The types of the package refer to files that it does not contain. */
  export function buildApp(options: { logger: boolean }): {
    addHook(
      name: 'onRequest',
      hook: (request: { readonly raw: IncomingMessage }, reply: Reply) => Promise<void>,
    ): void;
    listen(options: { host: string; port: number }): Promise<string>;
    close(): Promise<void>;
  };
}
