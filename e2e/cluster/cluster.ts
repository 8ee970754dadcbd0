import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { startReceiver, type Receiver } from '@/lib/infra/testing/receiver';
import type { Scope } from '../../bench/lib/scope';
import { runSql } from '../../scripts/postgres/server';
import { until } from '../faults/service/until';
import { createAuthority } from './certificates';
import { Encoder, createSourceFile } from './encoder';
import { startDatabase, startRedis, startStorage } from './shared-services';
import { ClusterNode } from './node';
import type { Site } from './machines';

const root = join(import.meta.dirname, '../..');
/** Value of SESSION_RECONNECT_SECONDS in the cluster. It is longer than other nodes need to notice a lost node. */
const RECONNECT_SECONDS = 40;

export interface CreatedStream {
  readonly id: string;
  readonly streamKey: string;
  readonly playbackId: string;
}

interface ClusterConfig {
  readonly site: Site;
  readonly directory: string;
  readonly scope: Scope;
  /** Whether the queue is in Redis instead of PostgreSQL. */
  readonly redis: boolean;
  /** Whether connections between the nodes are encrypted. */
  readonly tls: boolean;
}

/** Two complete nodes with one database, one storage and one secret. */
export class Cluster {
  /** API key of the account that owns all streams. */
  apiKey = '';
  readonly #encoders: Encoder[] = [];

  private constructor(
    readonly site: Site,
    readonly directory: string,
    readonly scope: Scope,
    /** Path of the video that encoders publish. */
    readonly sourceFile: string,
    private readonly databaseUrl: string,
    /** Settings that all nodes share. */
    readonly sharedEnvironment: Readonly<Record<string, string>>,
    readonly nodes: readonly [ClusterNode, ClusterNode],
  ) {}

  /** Creates a cluster with an empty database. The nodes are not started. */
  static async create({ site, directory, scope, redis, tls }: ClusterConfig): Promise<Cluster> {
    const context = { site, directory, scope };
    const sourceFile = await createSourceFile(directory);
    const urlOf = await startDatabase(context);
    await runSql(urlOf('postgres'), 'create database cluster');
    const databaseUrl = urlOf('cluster');
    const storage = await startStorage(context);
    const sharedEnvironment = {
      ...storage,
      ...(redis ? { REDIS_URL: await startRedis(context) } : {}),
      DATABASE_URL: databaseUrl,
      APP_SECRET: randomBytes(24).toString('hex'),
      SESSION_RECONNECT_SECONDS: String(RECONNECT_SECONDS),
      WEBHOOK_RETRY_BASE_MS: '500',
      EGRESS_ALLOW_CIDRS: [...new Set(['127.0.0.0/8', site.network])].join(),
      API_RATE_LIMIT: '100000',
      TRANSCODE_CORES: '1',
    };
    const createCertificate = tls ? await createAuthority(directory) : () => Promise.resolve({});
    const createNode = (name: string) =>
      ClusterNode.create({ site, name, directory, sharedEnvironment, createCertificate });
    const nodes = [await createNode('node1'), await createNode('node2')] as const;
    for (const node of nodes) scope.defer(() => node.kill());
    const cluster = new Cluster(site, directory, scope, sourceFile, databaseUrl, sharedEnvironment, nodes);
    scope.defer(() => cluster.stopEncoders());
    return cluster;
  }

  /** Creates the account that owns all streams, and its API key. */
  async createAccount(): Promise<void> {
    const owner = ['--email', 'cluster@example.com'];
    await this.#cli('account:create', ...owner, '--password', randomBytes(12).toString('hex'));
    this.apiKey = await this.#cli('key:create', ...owner, '--name', 'cluster');
  }

  /** Stops all encoders, reconnects all nodes, starts stopped nodes and waits until all nodes are healthy. */
  async restoreNodes(): Promise<void> {
    await this.stopEncoders();
    for (const node of this.nodes) {
      await node.machine.setConnected?.(true);
      if (!node.isRunning) node.start();
    }
    await Promise.all(this.nodes.map((node) => node.waitUntilHealthy()));
  }

