import { connect } from 'node:tls';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { systemClock } from '@/lib/infra/clock';
import { readSettings, type Settings } from '@/lib/infra/env';
import { createLogger } from '@/lib/infra/logger';
import { createNodeSignatures, nodeSignatureHeader } from '@/lib/infra/node-signatures';
import type { NodeTlsFiles } from '@/lib/infra/tls/node-tls-settings';
import { createSecrets } from '@/lib/infra/secrets';
import { createNodeCertificates } from '@/lib/infra/testing/node-certificates';
import { askNode } from '@/lib/domain/nodes';
import { createUpstream } from '@/media-worker/delivery/origin/live/live-proxy';
import { jsonAnswer, send } from './answer';
import { listenInternal, type InternalServer } from './listen-internal';

const APP_SECRET = 'the secret of this installation, in 40 letters';
const secrets = createSecrets(APP_SECRET);
const log = createLogger('test', 'silent');
const clock = systemClock;
const certificates: { remove(): Promise<void> }[] = [];
const servers: InternalServer[] = [];
afterEach(() => Promise.all(servers.splice(0).map((server) => server.close())));
afterAll(() => Promise.all(certificates.map((nodeCertificates) => nodeCertificates.remove())));

async function createCertificates(...args: Parameters<typeof createNodeCertificates>) {
  const issuedFiles = await createNodeCertificates(...args);
  certificates.push(issuedFiles);
  return issuedFiles;
}

function settingsOf(files?: NodeTlsFiles): Settings {
  const tls = files && {
    INTERNAL_TLS_CERT: files.cert,
    INTERNAL_TLS_KEY: files.key,
    INTERNAL_TLS_CA: files.ca,
  };
  return readSettings({ DATABASE_URL: 'postgres://localhost/x', APP_SECRET, ...tls });
}

async function startServer(files?: NodeTlsFiles): Promise<InternalServer> {
  const ctx = { settings: settingsOf(files), secrets, clock, log };
  const server = await listenInternal(ctx, 'live', (_, response) => send(response, jsonAnswer(200, {})), {
    maxConnections: 10,
  });
  servers.push(server);
  return server;
}

/** Sends a signed request, and returns its status. */
const requestStatus = async (url: string, files?: NodeTlsFiles) =>
  (await askNode({ settings: settingsOf(files), secrets, clock }, { url, path: '/x', timeoutMs: 10_000 }))
    .status;

/** The subject of the certificate that the server presents. */
function presentedCertificate({ port }: InternalServer, { ca }: NodeTlsFiles): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false, ca: [ca] }, () => {
      resolve(String(socket.getPeerCertificate().subject.CN));
      socket.destroy();
    });
    socket.on('error', reject);
  });
}

