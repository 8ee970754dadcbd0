import { join } from 'node:path';
import { z } from 'zod';
import { hostOf, type urlDefaults, type urlVariables } from '../settings/url-settings';
import type { dataVariables } from '../settings/data-settings';
import { areSet, withoutPrefix } from '../settings/names';
import type { nodeVariables } from '../settings/node-settings';
import { filePath, port, type Reject, type Values } from '../settings/variable-types';
import type { CertificateFiles } from './certificate';

/** A certificate that the service orders. */
export const acmeVariables = {
  ACME_EMAIL: z
    .email({ error: 'an email address' })
    .optional()
    .describe(
      'email address for an account at a certificate authority, which [issues the certificate](#with-a-certificate-from-lets-encrypt) instead of `TLS_CERT` and `TLS_KEY`',
    ),
  ACME_DIRECTORY_URL: z
    .url({ protocol: /^https$/, error: 'an https:// URL' })
    .default('https://acme-v02.api.letsencrypt.org/directory')
    .describe("`https://` URL of the authority's ACME directory; by default Let's Encrypt's"),
  ACME_HTTP_PORT: port
    .default(80)
    .describe('port that answers the authority; port 80 of each host must lead here'),
  ACME_HOSTS: z
    .codec(z.string().toLowerCase(), z.array(z.string()).readonly(), {
      decode: (text) => text.split(',').map((host) => host.trim()),
      encode: (hosts) => hosts.join(','),
    })
    .optional()
    .meta({
      defaultText: 'hosts of the public URLs',
      description:
        'names in the certificate, comma-separated; by default those of `BASE_URL`, `CDN_URL`, `UPLOAD_URL` and `RTMPS_URL`',
    }),
};

/** TLS for viewers, encoders and API clients. */
export const publicTlsVariables = {
  TLS_CERT: filePath.optional().meta({
    defaultText: 'no TLS',
    description:
      'PEM file with the certificate for `PORT`, `MEDIA_PORT` and `RTMPS_PORT`, read again when it changes ([HTTPS and RTMPS](#https-and-rtmps))',
  }),
  TLS_KEY: filePath.optional().describe('PEM file with its private key'),
  ...acmeVariables,
};

type AcmeVariables = Values<typeof acmeVariables>;
type PublicTlsVariables = Values<typeof publicTlsVariables>;

/** Whether the public ports use TLS. */
export const hasPublicTls = ({ TLS_CERT, ACME_EMAIL }: PublicTlsVariables): boolean =>
  TLS_CERT !== undefined || ACME_EMAIL !== undefined;

/** Rejects TLS settings that contradict each other. */
export function checkPublicTls(
  values: PublicTlsVariables &
    Values<Pick<typeof nodeVariables, 'UPSTREAM_ORIGIN'> & Pick<typeof urlVariables, 'RTMPS_PORT'>>,
  reject: Reject,
): void {
  const { TLS_CERT: cert, TLS_KEY: key } = values;
  if (values.ACME_EMAIL !== undefined) {
    if (cert !== undefined || key !== undefined)
      reject('ACME_EMAIL', 'no TLS_CERT and TLS_KEY, because the certificate is ordered');
    else if (values.UPSTREAM_ORIGIN !== undefined)
      reject('ACME_EMAIL', 'TLS_CERT and TLS_KEY instead, because an edge has no database for orders');
  } else if (cert !== undefined && key === undefined)
    reject('TLS_KEY', 'the path of a PEM file, because TLS_CERT is set');
  else if (key !== undefined && cert === undefined)
    reject('TLS_CERT', 'the path of a PEM file, because TLS_KEY is set');
  else if (cert === undefined && values.RTMPS_PORT !== undefined)
    reject('TLS_CERT', 'the path of a PEM file, because RTMPS_PORT is set');
}

/**
 * A public host name. The last label begins with a letter, which excludes IP addresses. Wildcards are excluded, because
 * HTTP-01 cannot validate them.
 */
const publicNameFormat =
  /^(?=.{4,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])$/;
const isPublicName = (host: string): boolean => publicNameFormat.test(host) && !host.endsWith('.localhost');

/** The names in the certificate, by default the hosts of the public URLs. */
export function acmeDefaults(values: AcmeVariables & ReturnType<typeof urlDefaults>) {
  if (values.ACME_EMAIL === undefined) return { ACME_HOSTS: undefined };
  const { BASE_URL, CDN_URL, UPLOAD_URL, RTMPS_URL = BASE_URL } = values;
  const { ACME_HOSTS = [BASE_URL, CDN_URL, UPLOAD_URL, RTMPS_URL].map(hostOf) } = values;
  return { ACME_HOSTS: [...new Set(ACME_HOSTS)].sort() };
}

/** Rejects hosts for which no public authority issues a certificate. */
export function checkAcmeHosts(
  { ACME_HOSTS: hosts = [] }: ReturnType<typeof acmeDefaults>,
  reject: Reject,
): void {
  const rejectedHost = hosts.find((host) => !isPublicName(host));
  if (rejectedHost !== undefined)
    reject(
      'ACME_EMAIL',
      `public host names in BASE_URL, CDN_URL, UPLOAD_URL and RTMP_URL, or in ACME_HOSTS, not ${rejectedHost}`,
    );
}

export type AcmeSettings = NonNullable<ReturnType<typeof acmeSettings>>;

/** How the certificate is ordered; undefined if the operator provides it. */
export const acmeSettings = (values: AcmeVariables) =>
  areSet(values, ['ACME_EMAIL', 'ACME_HOSTS']) ? withoutPrefix(values, 'ACME_') : undefined;

/** The files of the public certificate; undefined without TLS. An ordered certificate and its key are in one file, so that they are replaced atomically. */
export function publicTlsFiles(
  values: PublicTlsVariables & Values<Pick<typeof dataVariables, 'DATA_DIR'>>,
): CertificateFiles | undefined {
  if (values.ACME_EMAIL === undefined)
    return areSet(values, ['TLS_CERT', 'TLS_KEY']) ? withoutPrefix(values, 'TLS_') : undefined;
  const acmeCertificate = join(values.DATA_DIR, 'acme', 'certificate.pem');
  return { cert: acmeCertificate, key: acmeCertificate };
}
