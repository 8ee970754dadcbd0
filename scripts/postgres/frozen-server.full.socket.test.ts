import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { clusterUrl, openCluster } from './cluster';
import { clearStaleServer, probePostgres, stopFrozenServer, runSql, startPostgres } from './server';

/** Process ids of a server, the postmaster first. */
async function processesOf(postmaster: number): Promise<number[]> {
  const children = await readFile(`/proc/${postmaster}/task/${postmaster}/children`, 'utf8');
  return [postmaster, ...children.split(' ').filter(Boolean).map(Number)];
}

test.runIf(process.platform === 'linux')(
  'a frozen server is detected and stopped with its children, and no committed data is lost',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'frozen-'));
    const cluster = await openCluster(folder, { durable: true });
    const url = clusterUrl(cluster, 'postgres');
    const firstServer = await startPostgres(cluster);
    try {
      await runSql(url, 'create table kept (id int)');
      await runSql(url, 'insert into kept values (1)');
      expect(await probePostgres(url)).toBe('ready');
      const pid = Number((await readFile(join(cluster.directory, 'postmaster.pid'), 'utf8')).split('\n')[0]);
      const processIds = await processesOf(pid);
      for (const processId of processIds) process.kill(processId, 'SIGSTOP');
      expect(await probePostgres(url)).toBeNull();
      await stopFrozenServer(pid);
      await expect.poll(() => processIds.filter(isRunning)).toEqual([]);
    } finally {
      await firstServer.stop();
    }
    const secondServer = await startPostgres(cluster);
    try {
      expect(await runSql(url, 'select * from kept')).toBe(1);
    } finally {
      await secondServer.stop();
      await rm(folder, { recursive: true, force: true });
    }
  },
);

test('a server that does not respond in time is stopped', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'silent-'));
  const cluster = await openCluster(folder, { durable: false });
  try {
    // The server rejects every connection.
    const starting = startPostgres({ ...cluster, password: 'wrong' }, () => undefined, 3_000);
    await expect(starting).rejects.toThrow('PostgreSQL is not responding');
    await expect(readFile(join(cluster.directory, 'postmaster.pid'))).rejects.toThrow('ENOENT');
  } finally {
    await clearStaleServer(cluster);
    await rm(folder, { recursive: true, force: true });
  }
});

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