describe('with TLS between nodes', () => {
  test('nodes with a certificate of the CA are accepted, and must still sign their requests', async () => {
    const [firstFiles, secondFiles] = [
      (await createCertificates()).files,
      (await createCertificates()).files,
    ];
    const { url, port } = await startServer(firstFiles);
    expect(url).toBe(`https://127.0.0.1:${port}`);
    expect(await requestStatus(url, secondFiles)).toBe(200);
    const unsignedUpstream = createUpstream(() => ({}), { internalTls: secondFiles });
    expect((await unsignedUpstream.fetch(`${url}/x`)).status).toBe(401);
    unsignedUpstream.close();
  });

  test('an origin fetches media with signed requests, whether they block or not', async () => {
    const { files } = await createCertificates();
    const { url } = await startServer(files);
    const signatures = createNodeSignatures(secrets, clock);
    const sign = (receiver: string, path: string) => ({
      [nodeSignatureHeader]: signatures.sign({ receiver, method: 'GET', path }),
    });
    const upstream = createUpstream(sign, { internalTls: files });
    expect((await upstream.fetch(`${url}/a?b=c`)).status).toBe(200);
    expect((await upstream.fetch(`${url}/a`, { isBlocking: true })).status).toBe(200);
    upstream.close();
  });

  test('a client without a certificate is rejected', async () => {
    const { files } = await createCertificates();
    const { port } = await startServer(files);
    const rejection = new Promise<string>((resolve) => {
      const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false }, () =>
        socket.write('GET /x HTTP/1.1\r\nHost: x\r\n\r\n'),
      );
      socket.on('data', (data) => resolve(`answered ${String(data)}`));
      socket.on('error', (error: Error) => resolve(error.message));
      socket.on('close', () => resolve('closed'));
    });
    expect(await rejection).toMatch(/certificate required/);
  });

  test('TLS 1.1 is rejected', async () => {
    const { files } = await createCertificates();
    const { port } = await startServer(files);
    const rejection = new Promise<string>((resolve) => {
      const options = { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' } as const;
      const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false, ...options }, () =>
        resolve('connected'),
      );
      socket.on('error', (error: Error) => resolve(error.message));
    });
    expect(await rejection).toMatch(/protocol version|ECONNRESET/);
  });

  test.each([
    ['signed by another CA', 'otherAuthority', 'ca'],
    ['expired', 'expired', 'ca'],
  ] as const)(
    'a certificate that is %s is rejected in both directions',
    async (_, certificateKind, authority) => {
      const validFiles = (await createCertificates()).files;
      const rejectedFiles = (await createCertificates(certificateKind, authority)).files;
      await expect(requestStatus((await startServer(validFiles)).url, rejectedFiles)).rejects.toThrow();
      await expect(requestStatus((await startServer(rejectedFiles)).url, validFiles)).rejects.toThrow(
        /certificate/,
      );
    },
  );

  test('a client that trusts another CA rejects the node', async () => {
    const { url } = await startServer((await createCertificates()).files);
    await expect(requestStatus(url, (await createCertificates('node', 'other')).files)).rejects.toThrow(
      /certificate/,
    );
  });

  test('a certificate for another address is rejected', async () => {
    const { url } = await startServer((await createCertificates('otherHost')).files);
    await expect(requestStatus(url, (await createCertificates()).files)).rejects.toThrow(/10\.0\.0\.2/);
  });

  test('nodes with and without TLS get an error from each other that names the difference', async () => {
    const { files } = await createCertificates();
    const [tlsServer, plainServer] = [await startServer(files), await startServer()];
    await expect(requestStatus(tlsServer.url)).rejects.toThrow('has TLS between nodes, this one does not');
    await expect(requestStatus(plainServer.url, files)).rejects.toThrow('This node has TLS between nodes');
  });

  test('both ends use a renewed certificate without a restart', async () => {
    const serverFiles = await createCertificates();
    const clientFiles = await createCertificates('expired');
    const server = await startServer(serverFiles.files);
    const settings = settingsOf(clientFiles.files);
    const requestAgain = async () =>
      (await askNode({ settings, secrets, clock }, { url: server.url, path: '/x', timeoutMs: 10_000 }))
        .status;
    await expect(requestAgain()).rejects.toThrow();
    await clientFiles.replaceCertificate('node');
    expect(await requestAgain()).toBe(200);
    expect(await presentedCertificate(server, serverFiles.files)).toBe('node1');
    await serverFiles.replaceCertificate('renewed');
    await expect
      .poll(() => presentedCertificate(server, serverFiles.files), { timeout: 60_000 })
      .toBe('node1-renewed');
    expect(await requestAgain()).toBe(200);
  });

  test('a certificate and key that do not match leave the previous certificate in use', async () => {
    const certificates = await createCertificates();
    const server = await startServer(certificates.files);
    const settings = settingsOf(certificates.files);
    const requestAgain = () =>
      askNode({ settings, secrets, clock }, { url: server.url, path: '/x', timeoutMs: 10_000 });
    expect((await requestAgain()).status).toBe(200);
    await certificates.breakKey();
    expect((await requestAgain()).status).toBe(200);
    expect(await presentedCertificate(server, certificates.files)).toBe('node1');
  });
});
