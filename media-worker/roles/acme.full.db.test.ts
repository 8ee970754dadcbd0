import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import type { SystemContext } from '@/lib/domain/context';
import { writePlaceholder } from '@/lib/infra/tls/acme';
import { Certificate } from '@/lib/infra/tls/certificate';
import { findFreePort } from '@/lib/infra/testing/free-port';
import { createNodeCertificates } from '@/lib/infra/testing/node-certificates';
import { hasPebble, preparePebble } from '@/lib/infra/testing/pebble';
import { createTestDatabase } from '@/lib/infra/testing/test-database';
import { openStorage } from '@/lib/infra/storage';
import { readCertificateState, updateCertificate } from '@/lib/domain/nodes';
import { createLiveFixtures } from '@/lib/domain/testing/live-fixtures';
import { Lifecycle } from '@/media-worker/kit/process/lifecycle';
import { startAcme } from './acme-role';

const { ctx, db } = createLiveFixtures(await createTestDatabase());
const folder = await mkdtemp(join(tmpdir(), 'acme-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of cleanups.splice(0).reverse()) await close();
  await db.acmeCertificate.deleteMany();
  await db.acmeAccount.deleteMany();
});

const neverAborted = new AbortController().signal;
const DAY_MS = 86_400_000;
let machineCount = 0;

interface Machine {
  readonly ctx: SystemContext;
  readonly file: string;
  /** Advances the clock of this machine. */
  pass(ms: number): void;
  pem(): Promise<string>;
  /** Starts the acme process of this machine. */
  start(): Promise<void>;
}

/** Creates a machine with a self-signed certificate, like after its first start. */
async function createMachine(
  directoryUrl: string,
  httpPort: number,
  hosts = ['live.example.com'],
): Promise<Machine> {
  const file = join(folder, `${(machineCount += 1)}`, 'certificate.pem');
  let passedMs = 0;
  const settings = {
    ...ctx.settings,
    host: '127.0.0.1',
    baseUrl: 'https://live.example.com',
    publicTls: { cert: file, key: file },
    acme: { email: 'ada@example.com', directoryUrl, httpPort, hosts },
  };
  expect(await writePlaceholder(settings)).toBe(true);
  expect(await writePlaceholder(settings)).toBe(false);
  const clock = { ...ctx.clock, now: () => new Date(Date.now() + passedMs) };
  const machineCtx = { ...ctx, settings, clock };
  return {
    ctx: machineCtx,
    file,
    pass: (ms) => (passedMs += ms),
    pem: () => readFile(file, 'utf8'),
    async start() {
      const lifecycle = new Lifecycle(ctx.log);
      const controller = new AbortController();
      cleanups.push(() => {
        controller.abort(new Error('stopped'));
        return lifecycle.close();
      });
      await startAcme({ ...machineCtx, storage: openStorage(settings) }, lifecycle, controller.signal);
    },
  };
}

const readCertificateRow = () => db.acmeCertificate.findFirstOrThrow();
const checkCertificate = (machine: Machine, signal = neverAborted) => updateCertificate(machine.ctx, signal);
/** Time until the next order by the clock of the machine, ms. */
const readTimeToOrder = async (machine: Machine) =>
  (await readCertificateRow()).dueAt.getTime() - machine.ctx.clock.now().getTime();

async function startPebble(httpPort: number) {
  const server = await preparePebble(httpPort);
  cleanups.push(() => server[Symbol.asyncDispose]());
  return server;
}

