import { z } from 'zod';
import type { srtVariables } from './srt-settings';
import { httpUrl, port, type Values } from './variable-types';

/** Ports, and the public URLs that lead to them. */
export const urlVariables = {
  PORT: port.default(3000).describe('dashboard and API'),
  MEDIA_PORT: port.default(8080).describe('HLS and uploads'),
  RTMP_PORT: port.default(1935).describe('RTMP ingest'),
  RTMPS_PORT: port.optional().meta({
    defaultText: '`1936` with `TLS_CERT`, else none',
    description: 'RTMPS ingest ([HTTPS and RTMPS](#https-and-rtmps))',
  }),
  HOST: z.string().min(1).default('0.0.0.0').describe('address that all public ports listen on'),
  BASE_URL: httpUrl.optional().meta({
    defaultText: '`http://localhost:<PORT>`',
    description: 'public URL of dashboard and API; `https://` by default with `TLS_CERT`',
  }),
  CDN_URL: httpUrl
    .optional()
    .meta({ defaultText: 'host of `BASE_URL` and `MEDIA_PORT`', description: 'public URL of HLS' }),
  UPLOAD_URL: httpUrl.optional().meta({ defaultText: '`CDN_URL`', description: 'public URL of uploads' }),
  RTMP_URL: z
    .url({ protocol: /^rtmps?$/, error: 'an rtmp:// or rtmps:// URL' })
    .optional()
    .meta({
      defaultText: 'host of `BASE_URL` and `RTMP_PORT`',
      description: 'public URL of RTMP ingest, for example `rtmp://example.com:1935/live`',
    }),
  RTMPS_URL: z
    .url({ protocol: /^rtmps$/, error: 'an rtmps:// URL' })
    .optional()
    .meta({
      defaultText: 'host of `RTMP_URL` and `RTMPS_PORT`',
      description:
        'public URL of RTMPS ingest, for example `rtmps://example.com:1936/live`; without `TLS_CERT`, that of a balancer with TLS',
    }),
};

type UrlVariables = Values<typeof urlVariables & typeof srtVariables>;

/** The most common port of encoders. Hosted services use 443, which is often the HTTPS port here. */
const DEFAULT_RTMPS_PORT = 1936;

/** URLs that are not set have the host of BASE_URL, and the ports of this machine. */
export function urlDefaults(values: UrlVariables, hasTls: boolean) {
  const scheme = hasTls ? 'https' : 'http';
  const { BASE_URL = `${scheme}://localhost:${values.PORT}` } = values;
  const host = hostOf(BASE_URL);
  const { CDN_URL = `${scheme}://${host}:${values.MEDIA_PORT}` } = values;
  const { UPLOAD_URL = CDN_URL, RTMP_URL = `rtmp://${host}:${values.RTMP_PORT}/live` } = values;
  const RTMPS_PORT = hasTls ? (values.RTMPS_PORT ?? DEFAULT_RTMPS_PORT) : undefined;
  const { RTMPS_URL = rtmpsUrlOf(RTMP_URL, RTMPS_PORT) } = values;
  const { SRT_PORT, SRT_URL = SRT_PORT === undefined ? undefined : `srt://${hostOf(RTMP_URL)}:${SRT_PORT}` } =
    values;
  return { BASE_URL, CDN_URL, UPLOAD_URL, RTMP_URL, RTMPS_PORT, RTMPS_URL, SRT_URL };
}

/** Host of a URL. `URL` parses hosts of known schemes only, so http is used. */
export const hostOf = (url: string): string => new URL(url.replace(/^rtmps?:/, 'http:')).hostname;

/** RTMPS URL with the same host and this machine's RTMPS port. */
function rtmpsUrlOf(rtmpUrl: string, rtmpsPort: number | undefined): string | undefined {
  if (rtmpUrl.startsWith('rtmps:')) return rtmpUrl;
  if (rtmpsPort === undefined) return undefined;
  const { pathname } = new URL(rtmpUrl.replace(/^rtmp:/, 'http:'));
  return `rtmps://${hostOf(rtmpUrl)}:${rtmpsPort}${pathname}`;
}
