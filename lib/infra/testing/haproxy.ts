import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, vi } from 'vitest';
import { findFreePort } from './free-port';

/** Whether HAProxy is installed (apt-get install haproxy); otherwise its tests are skipped. */
export const hasHaproxy = spawnSync('haproxy', ['-v']).status === 0;

export interface Haproxy extends AsyncDisposable {
  /** Port for clients. */
  readonly port: number;
}

/** Starts HAProxy on loopback, configured as in docs/scaling.md, with the shortest check interval. */
export async function startHaproxy(
  targetPort: number,
  header: 'send-proxy' | 'send-proxy-v2',
): Promise<Haproxy> {
  const folder = mkdtempSync(join(tmpdir(), 'headwater-haproxy-'));
  const port = await findFreePort();
  const file = join(folder, 'haproxy.cfg');
  writeFileSync(
    file,
    `defaults
  mode tcp
  timeout connect 5s
  timeout client 60s
  timeout server 60s
listen ingest
  bind 127.0.0.1:${port}
  server one 127.0.0.1:${targetPort} ${header} check inter 100
`,
  );
  const haproxy = spawn('haproxy', ['-db', '-q', '-f', file], { stdio: 'ignore' });
  const exit = new Promise((resolve) => haproxy.once('exit', resolve));
  const stop = async (): Promise<void> => {
    if (haproxy.kill('SIGTERM')) await exit;
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await vi.waitFor(async () => expect(await acceptsConnections(port)).toBe(true), 20_000);
  } catch (error) {
    await stop();
    throw error;
  }
  return { port, [Symbol.asyncDispose]: stop };
}

/** Whether a program listens on this port. */
export function acceptsConnections(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}
