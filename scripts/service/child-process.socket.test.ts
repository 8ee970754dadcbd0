import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { supervise, type ChildSpec, type Supervised } from './child-process';

const channel = join(import.meta.dirname, '..', '..', 'lib', 'infra', 'supervisor-channel.ts');
const running: Supervised[] = [];
afterEach(() => Promise.all(running.splice(0).map((child) => child.stop(100))));

/** A process of the service that does nothing but answer its supervisor. */
function start(then: string, liveness: ChildSpec['liveness']): { child: Supervised; said: string[] } {
  const code = `import { answerSupervisor, markReady } from ${JSON.stringify(channel)};
    answerSupervisor(); markReady(); ${then}; setInterval(() => undefined, 1_000); console.log('up');`;
  const said: string[] = [];
  const args = ['--import', 'tsx', '--input-type=module', '-e', code];
  const child = supervise(
    { name: 'test', command: { command: process.execPath, args }, stopSignal: 'SIGTERM', liveness },
    (line) => said.push(line),
  );
  running.push(child);
  return { child, said };
}

const longTimeouts = { silentMs: 60_000, startingMs: 60_000 };
const timesUp = (said: string[]) => said.filter((line) => line.endsWith('up')).length;

test('a process that was killed is started again, as another one', async () => {
  const { child, said } = start('', longTimeouts);
  await expect.poll(() => timesUp(said)).toBe(1);
  const first = child.pid();
  child.kill();
  await expect.poll(() => timesUp(said)).toBe(2);
  expect(child.pid()).not.toBe(first);
  expect(said).toContain('test ended (SIGKILL); restarting now');
});

test('a process that is frozen is ended and started again', async () => {
  const { child, said } = start('', { silentMs: 6_000, startingMs: 20_000 });
  await expect.poll(() => timesUp(said)).toBe(1);
  const pid = child.pid() ?? 0;
  process.kill(pid, 'SIGSTOP');
  await expect.poll(() => timesUp(said), { timeout: 60_000 }).toBe(2);
  expect(said.join()).toMatch(/test has not responded for \d+ s: stopping it/);
  expect(child.pid()).not.toBe(pid);
});

test('a process whose event loop stands still is ended and started again', async () => {
  const block = 'setTimeout(() => { for (;;); }, 3_000)';
  const { said } = start(block, { silentMs: 4_000, startingMs: 10_000 });
  await expect.poll(() => timesUp(said), { timeout: 90_000 }).toBeGreaterThanOrEqual(2);
});

test('a process that was frozen for a moment goes on', async () => {
  const { child, said } = start("process.on('message', () => console.log('asked'))", longTimeouts);
  const timesAsked = () => said.filter((line) => line.endsWith('asked')).length;
  await expect.poll(() => timesUp(said)).toBe(1);
  const pid = child.pid() ?? 0;
  process.kill(pid, 'SIGSTOP');
  const before = timesAsked();
  await new Promise((resolve) => setTimeout(resolve, 2_500)); // the moment
  process.kill(pid, 'SIGCONT');
  await expect.poll(timesAsked).toBeGreaterThan(before + 1);
  expect([child.pid(), timesUp(said)]).toEqual([pid, 1]);
});
