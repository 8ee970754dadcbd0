declare module '@20minutes/s3rver' {
  import type { IncomingMessage } from 'node:http';
  import type { Readable } from 'node:stream';

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
  /** Storage of objects as files in a folder. */
  export interface Store {
    getResourcePath(bucket: string, key: string, resource: string): string;
    /**
     * Stores an object.
     * @returns its size and MD5
     */
    putContent(path: string, content: Buffer | Readable): Promise<[number, string]>;
    putMetadata(bucket: string, key: string, metadata: unknown, md5?: string): Promise<void>;
    deleteObject(bucket: string, key: string): Promise<void>;
    /** @throws Error with the code ENOENT if a file is deleted during the walk */
    listObjects(bucket: string, options: Readonly<Record<string, unknown>>): Promise<unknown>;
  }
  type Middleware = (ctx: Exchange, next: () => Promise<void>) => Promise<void> | void;

  /** The part of the package that the tests use. */
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
    readonly store: Store;
    run(): Promise<{ port: number }>;
    close(): Promise<void>;
  }
}
