import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, expect, test } from 'vitest';
import { createTestDatabase } from '@/lib/infra/testing/test-database';
import { saveProcessUrl } from '@/lib/infra/process-urls';
import { createNodeSignatures, nodeSignatureHeader } from '@/lib/infra/node-signatures';
import { version } from '@/lib/infra/version';
import { announceNode } from '@/lib/domain/nodes';
import { openTestApi } from './testing/test-api';

const api = openTestApi(await createTestDatabase());
const { db, clock, log, secrets, settings } = api.services;
const system = { actor: { kind: 'system' }, db, clock, log, secrets, settings } as const;
const signatures = createNodeSignatures(secrets, clock);
const servers: Server[] = [];

afterAll(() => {
  for (const server of servers) {
    server.close();
    server.closeAllConnections();
  }
});

/**
 * Starts a server in place of a process of this machine, and stores its URL as that process does.
 * @param status status of its responses; `null` if it never responds
 */
async function announceProcess(name: string, status: number | null): Promise<void> {
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

const readHealth = () => requestHealth('/api/healthz');

async function requestHealth(path: string): Promise<{ status: number; body: unknown }> {
  const response = await api.request('GET', path);
  return { status: response.status, body: await response.json() };
}

test('healthz names the processes of this machine that do not respond, until all do', async () => {
  // The first check opens the queue, which has two seconds to respond.
  await expect.poll(readHealth).toMatchObject({
    status: 503,
    body: { errors: ['live: is not responding', 'origin: is not responding', 'jobs: is not responding'] },
  });
  await announceProcess('live', 200);
  await announceProcess('origin', 503);
  await announceProcess('jobs', 200);
  expect(await readHealth()).toMatchObject({ status: 503, body: { errors: ['origin: is not responding'] } });
  await announceProcess('origin', 200);
  await expect.poll(readHealth).toEqual({
    status: 200,
    body: { version, database: 'ok', queue: 'ok', live: 'ok', origin: 'ok', jobs: 'ok' },
  });
});

test('a frozen live process of this machine is reported even if another machine has one', async () => {
  await announceProcess('live', null);
  const id = crypto.randomUUID();
  await announceNode(system, {
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
  const requestReadiness = () => requestHealth('/api/readyz');
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

test('a queue that does not respond is reported, and the API stays ready', async () => {
  await announceProcess('live', 200);
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
    await announceNode(system, { id, role: 'live', url: 'http://10.0.0.2:4000', machineId: null });
    expect((await readHealth()).body).toMatchObject({ live: 'elsewhere', origin: 'none', jobs: 'none' });
    await db.$executeRaw`update "Node" set "seenAt" = now() - interval '1 minute' where "id" = ${id}::uuid`;
    expect(await readHealth()).toMatchObject({ status: 200, body: { live: 'none' } });
  } finally {
    Object.assign(settings, { roles });
  }
});

test('a role is degraded while one of its processes does not respond, and is reported when none does', async () => {
  const { processes } = settings;
  Object.assign(settings, { processes: { ...processes, live: 2 } });
  try {
    await announceProcess('live', 200);
    await announceProcess('origin', 200);
    await announceProcess('jobs', 200);
    await expect.poll(readHealth).toMatchObject({ status: 200, body: { live: 'degraded', origin: 'ok' } });
    await announceProcess('live-2', 200);
    expect(await readHealth()).toMatchObject({ status: 200, body: { live: 'ok' } });
    await announceProcess('live', 503);
    await announceProcess('live-2', 503);
    expect(await readHealth()).toMatchObject({ status: 503, body: { errors: ['live: is not responding'] } });
  } finally {
    Object.assign(settings, { processes });
  }
});
