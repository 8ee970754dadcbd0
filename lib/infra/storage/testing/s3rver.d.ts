declare module '@20minutes/s3rver' {
  import type { IncomingMessage } from 'node:http';

  interface Exchange {
    readonly method: string;
    readonly path: string;
    readonly query: Readonly<Record<string, string | undefined>>;
    readonly req: IncomingMessage;
    status: number;
    length: number;
    body: unknown;
    type: string;
  }
  type Middleware = (ctx: Exchange, next: () => Promise<void>) => Promise<void> | void;

  /** As far as the tests use it. */
  export default class S3rver {
    constructor(options: {
      directory: string;
      address: string;
      port: number;
      silent: boolean;
      vhostBuckets: boolean;
      allowMismatchedSignatures: boolean;
      configureBuckets: { name: string }[];
    });
    readonly middleware: Middleware[];
    run(): Promise<{ port: number }>;
    close(): Promise<void>;
  }
}