describe.skipIf(!hasPebble)('with a real ACME server (apt-get install pebble)', () => {
  test('two machines get one certificate with one order', async () => {
    const httpPort = await findFreePort();
    const server = await startPebble(httpPort);
    await server.start();
    const hosts = ['cdn.example.com', 'live.example.com'];
    const machineA = await createMachine(server.directoryUrl, httpPort, hosts);
    const machineB = await createMachine(server.directoryUrl, await findFreePort(), hosts);
    const pemBefore = await machineA.pem();
    // The first machine answers all challenges, even if the other machine orders.
    await Promise.all([machineB.start(), machineA.start()]);
    await expect.poll(() => machineA.pem(), { timeout: 120_000 }).not.toBe(pemBefore);
    expect(await readCertificateState(machineB.ctx)).toBe('ok');
    const pem = await machineA.pem();
    await expect.poll(() => machineB.pem(), { timeout: 60_000 }).toBe(pem);

    const certificate = new X509Certificate(pem);
    expect(certificate.issuer).toMatch(/Pebble/);
    for (const host of hosts) expect(certificate.checkHost(host)).toBe(host);
    expect(certificate.checkHost('example.com')).toBeUndefined();
    expect(new Certificate({ cert: machineA.file, key: machineA.file }).reload().cert).toBe(pem);
    expect((await stat(machineA.file)).mode & 0o777).toBe(0o600);
    expect(server.log().match(/Added order/g)).toHaveLength(1);
    expect(await db.acmeAccount.count()).toBe(1);
    expect(await db.acmeChallenge.count()).toBe(0);
    const storedBytes = [
      (await readCertificateRow()).pemSealed,
      (await db.acmeAccount.findFirstOrThrow()).keySealed,
    ];
    for (const bytes of storedBytes) expect(Buffer.from(bytes ?? []).toString('latin1')).not.toMatch(/KEY/);
  });

  test('a certificate is renewed after two thirds of its lifetime, with the same account', async () => {
    const httpPort = await findFreePort();
    const server = await startPebble(httpPort);
    await server.start();
    const machineA = await createMachine(server.directoryUrl, httpPort);
    await machineA.start();
    await expect.poll(() => readCertificateState(machineA.ctx), { timeout: 120_000 }).toBe('ok');
    const laterMachine = await createMachine(server.directoryUrl, httpPort);
    await checkCertificate(laterMachine);
    const firstPem = await laterMachine.pem();
    laterMachine.pass(59 * DAY_MS);
    await checkCertificate(laterMachine);
    expect(await laterMachine.pem()).toBe(firstPem);
    laterMachine.pass(2 * DAY_MS);
    await checkCertificate(laterMachine);
    const secondPem = await laterMachine.pem();
    expect(secondPem).not.toBe(firstPem);
    // Another machine, whose process is running, finds the certificate.
    await expect.poll(() => machineA.pem(), { timeout: 60_000 }).toBe(secondPem);
    expect(await db.acmeAccount.count()).toBe(1);
  });

  test('a failed challenge is retried later', async () => {
    const httpPort = await findFreePort();
    const server = await startPebble(httpPort);
    await server.start();
    const machineA = await createMachine(server.directoryUrl, httpPort);
    const pemBefore = await machineA.pem();
    await checkCertificate(machineA);
    expect(await readCertificateState(machineA.ctx)).toBe('failing');
    expect((await readCertificateRow()).lastError).toMatch(
      /connection refused|Invalid|unauthorized|connect/i,
    );
    expect(await machineA.pem()).toBe(pemBefore);
    const waitMs = await readTimeToOrder(machineA);
    expect(waitMs).toBeLessThanOrEqual(60_000);
    // The next order is not due yet.
    await checkCertificate(machineA);
    expect((await readCertificateRow()).failures).toBe(1);
    // A minute later the order is due, and the started process answers the challenge.
    machineA.pass(61_000);
    await machineA.start();
    await expect.poll(() => readCertificateState(machineA.ctx), { timeout: 120_000 }).toBe('ok');
    expect(await readCertificateRow()).toMatchObject({ failures: 0, lastError: null, orderId: null });
  });

  test('an unavailable server is asked again, and the current certificate stays', async () => {
    const httpPort = await findFreePort();
    const server = await startPebble(httpPort);
    const machineA = await createMachine(server.directoryUrl, httpPort);
    const pemBefore = await machineA.pem();
    await checkCertificate(machineA);
    expect(await readCertificateRow()).toMatchObject({ failures: 1, pemSealed: null });
    expect((await readCertificateRow()).lastError).toMatch(/ECONNREFUSED/);
    expect(await machineA.pem()).toBe(pemBefore);
    await server.start();
    machineA.pass(61_000);
    await machineA.start();
    await expect.poll(() => machineA.pem(), { timeout: 120_000 }).not.toBe(pemBefore);
    expect(await readCertificateState(machineA.ctx)).toBe('ok');
  });

  test('a changed secret costs one more order', async () => {
    const httpPort = await findFreePort();
    const server = await startPebble(httpPort);
    await server.start();
    const machineA = await createMachine(server.directoryUrl, httpPort);
    await machineA.start();
    await expect.poll(() => readCertificateState(machineA.ctx), { timeout: 120_000 }).toBe('ok');
    const firstPem = await machineA.pem();
    await db.acmeCertificate.updateMany({ data: { pemSealed: Buffer.from('other') } });
    await db.acmeAccount.updateMany({ data: { keySealed: Buffer.from('other') } });
    await expect.poll(() => machineA.pem(), { timeout: 120_000 }).not.toBe(firstPem);
    expect(await readCertificateState(machineA.ctx)).toBe('ok');
  });
});

