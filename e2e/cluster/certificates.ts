import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const openssl = (...args: string[]) => promisify(execFile)('openssl', args, { timeout: 20_000 });
const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];

/** Creates a CA in this folder. @returns a function that creates the certificate settings of the node at an address */
export async function openAuthority(
  folder: string,
): Promise<(address: string) => Promise<Record<string, string>>> {
  const file = (name: string) => join(folder, name);
  const [ca, caKey] = [file('ca.crt'), file('ca.key')];
  await openssl('req', '-x509', ...newKey, '-subj', '/CN=Cluster', '-keyout', caKey, '-out', ca);
  return async (address) => {
    // Nodes on loopback share one address and can share its certificate.
    const [cert, key, request, extensions] = ['crt', 'key', 'csr', 'ext'].map((end) =>
      file(`${address}.${end}`),
    ) as [string, string, string, string];
    await writeFile(extensions, `subjectAltName=IP:${address}\n`);
    await openssl('req', ...newKey, '-subj', `/CN=${address}`, '-keyout', key, '-out', request);
    const signArgs = ['-CA', ca, '-CAkey', caKey, '-CAcreateserial', '-extfile', extensions];
    await openssl('x509', '-req', '-in', request, ...signArgs, '-days', '2', '-out', cert);
    return { INTERNAL_TLS_CERT: cert, INTERNAL_TLS_KEY: key, INTERNAL_TLS_CA: ca };
  };
}
