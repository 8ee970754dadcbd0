import { X509Certificate } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { createSecureContext } from 'node:tls';
import type { NodeTlsFiles } from './node-tls-settings';

/** What both ends of a connection between nodes present and accept. */
export interface NodeTls {
  readonly cert: string;
  readonly key: string;
  readonly ca: string;
  readonly minVersion: 'TLSv1.2';
}

/** The files of a node's certificate, read again when they change, so that it can be renewed while the node runs. */
export class NodeCertificate {
  readonly #files: NodeTlsFiles;
  #read: { readonly stamp: string; readonly tls: NodeTls } | null = null;

  constructor(files: NodeTlsFiles) {
    this.#files = files;
  }

  /** The same object until the files change. @throws Error if they cannot be read or do not belong together */
  reload(): NodeTls {
    const { cert, key, ca } = this.#files;
    const stamp = [cert, key, ca].map(stampOf).join();
    if (this.#read?.stamp === stamp) return this.#read.tls;
    const tls: NodeTls = { cert: textOf(cert), key: textOf(key), ca: textOf(ca), minVersion: 'TLSv1.2' };
    createSecureContext(tls);
    this.#read = { stamp, tls };
    return tls;
  }

  /** While the files are being replaced, what they had before. */
  current(): NodeTls {
    try {
      return this.reload();
    } catch (error) {
      if (!this.#read) throw error;
      return this.#read.tls;
    }
  }
}

const textOf = (file: string): string => readFileSync(file, 'utf8');

function stampOf(file: string): string {
  const { mtimeMs, size, ino } = statSync(file);
  return `${mtimeMs}/${size}/${ino}`;
}

const opened = new WeakMap<NodeTlsFiles, NodeCertificate>();

/** The certificate of these settings, shared by all who need it. */
export function nodeCertificate(files: NodeTlsFiles): NodeCertificate {
  const certificate = opened.get(files) ?? new NodeCertificate(files);
  opened.set(files, certificate);
  return certificate;
}

/** Why a node must not start with these files, naming the setting; null when it may. */
export function nodeTlsProblem(
  {
    internalTls,
    internalUrl,
  }: { readonly internalTls: NodeTlsFiles | undefined; readonly internalUrl: string },
  now: Date,
): string | null {
  if (!internalTls) return null;
  const names = { cert: 'INTERNAL_TLS_CERT', key: 'INTERNAL_TLS_KEY', ca: 'INTERNAL_TLS_CA' } as const;
  for (const part of ['cert', 'key', 'ca'] as const) {
    const file = internalTls[part];
    try {
      if (part !== 'key' && certificatesIn(file).length === 0) throw new Error('no certificate in it');
      textOf(file);
    } catch (error) {
      return `${names[part]}: ${file} cannot be used: ${(error as Error).message}`;
    }
  }
  return certificateProblem(internalTls, new URL(internalUrl).hostname.replace(/^\[|\]$/g, ''), now);
}

function certificateProblem(files: NodeTlsFiles, host: string, now: Date): string | null {
  const chain = certificatesIn(files.cert);
  const [own, last] = [chain[0], chain.at(-1)];
  if (!own || !last) return null;
  try {
    new NodeCertificate(files).reload();
  } catch (error) {
    return `INTERNAL_TLS_KEY: ${files.key} is not the key of the certificate: ${(error as Error).message}`;
  }
  if (new Date(own.validTo) <= now) return `INTERNAL_TLS_CERT: the certificate expired on ${own.validTo}.`;
  if (!(own.checkIP(host) ?? own.checkHost(host))) {
    return `INTERNAL_TLS_CERT: expected a certificate for ${host}, the host of INTERNAL_URL.`;
  }
  const signed = certificatesIn(files.ca).some((ca) => last.checkIssued(ca) && last.verify(ca.publicKey));
  return signed ? null : 'INTERNAL_TLS_CA: did not sign the certificate in INTERNAL_TLS_CERT.';
}

function certificatesIn(file: string): X509Certificate[] {
  const found = textOf(file).match(/-----BEGIN CERTIFICATE-----[^]+?-----END CERTIFICATE-----/g) ?? [];
  return found.map((pem) => new X509Certificate(pem));
}
