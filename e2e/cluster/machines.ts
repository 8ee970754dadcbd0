import { execFile } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { promisify } from 'node:util';
import type { Scope } from '../../bench/lib/scope';

/** A machine of the cluster: a network namespace with its own address, or a process on loopback. */
export interface Machine {
  readonly address: string;
  /** Returns the command line that runs a command on this machine. */
  wrapCommand(command: string, args: readonly string[]): readonly [command: string, args: readonly string[]];
  /** Disconnects the machine from the network or reconnects it. Machines on loopback do not have this method. */
  readonly setConnected?: (connected: boolean) => Promise<void>;
}

/** The machines of one cluster and their network. */
export interface Site {
  /** IP address at which machines reach this process. */
  readonly testAddress: string;
  /** CIDR range of all machines. */
  readonly network: string;
  /** Whether each machine has its own network namespace, in which all ports are free. */
  readonly hasNamespaces: boolean;
  openMachine(name: string): Promise<Machine>;
}

const run = promisify(execFile);
const runIp = (...args: string[]) => run('ip', args, { timeout: 20_000 });

export const loopback: Site = {
  testAddress: '127.0.0.1',
  network: '127.0.0.0/8',
  hasNamespaces: false,
  openMachine: () =>
    Promise.resolve({ address: '127.0.0.1', wrapCommand: (command, args) => [command, args] }),
};

/** Finds the reason why network namespaces are unavailable. Null means that they are available. */
export async function findNamespaceProblem(): Promise<string | null> {
  if (process.getuid?.() !== 0) return 'network namespaces need root';
  const probeName = `hw-probe-${process.pid}`;
  try {
    await runIp('netns', 'add', probeName);
    await runIp('netns', 'del', probeName);
    return null;
  } catch {
    return 'this system does not allow network namespaces (iproute2, CAP_SYS_ADMIN)';
  }
}

/** Creates a bridge for machines with their own network namespaces. Bridge and namespaces are removed when the scope closes. */
export async function openNamespaces(scope: Scope): Promise<Site> {
  // Names of network interfaces have at most 15 characters.
  const bridgeName = `hw${randomInt(36 ** 4)
    .toString(36)
    .padStart(4, '0')}`;
  // A random private network of 256 addresses, so that two runs are unlikely to share one.
  const prefix = `10.${randomInt(200, 250)}.${randomInt(1, 250)}`;
  await runIp('link', 'add', bridgeName, 'type', 'bridge');
  scope.defer(async () => void (await runIp('link', 'del', bridgeName)));
  await runIp('addr', 'add', `${prefix}.1/24`, 'dev', bridgeName);
  await runIp('link', 'set', bridgeName, 'up');
  let lastHostNumber = 10;
  return {
    testAddress: `${prefix}.1`,
    network: `${prefix}.0/24`,
    hasNamespaces: true,
    async openMachine(name) {
      const hostNumber = (lastHostNumber += 1);
      const [namespace, vethName, address] = [
        `${bridgeName}-${name}`,
        `${bridgeName}v${hostNumber}`,
        `${prefix}.${hostNumber}`,
      ];
      await runIp('netns', 'add', namespace);
      scope.defer(async () => void (await runIp('netns', 'del', namespace)));
      await runIp('link', 'add', vethName, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', namespace);
      await runIp('link', 'set', vethName, 'master', bridgeName, 'up');
      await runIp('-n', namespace, 'addr', 'add', `${address}/24`, 'dev', 'eth0');
      for (const device of ['eth0', 'lo']) await runIp('-n', namespace, 'link', 'set', device, 'up');
      return {
        address,
        wrapCommand: (command, args) => ['ip', ['netns', 'exec', namespace, command, ...args]],
        setConnected: async (connected) =>
          void (await runIp('link', 'set', vethName, connected ? 'up' : 'down')),
      };
    },
  };
}
