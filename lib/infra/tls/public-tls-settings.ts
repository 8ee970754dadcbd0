import { join, resolve } from 'node:path';
import { z } from 'zod';
import type { CertificateFiles } from './certificate';

/** Settings of TLS for viewers, encoders and API clients. */
export interface PublicTlsSettings {
  /** Certificate files; undefined without TLS. */
  readonly publicTls: CertificateFiles | undefined;
  /** ACME settings for these files; undefined if the operator provides the certificate. */
  readonly acme: AcmeSettings | undefined;
  readonly rtmpsPort: number | undefined;
  /** Public URL of RTMP ingest over TLS; undefined if there is none. */
  readonly rtmpsUrl: string | undefined;
}

export interface AcmeSettings {
  readonly email: string;
  readonly directoryUrl: string;
  /** Port for HTTP-01 challenges. */
  readonly httpPort: number;
  /** Names in the certificate, sorted. */
  readonly hosts: readonly string[];
}

const port = z.coerce.number({ error: 'a port number from 1 to 65535' }).int().min(1).max(65_535);
const file = z
  .string()
  .transform((path) => resolve(path))
  .optional();

/** Environment variables for ACME. ACME_EMAIL enables it. */
export const acmeEnvironment = {
  ACME_EMAIL: z.email({ error: 'an email address' }).optional(),
  ACME_DIRECTORY_URL: z
    .url({ protocol: /^https$/, error: 'an https:// URL' })
    .default('https://acme-v02.api.letsencrypt.org/directory'),
  ACME_HTTP_PORT: port.default(80),
  ACME_HOSTS: z
    .string()
    .toLowerCase()
    .transform((text) => text.split(',').map((host) => host.trim()))
    .optional(),
};

export const publicTlsEnvironment = {
  TLS_CERT: file,
  TLS_KEY: file,
  RTMPS_PORT: port.optional(),
  RTMPS_URL: z.url({ protocol: /^rtmps$/, error: 'an rtmps:// URL' }).optional(),
  ...acmeEnvironment,
};

type PublicTlsEnvironment = z.output<z.ZodObject<typeof publicTlsEnvironment>> & {
  readonly DATA_DIR: string;
  readonly UPSTREAM_ORIGIN?: string | undefined;
};

/**
 * A public host name. The last label begins with a letter, which excludes IP addresses. Wildcards are excluded, because
 * HTTP-01 cannot validate them.
 */
const publicName =
  /^(?=.{4,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])$/;
const isPublicName = (host: string): boolean => publicName.test(host) && !host.endsWith('.localhost');

/** The most common port of encoders. Hosted services use 443, which is often the HTTPS port here. */
const defaultRtmpsPort = 1936;

/** Certificate files; undefined without TLS. @returns a text if the settings are invalid */
export function publicTlsFilesOf(settings: PublicTlsEnvironment): CertificateFiles | string | undefined {
  const { TLS_CERT: cert, TLS_KEY: key, RTMPS_PORT: rtmpsPort } = settings;
  if (settings.ACME_EMAIL !== undefined) return acmeFilesOf(settings);
  if (cert && key) return { cert, key };
  if (cert) return 'TLS_KEY: expected the path of a PEM file, because TLS_CERT is set';
  if (key) return 'TLS_CERT: expected the path of a PEM file, because TLS_KEY is set';
  return rtmpsPort === undefined
    ? undefined
    : 'TLS_CERT: expected the path of a PEM file, because RTMPS_PORT is set';
}

/** Certificate and key are in one file, so that they are replaced atomically. */
function acmeFilesOf({
  TLS_CERT,
  TLS_KEY,
  DATA_DIR,
  UPSTREAM_ORIGIN,
}: PublicTlsEnvironment): CertificateFiles | string {
  if (TLS_CERT !== undefined || TLS_KEY !== undefined)
    return 'ACME_EMAIL: expected no TLS_CERT and TLS_KEY, because the certificate is ordered';
  if (UPSTREAM_ORIGIN !== undefined)
    return 'ACME_EMAIL: expected TLS_CERT and TLS_KEY instead, because an edge has no database for orders';
  const acmeCertificate = join(DATA_DIR, 'acme', 'certificate.pem');
  return { cert: acmeCertificate, key: acmeCertificate };
}

/** Public URLs whose hosts the certificate covers. */
interface PublicUrls {
  readonly baseUrl: string;
  readonly cdnUrl: string;
  readonly uploadUrl: string;
  readonly rtmpUrl: string;
}

/** Public TLS settings. @returns a text if the settings are invalid */
export function publicTlsOf(
  settings: PublicTlsEnvironment,
  publicTls: CertificateFiles | undefined,
  { rtmpUrl, ...urls }: PublicUrls,
): PublicTlsSettings | string {
  const rtmpsPort = publicTls && (settings.RTMPS_PORT ?? defaultRtmpsPort);
  const rtmpsUrl = settings.RTMPS_URL ?? rtmpsUrlOf(rtmpUrl, rtmpsPort);
  const { ACME_EMAIL: email, ACME_DIRECTORY_URL: directoryUrl, ACME_HTTP_PORT: httpPort } = settings;
  if (email === undefined) return { publicTls, acme: undefined, rtmpsPort, rtmpsUrl };
  const hosts = settings.ACME_HOSTS ?? [...Object.values(urls), rtmpsUrl ?? urls.baseUrl].map(hostOf);
  const otherHost = hosts.find((host) => !isPublicName(host));
  if (otherHost !== undefined)
    return `ACME_EMAIL: expected public host names in BASE_URL, CDN_URL, UPLOAD_URL and RTMP_URL, or in ACME_HOSTS, not ${otherHost}`;
  const acme = { email, directoryUrl, httpPort, hosts: [...new Set(hosts)].sort() };
  return { publicTls, acme, rtmpsPort, rtmpsUrl };
}

/** Host of a URL. `URL` parses hosts of known schemes only, so http is used. */
const hostOf = (url: string): string => new URL(url.replace(/^rtmps?:/, 'http:')).hostname;

/** RTMPS URL with the same host and this machine's RTMPS port. */
function rtmpsUrlOf(rtmpUrl: string, rtmpsPort: number | undefined): string | undefined {
  if (rtmpUrl.startsWith('rtmps:')) return rtmpUrl;
  if (rtmpsPort === undefined) return undefined;
  const { pathname } = new URL(rtmpUrl.replace(/^rtmp:/, 'http:'));
  return `rtmps://${hostOf(rtmpUrl)}:${rtmpsPort}${pathname}`;
}
