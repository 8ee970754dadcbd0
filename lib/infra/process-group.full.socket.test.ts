import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest';
import { aliveProbe } from './supervisor-channel';

const folder = mkdtempSync(join(tmpdir(), 'group-'));
afterAll(() => rmSync(folder, { recursive: true }));
const moduleOf = (name: string) => JSON.stringify(join(import.meta.dirname, `${name}.ts`));

/** A program that sends its slot and pid to every client. */
const programPath = join(folder, 'program.mts');
writeFileSync(
  programPath,
  `import { createServer } from 'node:net';
import { runProcessGroup, startsGroup } from ${moduleOf('process-group')};
import { answerSupervisor, markReady } from ${moduleOf('supervisor-channel')};
answerSupervisor();
if (startsGroup('live', { processes: { live: 2, origin: 1, web: 1 } })) {
  runProcessGroup('live', 2, { warn: (line) => console.log(line) });
} else {
  const { PROCESS_SLOT: slot } = process.env;
  process.on('SIGTERM', () => process.exit(0));
  createServer((socket) => socket.end(slot + ' ' + process.pid)).listen(Number(process.argv[2]), '127.0.0.1', markReady);
}
`,
);

let port = 0;
let group: ChildProcess;
beforeEach(async () => {
  port = await findFreePort();
  const execArgv = ['--import', 'tsx'];
  group = fork(programPath, [String(port)], { execArgv, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
});
afterEach(async () => {
  if (group.exitCode !== null || group.signalCode !== null) return;
  const exit = once(group, 'exit');
  group.kill('SIGKILL');
  await exit;
});

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port: freePort } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return freePort;
}

/** Timeout of a test connection, because a connection to a process that is killed gets no response. */
const CONNECTION_TIMEOUT_MS = 2_000;

/** Slot and pid of the process that accepts the next connection; null if no process accepts it. */
async function connectToGroup(): Promise<readonly [slot: string, pid: number] | null> {
  const socket = connect(port, '127.0.0.1');
  socket.setTimeout(CONNECTION_TIMEOUT_MS, () => socket.destroy());
  try {
    let reply = '';
    for await (const chunk of socket) reply += String(chunk);
    const [slot, pid] = reply.split(' ');
    return slot && pid ? [slot, Number(pid)] : null;
  } catch {
    return null;
  }
}

/**
 * Waits until both slots have accepted a connection in a process other than `excludedPid`.
 * @returns the pids by slot
 */
async function waitForPidsBySlot(excludedPid?: number): Promise<Map<string, number>> {
  const pids = new Map<string, number>();
  const countAcceptingSlots = async () => {
    const acceptingProcess = await connectToGroup();
    if (acceptingProcess && acceptingProcess[1] !== excludedPid) pids.set(...acceptingProcess);
    return pids.size;
  };
  await expect.poll(countAcceptingSlots).toBe(2);
  return pids;
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

test('a killed process is replaced, and the others keep running', async () => {
  const pidsBefore = await waitForPidsBySlot();
  const [firstPid = 0, secondPid = 0] = [pidsBefore.get('1'), pidsBefore.get('2')];
  process.kill(secondPid, 'SIGKILL');
  const pidsAfter = await waitForPidsBySlot(secondPid);
  expect(pidsAfter.get('1')).toBe(firstPid);
  expect(pidsAfter.get('2')).not.toBe(secondPid);
});

test('a connection that was passed to a frozen process is closed when that process is killed', async () => {
  const frozenPid = (await waitForPidsBySlot()).get('2') ?? 0;
  process.kill(frozenPid, 'SIGSTOP');
  const sockets = Array.from({ length: 4 }, () => connect(port, '127.0.0.1'));
  const replies = sockets.map(async (socket) => {
    let reply = '';
    for await (const chunk of socket) reply += String(chunk);
    return reply.split(' ')[0];
  });
  let replyCount = 0;
  for (const reply of replies) void reply.then(() => (replyCount += 1));
  await expect.poll(() => replyCount).toBe(3);
  process.kill(frozenPid, 'SIGKILL');
  // The connection of the frozen process ends without a reply.
  expect((await Promise.all(replies)).sort()).toEqual(['', '1', '1', '1']);
});

test('a group is ready when all of its processes are', async () => {
  const askWhetherReady = async () => {
    const response = once(group, 'message');
    group.send(aliveProbe);
    return (await response)[0] as unknown;
  };
  expect(await askWhetherReady()).toBe('starting');
  await expect.poll(askWhetherReady).toBe('ready');
  expect((await waitForPidsBySlot()).size).toBe(2);
});

test('SIGTERM ends all processes', async () => {
  const pids = [...(await waitForPidsBySlot()).values()];
  const exit = once(group, 'exit');
  group.kill('SIGTERM');
  expect(await exit).toEqual([0, null]);
  expect(pids.filter(isRunning)).toEqual([]);
});

test('the processes end with the process that started them, even if it is killed', async () => {
  const pids = [...(await waitForPidsBySlot()).values()];
  group.kill('SIGKILL');
  await expect.poll(() => pids.filter(isRunning)).toEqual([]);
  expect(await connectToGroup()).toBeNull();
});
