import type { ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { s3ServerKey } from '@/lib/infra/storage/testing/s3-server';
import type { S3Settings } from '@/lib/infra/storage/s3-settings';
import { hasEnded, startChild } from './child';
import { until } from './until';
import { listProcesses, type Process } from './processes';

const root = join(import.meta.dirname, '../../..');

/** The S3 server of the run, a separate process that stores objects on disk. */
export class S3Process {
  readonly settings: S3Settings;
  #child: ChildProcess | undefined;

  constructor(
    private readonly directory: string,
    private readonly port: number,
  ) {
    const endpoint = `http://127.0.0.1:${port}`;
    this.settings = {
      bucket: 'faults',
      endpoint,
      region: 'us-east-1',
      ...s3ServerKey,
      forcePathStyle: true,
    };
  }

  /** Environment variables with which the service stores its files on this server. */
  get environment(): Record<string, string> {
    const { bucket, endpoint = '', accessKeyId, secretAccessKey } = this.settings;
    return {
      S3_BUCKET: bucket,
      S3_ENDPOINT: endpoint,
      S3_ACCESS_KEY_ID: accessKeyId,
      S3_SECRET_ACCESS_KEY: secretAccessKey,
    };
  }

  /**
   * Starts the server and waits until it responds.
   * @throws Error if it does not respond within 30 s
   */
  async start(): Promise<void> {
    const script = join(import.meta.dirname, 's3-server.ts');
    // The S3 server package encrypts continuation tokens with a legacy cipher.
    const args = [
      '--openssl-legacy-provider',
      '--import',
      'tsx',
      script,
      join(this.directory, 's3'),
      String(this.port),
    ];
    this.#child = startChild(process.execPath, [...args, this.settings.bucket], {
      logFile: join(this.directory, 's3-server.log'),
      cwd: root,
    });
    // Requests without a signature get an error, which shows that the server is listening.
    const isListening = async () => {
      const response = await fetch(this.settings.endpoint ?? '', { signal: AbortSignal.timeout(1_000) });
      await response.arrayBuffer();
      return true;
    };
    if (!(await until(30, isListening, 100))) throw new Error('the S3 server did not start listening');
  }

  /** Finds the process of the server. It is undefined while the server is down. */
  findProcess(): Process | undefined {
    if (!this.#child || hasEnded(this.#child)) return undefined;
    const { pid } = this.#child;
    return listProcesses().find((candidate) => candidate.pid === pid);
  }

  async stop(): Promise<void> {
    const child = this.#child;
    if (!child || hasEnded(child)) return;
    child.kill('SIGCONT');
    child.kill('SIGTERM');
    if (!(await until(5, () => hasEnded(child), 50))) child.kill('SIGKILL');
  }
}