describe('a server that answers with an error', () => {
  async function startOverloadedServer(retryAfter: string) {
    const certificates = await createNodeCertificates();
    cleanups.push(() => certificates.remove());
    const { cert, key } = certificates.files;
    const options = { cert: await readFile(cert), key: await readFile(key) };
    const server = createServer(options, (_request, response) => {
      response.writeHead(503, { 'Retry-After': retryAfter }).end();
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    cleanups.push(() => new Promise((resolve) => server.close(resolve)));
    // Trusts the certificate of the ACME server, as tests with pebble do.
    await startPebble(1);
    return `https://127.0.0.1:${(server.address() as AddressInfo).port}/dir`;
  }

  test('is not asked again for as long as it requests', async () => {
    const machineA = await createMachine(await startOverloadedServer('7200'), 1);
    await checkCertificate(machineA);
    expect((await readCertificateRow()).lastError).toMatch(/503/);
    const waitMs = await readTimeToOrder(machineA);
    expect(waitMs).toBeGreaterThan(7_000_000);
    expect(waitMs).toBeLessThanOrEqual(7_200_000);
  });

  test('does not count as a failure of an aborted order, which is due again', async () => {
    const machineA = await createMachine(await startOverloadedServer('7200'), 1);
    const abortedSignal = AbortSignal.abort(new Error('stopped'));
    await checkCertificate(machineA, abortedSignal);
    expect(await readCertificateRow()).toMatchObject({ failures: 0, orderId: null, lastError: null });
    expect(await readTimeToOrder(machineA)).toBeLessThanOrEqual(0);
    expect(await readCertificateState(machineA.ctx)).toBe('pending');
  });
});

test('the challenge port answers tokens and redirects all other requests to BASE_URL', async () => {
  const httpPort = await findFreePort();
  const machineA = await createMachine('https://127.0.0.1:1/dir', httpPort);
  await machineA.start();
  await db.acmeChallenge.create({ data: { token: 'abc-_1', keyAuthorization: 'abc-_1.thumb' } });
  cleanups.push(() => db.acmeChallenge.deleteMany());
  const request = (path: string, init: RequestInit = {}) =>
    fetch(`http://127.0.0.1:${httpPort}${path}`, { redirect: 'manual', ...init });
  const answer = await request('/.well-known/acme-challenge/abc-_1');
  expect([answer.status, await answer.text()]).toEqual([200, 'abc-_1.thumb']);
  expect((await request('/.well-known/acme-challenge/other')).status).toBe(404);
  for (const path of ['/streams?x=1', '/.well-known/acme-challenge/a%2Fb']) {
    const redirect = await request(path);
    expect([redirect.status, redirect.headers.get('location')]).toEqual([
      301,
      `https://live.example.com${path}`,
    ]);
  }
  expect((await request('/api/stream', { method: 'POST', body: '{}' })).status).toBe(400);
});
