import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, expect, test } from 'vitest';
import { createTestDatabase } from '@/lib/infra/testing/test-database';
import { saveProcessUrl } from '@/lib/infra/process-urls';
import { createNodeSignatures, nodeSignatureHeader } from '@/lib/infra/node-signatures';
import { version } from '@/lib/infra/version';
import { registerNode } from '@/lib/domain/nodes';
import { openTestApi } from './testing/test-api';

const api = openTestApi(await createTestDatabase());
const { db, clock, log, secrets, settings } = api.services;
const systemContext = { actor: { kind: 'system' }, db, clock, log, secrets, settings } as const;
const signatures = createNodeSignatures(secrets, clock);
const servers: Server[] = [];

afterAll(() => {
  for (const server of servers) {
    server.close();
    server.closeAllConnections();
  }
});

/**
 * Starts an HTTP server in place of a process of this machine, and saves its URL where the health check looks for it. A
 * process that was started with the same name before is no longer checked.
 * @param name role of the process, with its slot if that is not 1, as in `live-2`
 * @param status status of its responses to signed requests; `null` if it never responds
 */
async function startFakeProcess(name: string, status: number | null): Promise<void> {
  const server = createServer((request, response) => {
    const signature = String(request.headers[nodeSignatureHeader]);
    const isSigned = signatures.accepts({ receiver: url, method: 'GET', path: request.url ?? '' }, signature);
    if (status !== null) response.writeHead(isSigned ? status : 401).end();
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await saveProcessUrl(settings.dataDir, name, url);
}

async function startFakeProcesses(names: readonly string[], status: number): Promise<void> {
  for (const name of names) await startFakeProcess(name, status);
}

/** Requests the health of this machine, with the state of each part. */
const readHealth = () => requestProbe('/api/healthz');

/** Requests one of the endpoints for load balancers and orchestrators: `/api/healthz`, `/api/livez`, `/api/readyz`. */
async function requestProbe(path: string): Promise<{ status: number; body: unknown }> {
  const response = await api.request('GET', path);
  return { status: response.status, body: await response.json() };
}

test('healthz names the processes of this machine that do not respond, until all do', async () => {
  // Repeated, because the first check also connects to the database, which may exceed the timeout of two seconds.
  await expect.poll(readHealth).toMatchObject({
    status: 503,
    body: { errors: ['live: is not responding', 'origin: is not responding', 'jobs: is not responding'] },
  });
  await startFakeProcess('live', 200);
  await startFakeProcess('origin', 503);
  await startFakeProcess('jobs', 200);
  expect(await readHealth()).toMatchObject({ status: 503, body: { errors: ['origin: is not responding'] } });
  await startFakeProcess('origin', 200);
  // Repeated until the queue is ready, which connects on first use.
  await expect.poll(readHealth).toEqual({
    status: 200,
    body: { version, database: 'ok', queue: 'ok', live: 'ok', origin: 'ok', jobs: 'ok' },
  });
});

test('a live process that never responds fails healthz, but not readyz and livez, even if another machine has the live role', async () => {
  await startFakeProcesses(['origin', 'jobs'], 200);
  await startFakeProcess('live', null);
  const id = crypto.randomUUID();
  await registerNode(systemContext, {
    id,
    role: 'live',
    url: 'http://10.0.0.2:4000',
    machineId: crypto.randomUUID(),
  });
  expect(await readHealth()).toMatchObject({ status: 503, body: { errors: ['live: is not responding'] } });
  expect((await api.request('GET', '/api/readyz')).status).toBe(200);
  expect((await api.request('GET', '/api/livez')).status).toBe(200);
  await db.node.delete({ where: { id } });
});

test('a web process is not ready while the database lacks a migration of this version', async () => {
  const requestReadiness = () => requestProbe('/api/readyz');
  expect(await requestReadiness()).toEqual({ status: 200, body: { database: 'ok' } });
  await db.$executeRaw`alter table "Stream" rename column "name" to "title"`;
  try {
    expect(await requestReadiness()).toMatchObject({
      status: 503,
      body: { errors: ['database: lacks Stream.name: apply the migrations of this version'] },
    });
  } finally {
    await db.$executeRaw`alter table "Stream" rename column "title" to "name"`;
  }
});

test('a queue whose check fails is reported, without failing the health check or the readiness', async () => {
  await startFakeProcesses(['live', 'origin', 'jobs'], 200);
  const { queues } = api.services;
  const failingQueues = { ...queues, health: () => Promise.reject(new Error('queue unavailable')) };
  Object.assign(api.services, { queues: failingQueues });
  try {
    expect(await readHealth()).toMatchObject({ status: 200, body: { queue: 'unavailable', live: 'ok' } });
    expect((await api.request('GET', '/api/readyz')).status).toBe(200);
  } finally {
    Object.assign(api.services, { queues });
  }
});

test('a machine without a role reports whether another machine has it', async () => {
  const roles = settings.roles;
  Object.assign(settings, { roles: ['web'] });
  try {
    const id = crypto.randomUUID();
    // The id of the machine does not matter: any node with a recent heartbeat counts.
    await registerNode(systemContext, { id, role: 'live', url: 'http://10.0.0.2:4000', machineId: null });
    expect((await readHealth()).body).toMatchObject({ live: 'elsewhere', origin: 'none', jobs: 'none' });
    // The health check ignores nodes without a heartbeat in the last 15 seconds.
    await db.$executeRaw`update "Node" set "seenAt" = now() - interval '1 minute' where "id" = ${id}::uuid`;
    expect(await readHealth()).toMatchObject({ status: 200, body: { live: 'none' } });
  } finally {
    Object.assign(settings, { roles });
  }
});

test('a role is degraded while one of its processes is down, and the health check fails when all are', async () => {
  const { processes } = settings;
  Object.assign(settings, { processes: { ...processes, live: 2 } });
  try {
    await startFakeProcesses(['live', 'origin', 'jobs'], 200);
    await expect.poll(readHealth).toMatchObject({ status: 200, body: { live: 'degraded', origin: 'ok' } });
    await startFakeProcess('live-2', 200);
    expect(await readHealth()).toMatchObject({ status: 200, body: { live: 'ok' } });
    await startFakeProcess('live', 503);
    await startFakeProcess('live-2', 503);
    expect(await readHealth()).toMatchObject({ status: 503, body: { errors: ['live: is not responding'] } });
  } finally {
    Object.assign(settings, { processes });
  }
});
