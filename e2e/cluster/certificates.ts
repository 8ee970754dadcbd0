import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const runOpenssl = (...args: string[]) => promisify(execFile)('openssl', args, { timeout: 20_000 });
const newKeyArgs = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];

/**
 * Creates a certificate authority in a folder.
 * @returns a function that creates a certificate for an IP address, and returns the settings of its node
 */
export async function createAuthority(
  folder: string,
): Promise<(address: string) => Promise<Record<string, string>>> {
  const pathOf = (name: string) => join(folder, name);
  const [ca, caKey] = [pathOf('ca.crt'), pathOf('ca.key')];
  await runOpenssl('req', '-x509', ...newKeyArgs, '-subj', '/CN=Cluster', '-keyout', caKey, '-out', ca);
  return async (address) => {
    // Nodes on loopback have the same address, so they use the same certificate files.
    const [cert, key, request, extensions] = ['crt', 'key', 'csr', 'ext'].map((end) =>
      pathOf(`${address}.${end}`),
    ) as [string, string, string, string];
    await writeFile(extensions, `subjectAltName=IP:${address}\n`);
    await runOpenssl('req', ...newKeyArgs, '-subj', `/CN=${address}`, '-keyout', key, '-out', request);
    const signArgs = ['-CA', ca, '-CAkey', caKey, '-CAcreateserial', '-extfile', extensions];
    await runOpenssl('x509', '-req', '-in', request, ...signArgs, '-days', '2', '-out', cert);
    return { INTERNAL_TLS_CERT: cert, INTERNAL_TLS_KEY: key, INTERNAL_TLS_CA: ca };
  };
}
