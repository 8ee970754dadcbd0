import type { ChildProcess } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { removedSettings } from '../../scripts/checks/test-service';
import { findFreePort } from '../../scripts/service/ports';
import { hasEnded, startChild } from '../faults/service/child';
import { until } from '../faults/service/until';
import {
  isRunning,
  findServiceProcesses,
  sendSignal,
  type ServiceProcesses,
} from '../faults/service/processes';
import type { Machine, Site } from './machines';

const root = join(import.meta.dirname, '../..');
const START_TIMEOUT_SECONDS = 300;
const STOP_TIMEOUT_SECONDS = 90;

type Environment = Readonly<Record<string, string>>;

const machineSettings = [
  'ROLES',
  ...['INTERNAL_PORT', 'INTERNAL_URL', 'INTERNAL_TLS_CERT', 'INTERNAL_TLS_KEY', 'INTERNAL_TLS_CA'],
];
/** Empty values for all settings of a machine, so that settings of the shell that starts the tests do not reach the nodes. */
const unsetEnvironment = Object.fromEntries(
  [...removedSettings, ...machineSettings].map((name) => [name, '']),
);

interface ClusterNodeOptions {
  readonly site: Site;
  readonly name: string;
  readonly directory: string;
  /** Settings that all nodes share. */
  readonly sharedEnvironment: Environment;
  /** Creates the certificate of a node, and returns the settings for it. */
  readonly createCertificate?: (address: string) => Promise<Environment>;
}

/** One node of the cluster: the complete service with its own data folder. */
export class ClusterNode {
  readonly webUrl: string;
  readonly mediaUrl: string;
  #child: ChildProcess | undefined;

  private constructor(
    readonly name: string,
    readonly machine: Machine,
    private readonly directory: string,
    readonly environment: Environment,
  ) {
    mkdirSync(directory, { recursive: true });
    this.webUrl = environment.BASE_URL ?? '';
    this.mediaUrl = environment.CDN_URL ?? '';
  }

  static async create({
    site,
    name,
    directory,
    sharedEnvironment,
    createCertificate,
  }: ClusterNodeOptions): Promise<ClusterNode> {
    const machine = await site.openMachine(name);
    const ports = site.hasNamespaces ? [3000, 8080, 1935] : await findFreePorts(3);
    const [web, media, rtmp] = ports.map(String) as [string, string, string];
    const folder = join(directory, name);
    return new ClusterNode(name, machine, folder, {
      ...unsetEnvironment,
      PORT: web,
      MEDIA_PORT: media,
      RTMP_PORT: rtmp,
      INTERNAL_HOST: machine.address,
      BASE_URL: `http://${machine.address}:${web}`,
      CDN_URL: `http://${machine.address}:${media}`,
      RTMP_URL: `rtmp://${machine.address}:${rtmp}/live`,
      DATA_DIR: join(folder, 'data'),
      TMPDIR: folder,
      ...sharedEnvironment,
      ...(await createCertificate?.(machine.address)),
    });
  }

  get logFile(): string {
    return join(this.directory, 'service.log');
  }

  get isRunning(): boolean {
    return this.#child !== undefined && !hasEnded(this.#child);
  }

  /** Starts the service. Does not wait until it is healthy. */
  start(extraEnvironment: Environment = {}): void {
    const bootstrap = join(root, 'scripts/bootstrap.mjs');
    const [command, args] = this.machine.wrapCommand(process.execPath, [bootstrap, 'start']);
    const env = { ...this.environment, ...extraEnvironment };
    this.#child = startChild(command, args, { logFile: this.logFile, env, cwd: root });
  }

  /**
   * Waits until the node is healthy.
   * @throws Error if the node ends or is not healthy in time
   */
  async waitUntilHealthy(): Promise<void> {
    const checkHealth = async () => {
      if (!this.isRunning) return 'ended';
      const response = await fetch(`${this.webUrl}/api/healthz`, { signal: AbortSignal.timeout(5_000) });
      await response.body?.cancel();
      return response.ok && 'healthy';
    };
    const state = await until(START_TIMEOUT_SECONDS, checkHealth);
    if (state !== 'healthy') throw new Error(`${this.name} is not healthy: see ${this.logFile}`);
  }

  findProcesses(): ServiceProcesses {
    return findServiceProcesses(this.#child?.pid);
  }

  /**
   * Stops the node with SIGTERM.
   * @throws Error if the node does not exit in time
   */
  async stop(): Promise<void> {
    const child = this.#child;
    if (!child || hasEnded(child)) return;
    child.kill('SIGTERM');
    if (!(await until(STOP_TIMEOUT_SECONDS, () => hasEnded(child))))
      throw new Error(`${this.name} does not stop`);
  }

  /** Kills all processes of the node with SIGKILL. */
  async kill(): Promise<void> {
    const { all: allProcesses } = this.findProcesses();
    for (const child of allProcesses) sendSignal(child, 'SIGKILL');
    await until(10, () => !allProcesses.some(isRunning), 50);
  }
}

async function findFreePorts(count: number): Promise<number[]> {
  const ports: number[] = [];
  while (ports.length < count) ports.push(await findFreePort(ports));
  return ports;
}
