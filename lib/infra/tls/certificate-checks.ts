import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { Certificate } from './certificate';
import type { OperatorSettings } from '../env';
import type { NodeTlsFiles } from './node-tls-settings';

/** The reason why a node must not start with its TLS files; null if it may. The text starts with the name of the setting. */
export function findNodeTlsProblem(
  {
    internalTls,
    internalUrl,
  }: { readonly internalTls: NodeTlsFiles | undefined; readonly internalUrl: string },
  now: Date,
): string | null {
  if (!internalTls) return null;
  const settingNames = { cert: 'INTERNAL_TLS_CERT', key: 'INTERNAL_TLS_KEY', ca: 'INTERNAL_TLS_CA' } as const;
  for (const part of ['cert', 'key', 'ca'] as const) {
    const file = internalTls[part];
    try {
      if (part !== 'key' && readCertificates(file).length === 0)
        throw new Error('it contains no certificate');
      readText(file);
    } catch (error) {
      return `${settingNames[part]}: ${file} cannot be used: ${(error as Error).message}`;
    }
  }
  return findCertificateProblem(internalTls, hostWithoutBrackets(internalUrl), now);
}

/** The reason why a machine must not start with the files of TLS_CERT and TLS_KEY; null if it may. */
export function findPublicTlsProblem({ publicTls }: Pick<OperatorSettings, 'publicTls'>): string | null {
  if (!publicTls) return null;
  try {
    if (readCertificates(publicTls.cert).length === 0) throw new Error('it contains no certificate');
  } catch (error) {
    return `TLS_CERT: ${publicTls.cert} cannot be used: ${(error as Error).message}`;
  }
  try {
    readText(publicTls.key);
  } catch (error) {
    return `TLS_KEY: ${publicTls.key} cannot be used: ${(error as Error).message}`;
  }
  try {
    new Certificate(publicTls).reload();
  } catch (error) {
    return `TLS_KEY: ${publicTls.key} is not the key of the certificate: ${(error as Error).message}`;
  }
  return null;
}

type PublicUrls = Pick<
  OperatorSettings,
  'publicTls' | 'upstreamOrigin' | 'roles' | 'baseUrl' | 'cdnUrl' | 'rtmpsUrl'
>;

/**
 * Problems of TLS_CERT that clients will reject, one line each. The service starts anyway, because some clients do not
 * check certificates.
 */
export function findPublicTlsWarnings(settings: PublicUrls, now: Date): string[] {
  const { publicTls, upstreamOrigin, roles, baseUrl, cdnUrl, rtmpsUrl } = settings;
  const [ownCertificate] = publicTls ? readCertificates(publicTls.cert) : [];
  if (!ownCertificate) return [];
  if (new Date(ownCertificate.validTo) <= now)
    return [`WARNING  The certificate in TLS_CERT expired on ${ownCertificate.validTo}.`];
  // An edge has no setting with its public URL.
  if (upstreamOrigin !== undefined) return [];
  const urls = { web: baseUrl, origin: cdnUrl, live: rtmpsUrl, jobs: undefined };
  const hosts = roles
    .flatMap((role) => urls[role]?.replace(/^rtmps:/, 'https:') ?? [])
    .map(hostWithoutBrackets);
  return [...new Set(hosts)]
    .filter((host) => !isForHost(ownCertificate, host))
    .map((host) => `WARNING  The certificate in TLS_CERT is not for ${host}.`);
}

const hostWithoutBrackets = (url: string): string => new URL(url).hostname.replace(/^\[|\]$/g, '');

const isForHost = (certificate: X509Certificate, host: string): boolean =>
  (isIP(host) ? certificate.checkIP(host) : certificate.checkHost(host)) !== undefined;

function findCertificateProblem(files: NodeTlsFiles, host: string, now: Date): string | null {
  const chain = readCertificates(files.cert);
  const [ownCertificate, lastOfChain] = [chain[0], chain.at(-1)];
  if (!ownCertificate || !lastOfChain) return null;
  try {
    new Certificate(files).reload();
  } catch (error) {
    return `INTERNAL_TLS_KEY: ${files.key} is not the key of the certificate: ${(error as Error).message}`;
  }
  if (new Date(ownCertificate.validTo) <= now)
    return `INTERNAL_TLS_CERT: the certificate expired on ${ownCertificate.validTo}.`;
  if (!isForHost(ownCertificate, host)) {
    return `INTERNAL_TLS_CERT: expected a certificate for ${host}, the host of INTERNAL_URL.`;
  }
  const isSigned = readCertificates(files.ca).some(
    (ca) => lastOfChain.checkIssued(ca) && lastOfChain.verify(ca.publicKey),
  );
  return isSigned ? null : 'INTERNAL_TLS_CA: did not sign the certificate in INTERNAL_TLS_CERT.';
}

function readCertificates(file: string): X509Certificate[] {
  const pemBlocks = readText(file).match(/-----BEGIN CERTIFICATE-----[^]+?-----END CERTIFICATE-----/g) ?? [];
  return pemBlocks.map((pem) => new X509Certificate(pem));
}

const readText = (file: string): string => readFileSync(file, 'utf8');