  /** Starts an encoder that publishes to the first of the nodes, and to the next one after each disconnection. */
  startEncoder(streamKey: string, nodes: readonly ClusterNode[]): Encoder {
    const encoder = new Encoder(this.sourceFile, streamKey, nodes);
    this.#encoders.push(encoder);
    return encoder;
  }

  async stopEncoders(): Promise<void> {
    await Promise.all(this.#encoders.splice(0).map((encoder) => encoder.stop()));
  }

  /** Starts a server that receives webhooks. */
  async startReceiver(): Promise<Receiver> {
    const receiver = await startReceiver(undefined, this.site.testAddress);
    this.scope.defer(() => receiver.close());
    return receiver;
  }

  /**
   * Sends a request to the API of a node, with the API key of the account.
   * @returns status and JSON body; an empty object if there is no body
   */
  async callApi(
    node: ClusterNode,
    method: string,
    path: string,
    { body, headers = {} }: { readonly body?: unknown; readonly headers?: Record<string, string> } = {},
  ): Promise<{ status: number; json: Record<string, unknown> }> {
    const response = await fetch(`${node.webUrl}/api${path}`, {
      method,
      headers: { authorization: `Bearer ${this.apiKey}`, 'content-type': 'application/json', ...headers },
      signal: AbortSignal.timeout(20_000),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, json: (text ? JSON.parse(text) : {}) as Record<string, unknown> };
  }

  /**
   * Sends a POST that creates an object.
   * @throws Error if the API rejects the request
   */
  async createObject(node: ClusterNode, path: string, body: object): Promise<Record<string, unknown>> {
    const { status, json } = await this.callApi(node, 'POST', path, { body });
    if (status >= 300) throw new Error(`POST ${path}: ${status} ${JSON.stringify(json)}`);
    return json;
  }

  async createStream(node: ClusterNode, name: string, fields: object = {}): Promise<CreatedStream> {
    return (await this.createObject(node, '/stream', { name, ...fields })) as unknown as CreatedStream;
  }

  /**
   * Reads the playlist of the source from the origin of a node, without parts (`ll=0`).
   * @returns null if the origin does not respond with a playlist
   */
  async readPlaylist(node: ClusterNode, { playbackId }: CreatedStream): Promise<string | null> {
    const url = `${node.mediaUrl}/hls/${playbackId}/source/index.m3u8?ll=0`;
    const response = await fetch(url, { signal: AbortSignal.timeout(10_000) });
    const text = await response.text();
    return response.ok ? text : null;
  }

  async waitUntilPlayable(node: ClusterNode, stream: CreatedStream, timeoutSeconds = 60): Promise<boolean> {
    return (
      (await until(timeoutSeconds, async () => (await this.readPlaylist(node, stream)) !== null)) !== null
    );
  }

  async query<T>(sql: string, values: readonly unknown[] = []): Promise<T[]> {
    const client = new Client({ connectionString: this.databaseUrl, connectionTimeoutMillis: 10_000 });
    await client.connect();
    try {
      return (await client.query(sql, [...values])).rows as T[];
    } finally {
      await client.end();
    }
  }

  /** @param fromClause SQL after `from`, for example `"Event" where "name" = $1` */
  async hasRow(fromClause: string, values: readonly unknown[] = []): Promise<boolean> {
    return (await this.countRows(fromClause, values)) > 0;
  }

  /** @param fromClause SQL after `from` */
  async countRows(fromClause: string, values: readonly unknown[] = []): Promise<number> {
    const [row] = await this.query<{ n: number }>(`select count(*)::int as n from ${fromClause}`, values);
    return row?.n ?? 0;
  }

  async #cli(...args: string[]): Promise<string> {
    const { environment } = this.nodes[0];
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [join(root, 'scripts/bootstrap.mjs'), 'cli', ...args],
      { cwd: root, env: { ...process.env, ...environment }, timeout: 180_000 },
    );
    return stdout.trim();
  }
}
