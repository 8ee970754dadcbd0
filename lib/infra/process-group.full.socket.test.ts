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

/** Sends its slot and pid to every client. */
const program = join(folder, 'program.mts');
writeFileSync(
  program,
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
  group = fork(program, [String(port)], { execArgv, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
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
  const { port: free } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return free;
}

/** Timeout of a test connection, because a connection to a process that is killed gets no response. */
const CONNECTION_TIMEOUT_MS = 2_000;

/** Slot and pid of the process that accepts the next connection; null if no process accepts it. */
async function nextAccepting(): Promise<readonly [slot: string, pid: number] | null> {
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
async function pidsBySlot(excludedPid?: number): Promise<Map<string, number>> {
  const pids = new Map<string, number>();
  const countSlots = async () => {
    const taker = await nextAccepting();
    if (taker && taker[1] !== excludedPid) pids.set(...taker);
    return pids.size;
  };
  await expect.poll(countSlots).toBe(2);
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
  const before = await pidsBySlot();
  const [first = 0, second = 0] = [before.get('1'), before.get('2')];
  process.kill(second, 'SIGKILL');
  const after = await pidsBySlot(second);
  expect(after.get('1')).toBe(first);
  expect(after.get('2')).not.toBe(second);
});

test('a connection is not lost on its way to a process that is frozen and then killed', async () => {
  const frozen = (await pidsBySlot()).get('2') ?? 0;
  process.kill(frozen, 'SIGSTOP');
  const open = Array.from({ length: 4 }, () => connect(port, '127.0.0.1'));
  const answers = open.map(async (socket) => {
    let reply = '';
    for await (const chunk of socket) reply += String(chunk);
    return reply.split(' ')[0];
  });
  let answerCount = 0;
  for (const answer of answers) void answer.then(() => (answerCount += 1));
  await expect.poll(() => answerCount).toBe(3);
  process.kill(frozen, 'SIGKILL');
  expect((await Promise.all(answers)).sort()).toEqual(['', '1', '1', '1']);
});

test('a group is ready when all of its processes are', async () => {
  const ask = async () => {
    const response = once(group, 'message');
    group.send(aliveProbe);
    return (await response)[0] as unknown;
  };
  expect(await ask()).toBe('starting');
  await expect.poll(ask).toBe('ready');
  expect((await pidsBySlot()).size).toBe(2);
});

test('SIGTERM ends all processes', async () => {
  const pids = [...(await pidsBySlot()).values()];
  const exit = once(group, 'exit');
  group.kill('SIGTERM');
  expect(await exit).toEqual([0, null]);
  expect(pids.filter(isRunning)).toEqual([]);
});

test('the processes end with the process that started them, even if it is killed', async () => {
  const pids = [...(await pidsBySlot()).values()];
  group.kill('SIGKILL');
  await expect.poll(() => pids.filter(isRunning)).toEqual([]);
  expect(await nextAccepting()).toBeNull();
});
