import { execFile } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { promisify } from 'node:util';
import type { Scope } from '../../bench/lib/scope';

/** A machine of the cluster: a network namespace with its own address, or a process on loopback. */
export interface Machine {
  readonly address: string;
  /** The command line that runs another command on this machine. */
  inside(command: string, args: readonly string[]): readonly [command: string, args: readonly string[]];
  /** Disconnects the machine from the network or reconnects it; absent on loopback. */
  readonly connect?: (connected: boolean) => Promise<void>;
}

/** The machines of one cluster and their network. */
export interface Site {
  /** Address of the test process. */
  readonly address: string;
  /** CIDR range of all machines. */
  readonly network: string;
  /** Whether each machine has its own network namespace, in which all ports are free. */
  readonly separate: boolean;
  place(name: string): Promise<Machine>;
}

const run = promisify(execFile);
const ip = (...args: string[]) => run('ip', args, { timeout: 20_000 });

export const loopback: Site = {
  address: '127.0.0.1',
  network: '127.0.0.0/8',
  separate: false,
  place: () => Promise.resolve({ address: '127.0.0.1', inside: (command, args) => [command, args] }),
};

/** The reason why network namespaces are unavailable; null if they are available. */
export async function namespacesMissing(): Promise<string | null> {
  if (process.getuid?.() !== 0) return 'network namespaces need root';
  const probe = `hw-probe-${process.pid}`;
  try {
    await ip('netns', 'add', probe);
    await ip('netns', 'del', probe);
    return null;
  } catch {
    return 'this system does not allow network namespaces (iproute2, CAP_SYS_ADMIN)';
  }
}

/** Creates network namespaces on a bridge. They are removed at the end of the scope. */
export async function openNamespaces(scope: Scope): Promise<Site> {
  // Names of network interfaces have at most 15 characters.
  const tag = `hw${randomInt(36 ** 4)
    .toString(36)
    .padStart(4, '0')}`;
  const prefix = `10.${randomInt(200, 250)}.${randomInt(1, 250)}`;
  await ip('link', 'add', tag, 'type', 'bridge');
  scope.defer(async () => void (await ip('link', 'del', tag)));
  await ip('addr', 'add', `${prefix}.1/24`, 'dev', tag);
  await ip('link', 'set', tag, 'up');
  let last = 10;
  return {
    address: `${prefix}.1`,
    network: `${prefix}.0/24`,
    separate: true,
    async place(name) {
      const number = (last += 1);
      const [namespace, outer, address] = [`${tag}-${name}`, `${tag}v${number}`, `${prefix}.${number}`];
      await ip('netns', 'add', namespace);
      scope.defer(async () => void (await ip('netns', 'del', namespace)));
      await ip('link', 'add', outer, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', namespace);
      await ip('link', 'set', outer, 'master', tag, 'up');
      await ip('-n', namespace, 'addr', 'add', `${address}/24`, 'dev', 'eth0');
      for (const device of ['eth0', 'lo']) await ip('-n', namespace, 'link', 'set', device, 'up');
      return {
        address,
        inside: (command, args) => ['ip', ['netns', 'exec', namespace, command, ...args]],
        connect: async (connected) => void (await ip('link', 'set', outer, connected ? 'up' : 'down')),
      };
    },
  };
}
