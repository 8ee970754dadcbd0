import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { Agent } from 'node:https';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { axios } from 'acme-client';
import { expect } from 'vitest';
import { findFreePort } from './free-port';
import { acceptsConnections } from './haproxy';
import { createNodeCertificates } from './node-certificates';

/** Whether Pebble is installed (apt-get install pebble); otherwise tests with an ACME server are skipped. */
export const hasPebble = spawnSync('pebble', ['-h']).error === undefined;

export interface Pebble extends AsyncDisposable {
  readonly directoryUrl: string;
  /** Starts the server at `directoryUrl`. */
  start(): Promise<void>;
  /** Output of the server. */
  log(): string;
}

/**
 * Prepares an ACME server that resolves every host to 127.0.0.1.
 * @param httpPort port at which the server expects responses to HTTP-01 challenges
 */
export async function preparePebble(httpPort: number): Promise<Pebble> {
  const certificates = await createNodeCertificates();
  const { cert, key, ca } = certificates.files;
  const [port, dnsPort, managementPort] = [await findFreePort(), await findFreePort(), await findFreePort()];
  const config = join(dirname(cert), 'pebble.json');
  const pebble = {
    listenAddress: `127.0.0.1:${port}`,
    certificate: cert,
    privateKey: key,
    httpPort,
    // The port of TLS-ALPN-01 challenges, which no test uses.
    tlsPort: 1,
    certificateValidityPeriod: 90 * 86_400,
  };
  await writeFile(config, JSON.stringify({ pebble }));
  const children: ChildProcess[] = [];
  let log = '';
  // Replaces NODE_EXTRA_CA_CERTS, which Node reads only when a process starts.
  const agentBefore = axios.defaults.httpsAgent as unknown;
  axios.defaults.httpsAgent = new Agent({ ca: readFileSync(ca) });
  const run = async (command: string, args: string[], listensOn: number): Promise<void> => {
    const env = {
      NODE_ENV: 'test' as const,
      PATH: '/usr/local/bin:/usr/bin:/bin',
      // Without these, the server delays validations at random, and reuses earlier authorizations.
      PEBBLE_VA_NOSLEEP: '1',
      PEBBLE_AUTHZREUSE: '0',
    };
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'ignore'], env });
    child.stdout.on('data', (text: Buffer) => (log += text.toString()));
    children.push(child);
    await expect.poll(() => acceptsConnections(listensOn), { timeout: 60_000 }).toBe(true);
  };
  return {
    directoryUrl: `https://127.0.0.1:${port}/dir`,
    log: () => log,
    async start() {
      const disabledPorts = ['-http01', '', '-https01', '', '-tlsalpn01', '', '-defaultIPv6', ''];
      const dns = ['-dns01', `127.0.0.1:${dnsPort}`, '-management', `127.0.0.1:${managementPort}`];
      await run('pebble-challtestsrv', [...disabledPorts, ...dns], managementPort);
      await run('pebble', ['-config', config, '-dnsserver', `127.0.0.1:${dnsPort}`], port);
    },
    async [Symbol.asyncDispose]() {
      axios.defaults.httpsAgent = agentBefore;
      const exits = children.map((child) => new Promise((resolve) => child.once('exit', resolve)));
      for (const child of children) child.kill('SIGKILL');
      await Promise.all(exits);
      await certificates.remove();
    },
  };
}
