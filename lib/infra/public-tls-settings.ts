import { resolve } from 'node:path';
import { z } from 'zod';
import type { CertificateFiles } from './certificate';

/** TLS with viewers, encoders and clients of the API. */
export interface PublicTlsSettings {
  /** Files of the certificate; undefined: no TLS. */
  readonly publicTls: CertificateFiles | undefined;
  readonly rtmpsPort: number | undefined;
  /** Public address of RTMP ingest over TLS; undefined: there is none. */
  readonly rtmpsUrl: string | undefined;
}

const file = z
  .string()
  .transform((path) => resolve(path))
  .optional();

export const publicTlsEnvironment = {
  TLS_CERT: file,
  TLS_KEY: file,
  RTMPS_PORT: z.coerce.number({ error: 'a port number from 1 to 65535' }).int().min(1).max(65_535).optional(),
  RTMPS_URL: z.url({ protocol: /^rtmps$/, error: 'an rtmps:// URL' }).optional(),
};

type Given = z.output<z.ZodObject<typeof publicTlsEnvironment>>;

/** What encoders without a standard port use most; hosted services have 443, which here is often HTTPS. */
const defaultRtmpsPort = 1936;

/** Undefined without TLS; a text says what is missing. */
export function publicTlsFilesOf(given: Given): CertificateFiles | string | undefined {
  const { TLS_CERT: cert, TLS_KEY: key, RTMPS_PORT: rtmpsPort } = given;
  if (cert && key) return { cert, key };
  if (cert) return 'TLS_KEY: expected the path of a PEM file, because TLS_CERT is set';
  if (key) return 'TLS_CERT: expected the path of a PEM file, because TLS_KEY is set';
  return rtmpsPort === undefined
    ? undefined
    : 'TLS_CERT: expected the path of a PEM file, because RTMPS_PORT is set';
}

/** @param rtmpUrl public address of RTMP ingest */
export function publicTlsOf(
  given: Given,
  publicTls: CertificateFiles | undefined,
  rtmpUrl: string,
): PublicTlsSettings {
  const rtmpsPort = publicTls && (given.RTMPS_PORT ?? defaultRtmpsPort);
  return { publicTls, rtmpsPort, rtmpsUrl: given.RTMPS_URL ?? rtmpsUrlOf(rtmpUrl, rtmpsPort) };
}

/** The same address over TLS, on this machine's port for it. */
function rtmpsUrlOf(rtmpUrl: string, rtmpsPort: number | undefined): string | undefined {
  if (rtmpUrl.startsWith('rtmps:')) return rtmpUrl;
  if (rtmpsPort === undefined) return undefined;
  // URL reads the host of schemes that it knows only.
  const { hostname, pathname } = new URL(rtmpUrl.replace(/^rtmp:/, 'http:'));
  return `rtmps://${hostname}:${rtmpsPort}${pathname}`;
}

export function publicTlsToEnvironment(settings: PublicTlsSettings): Record<string, string> {
  const { publicTls, rtmpsPort, rtmpsUrl } = settings;
  return {
    ...(publicTls ? { TLS_CERT: publicTls.cert, TLS_KEY: publicTls.key } : {}),
    ...(rtmpsPort === undefined ? {} : { RTMPS_PORT: String(rtmpsPort) }),
    ...(rtmpsUrl === undefined ? {} : { RTMPS_URL: rtmpsUrl }),
  };
}
