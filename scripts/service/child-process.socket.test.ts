import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import type { ProcessSupervisor } from '@/lib/infra/supervised-process';
import { supervise, type ChildSpec } from './child-process';

const channel = join(import.meta.dirname, '..', '..', 'lib', 'infra', 'supervisor-channel.ts');
const running: ProcessSupervisor[] = [];
afterEach(() => Promise.all(running.splice(0).map((child) => child.stop(100))));

/** Supervises a process that responds to its supervisor, runs `script` and prints "up". */
function start(
  script: string,
  liveness: ChildSpec['liveness'],
): { child: ProcessSupervisor; lines: string[] } {
  const code = `import { answerSupervisor, markReady } from ${JSON.stringify(channel)};
    answerSupervisor(); markReady(); ${script}; setInterval(() => undefined, 1_000); console.log('up');`;
  const lines: string[] = [];
  const args = ['--import', 'tsx', '--input-type=module', '-e', code];
  const child = supervise(
    { name: 'test', command: { command: process.execPath, args }, stopSignal: 'SIGTERM', liveness },
    { log: (line) => lines.push(line), print: (name, line) => lines.push(`${name} | ${line}`) },
  );
  running.push(child);
  return { child, lines };
}

const longTimeouts = { silenceTimeoutMs: 60_000, startTimeoutMs: 60_000 };
const countUpLines = (lines: string[]) => lines.filter((line) => line.endsWith('up')).length;

test('a killed process is restarted', async () => {
  const { child, lines } = start('', longTimeouts);
  await expect.poll(() => countUpLines(lines)).toBe(1);
  const firstPid = child.pid();
  child.kill();
  await expect.poll(() => countUpLines(lines)).toBe(2);
  expect(child.pid()).not.toBe(firstPid);
  expect(lines).toContain('test ended (SIGKILL); restarting now');
});

test('a frozen process is killed and restarted', async () => {
  const { child, lines } = start('', { silenceTimeoutMs: 6_000, startTimeoutMs: 20_000 });
  await expect.poll(() => countUpLines(lines)).toBe(1);
  const pid = child.pid() ?? 0;
  process.kill(pid, 'SIGSTOP');
  await expect.poll(() => countUpLines(lines), { timeout: 60_000 }).toBe(2);
  expect(lines.join()).toMatch(/test has not responded for \d+ s: stopping it/);
  expect(child.pid()).not.toBe(pid);
});

test('a process with a blocked event loop is killed and restarted', async () => {
  const block = 'setTimeout(() => { for (;;); }, 3_000)';
  const { lines } = start(block, { silenceTimeoutMs: 4_000, startTimeoutMs: 10_000 });
  await expect.poll(() => countUpLines(lines), { timeout: 90_000 }).toBeGreaterThanOrEqual(2);
});

test('a process that was frozen for a moment is not restarted', async () => {
  const { child, lines } = start("process.on('message', () => console.log('asked'))", longTimeouts);
  const countAskedLines = () => lines.filter((line) => line.endsWith('asked')).length;
  await expect.poll(() => countUpLines(lines)).toBe(1);
  const pid = child.pid() ?? 0;
  process.kill(pid, 'SIGSTOP');
  const askedCount = countAskedLines();
  await new Promise((resolve) => setTimeout(resolve, 2_500)); // duration of the freeze
  process.kill(pid, 'SIGCONT');
  await expect.poll(countAskedLines).toBeGreaterThan(askedCount + 1);
  expect([child.pid(), countUpLines(lines)]).toEqual([pid, 1]);
});
