import type { ChildProcess } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { removedSettings } from '../../scripts/checks/test-service';
import { freePort } from '../../scripts/service/ports';
import { hasEnded, startChild, until } from '../faults/service/child';
import { isRunning, serviceProcesses, signal, type ServiceProcesses } from '../faults/service/processes';
import type { Machine, Site } from './places';

const root = join(import.meta.dirname, '../..');
const startSeconds = 300;
const stopSeconds = 90;

type Environment = Readonly<Record<string, string>>;

const machineSettings = [
  'ROLES',
  ...['INTERNAL_PORT', 'INTERNAL_URL', 'INTERNAL_TLS_CERT', 'INTERNAL_TLS_KEY', 'INTERNAL_TLS_CA'],
];
/** Settings of the shell that starts the tests must not reach the nodes. */
const unset = Object.fromEntries([...removedSettings, ...machineSettings].map((name) => [name, '']));

interface NewNode {
  readonly site: Site;
  readonly name: string;
  readonly directory: string;
  /** Settings that all nodes share. */
  readonly sharedEnvironment: Environment;
  /** Creates the settings that depend on the node's address. */
  readonly certify?: (address: string) => Promise<Environment>;
}

/** One node of the cluster: the complete service with its own data folder. */
export class ClusterNode {
  readonly web: string;
  readonly media: string;
  #child: ChildProcess | undefined;

  private constructor(
    readonly name: string,
    readonly place: Machine,
    private readonly directory: string,
    readonly environment: Environment,
  ) {
    mkdirSync(directory, { recursive: true });
    this.web = environment.BASE_URL ?? '';
    this.media = environment.CDN_URL ?? '';
  }

  static async make({ site, name, directory, sharedEnvironment, certify }: NewNode): Promise<ClusterNode> {
    const machine = await site.place(name);
    const ports = site.separate ? [3000, 8080, 1935] : await freePorts(3);
    const [web, media, rtmp] = ports.map(String) as [string, string, string];
    const folder = join(directory, name);
    return new ClusterNode(name, machine, folder, {
      ...unset,
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
      ...(await certify?.(machine.address)),
    });
  }

  get logFile(): string {
    return join(this.directory, 'service.log');
  }

  get running(): boolean {
    return this.#child !== undefined && !hasEnded(this.#child);
  }

  start(more: Environment = {}): void {
    const bootstrap = join(root, 'scripts/bootstrap.mjs');
    const [command, args] = this.place.inside(process.execPath, [bootstrap, 'start']);
    const env = { ...this.environment, ...more };
    this.#child = startChild(command, args, { logFile: this.logFile, env, cwd: root });
  }

  /** @throws Error if the node does not become healthy */
  async untilHealthy(): Promise<void> {
    const healthy = async () => {
      if (!this.running) return 'ended';
      const answer = await fetch(`${this.web}/api/healthz`, { signal: AbortSignal.timeout(5_000) });
      await answer.body?.cancel();
      return answer.ok && 'healthy';
    };
    const state = await until(startSeconds, healthy);
    if (state !== 'healthy') throw new Error(`${this.name} is not healthy: see ${this.logFile}`);
  }

  processes(): ServiceProcesses {
    return serviceProcesses(this.#child?.pid);
  }

  /** Sends SIGTERM. @throws Error if the node does not exit */
  async stop(): Promise<void> {
    const child = this.#child;
    if (!child || hasEnded(child)) return;
    child.kill('SIGTERM');
    if (!(await until(stopSeconds, () => hasEnded(child)))) throw new Error(`${this.name} does not stop`);
  }

  /** Simulates a power failure. */
  async kill(): Promise<void> {
    const { all: allProcesses } = this.processes();
    for (const child of allProcesses) signal(child, 'SIGKILL');
    await until(10, () => !allProcesses.some(isRunning), 50);
  }
}

async function freePorts(count: number): Promise<number[]> {
  const ports: number[] = [];
  while (ports.length < count) ports.push(await freePort(ports));
  return ports;
}
