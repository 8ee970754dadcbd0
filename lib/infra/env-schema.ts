import { daySeconds } from '@/lib/core/units';
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { z } from 'zod';
import { mediaPolicies } from '@/lib/core/media/media-policy';
import { defaultProcesses } from '@/lib/core/nodes/process-slots';
import { mailEnvironment } from './mail/mail-settings';
import { oidcEnvironment } from './oidc-settings';
import { nodeTlsEnvironment } from './tls/node-tls-settings';
import { publicTlsEnvironment } from './tls/public-tls-settings';
import { quotaEnvironment } from './quota-settings';
import { speechEnvironment } from './speech-settings';
import { rtcEnvironment } from './rtc-settings';
import { srtEnvironment } from './srt-settings';
import { s3Environment } from './storage/s3-settings';

/** Schema of the environment variables of an operator, read by env.ts only. */

const port = z.coerce.number({ error: 'a port number from 1 to 65535' }).int().min(1).max(65_535);
const wholeNumber = (unit: string, max: number, min = 1) =>
  z.coerce
    .number({ error: `a whole number of ${unit}` })
    .int()
    .min(min)
    .max(max);
const httpUrl = z
  .url({ protocol: /^https?$/, error: 'an http:// or https:// URL' })
  .transform((url) => url.replace(/\/+$/, ''));
const cidr = z.union([z.cidrv4(), z.cidrv6()], {
  error: 'CIDR ranges separated by commas, for example 127.0.0.1/32',
});
const listOf = (value: unknown) =>
  typeof value === 'string'
    ? value
        .split(',')
        .map((item) => item.trim())
        .filter(Boolean)
    : value;

const emails = z.array(
  z
    .string()
    .toLowerCase()
    .pipe(z.email({ error: 'email addresses separated by commas' })),
);

/** The processes of the service, in the order in which they are stopped. */
export const serviceRoles = ['web', 'jobs', 'origin', 'live'] as const;
export type ServiceRole = (typeof serviceRoles)[number];
const roles = z
  .array(z.enum(serviceRoles, { error: `some of ${serviceRoles.join(', ')}, separated by commas` }))
  .min(1, { error: `some of ${serviceRoles.join(', ')}, separated by commas` });

const processes = wholeNumber('processes', 256);

export const operatorSchema = z.object({
  PORT: port.default(3000),
  MEDIA_PORT: port.default(8080),
  RTMP_PORT: port.default(1935),
  RTMP_CLIENTS_PER_ADDRESS: wholeNumber('connections', 100_000).default(1_000),
  ...srtEnvironment,
  PULL_STREAMS: z.coerce.number({ error: 'a number from 0 to 1000' }).int().min(0).max(1_000).default(20),
  ...rtcEnvironment,
  HOST: z.string().min(1).default('0.0.0.0'),
  ROLES: z.preprocess(listOf, roles).optional(),
  UPSTREAM_ORIGIN: httpUrl.optional(),
  ORIGIN_CACHE_BYTES: wholeNumber('bytes', 2 ** 50, 0).optional(),
  INTERNAL_HOST: z
    .union([z.ipv4(), z.ipv6()], { error: 'an IP address of this machine' })
    .default('127.0.0.1'),
  INTERNAL_PORT: port.optional(),
  INTERNAL_URL: z
    .url({ protocol: /^https?$/, error: 'a URL without a port' })
    .refine((url) => new URL(url).port === '', { error: 'a URL without a port' })
    .transform((url) => new URL(url).origin)
    .optional(),
  ...nodeTlsEnvironment,
  ...publicTlsEnvironment,
  DATA_DIR: z
    .string()
    .min(1)
    .default('./data')
    .transform((path) => resolve(path)),
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/, error: 'a postgres:// URL' }).optional(),
  DATABASE_POOL_SIZE: wholeNumber('connections', 1_000, 4).default(10),
  REDIS_URL: z.url({ protocol: /^rediss?$/, error: 'a redis:// URL' }).optional(),
  BASE_URL: httpUrl.optional(),
  CDN_URL: httpUrl.optional(),
  UPLOAD_URL: httpUrl.optional(),
  RTMP_URL: z.url({ protocol: /^rtmps?$/, error: 'an rtmp:// or rtmps:// URL' }).optional(),
  APP_SECRET: z.string().min(32, { error: 'at least 32 characters' }).optional(),
  SESSION_RECONNECT_SECONDS: wholeNumber('seconds', daySeconds).default(360),
  DRAIN_SECONDS: wholeNumber('seconds', daySeconds, 0).optional(),
  TRANSCODE_CORES: z.coerce
    .number({ error: 'a number of cores, for example 1.5' })
    .min(0.1)
    .max(1024)
    .default(() => 0.75 * availableParallelism()),
  RENDITION_CACHE_BYTES: wholeNumber('bytes', 2 ** 50, 0).default(10 * 2 ** 30),
  VIEWER_REPORTS: z.enum(['on', 'off'], { error: 'on or off' }).default('on'),
  CAPACITY_GUARD: z.enum(['on', 'off'], { error: 'on or off' }).default('on'),
  MAX_STREAMS: wholeNumber('streams', 1_000_000).optional(),
  LIVE_PROCESSES: processes.default(() => defaultProcesses(availableParallelism()).live),
  ORIGIN_PROCESSES: processes.default(() => defaultProcesses(availableParallelism()).origin),
  WEB_PROCESSES: processes.default(() => defaultProcesses(availableParallelism()).web),
  PROCESS_SLOT: processes.default(1),
  API_RATE_LIMIT: wholeNumber('requests per minute', 10_000_000).default(600),
  WEBHOOK_RETRY_BASE_MS: wholeNumber('milliseconds', 600_000).default(5_000),
  IPFS_PINNING_URL: httpUrl.default('https://api.pinata.cloud'),
  IPFS_API_URL: httpUrl.optional(),
  REQUIRE_SECOND_FACTOR: z
    .enum(['off', 'operators', 'all'], { error: 'off, operators or all' })
    .default('off'),
  SIGN_UP: z.enum(['open', 'invite', 'closed'], { error: 'open, invite or closed' }).default('open'),
  ...mailEnvironment,
  ...oidcEnvironment,
  OPERATOR_EMAILS: z.preprocess(listOf, emails).default([]),
  REGION: z
    .string()
    .regex(/^[\w.-]{1,63}$/, { error: 'up to 63 letters, digits, dots, dashes and underscores' })
    .optional(),
  EGRESS_ALLOW_CIDRS: z.preprocess(listOf, z.array(cidr)).default([]),
  TRUSTED_PROXIES: z.preprocess(listOf, z.array(cidr)).default(['127.0.0.0/8', '::1/128']),
  GEOIP_DB: z
    .string()
    .transform((path) => resolve(path))
    .optional(),
  ACCEPT_MEDIA: z.enum(mediaPolicies, { error: 'mp4, convert or any' }).default('convert'),
  MAX_UPLOAD_BYTES: wholeNumber('bytes', 2 ** 42).default(5 * 2 ** 30),
  ...quotaEnvironment,
  ...speechEnvironment,
  METRICS_TOKEN: z.string().min(16, { error: 'at least 16 characters' }).optional(),
  ...s3Environment,
  OTEL_EXPORTER_OTLP_ENDPOINT: httpUrl.optional(),
  LOG_LEVEL: z
    .enum(['trace', 'debug', 'info', 'warn', 'error', 'silent'], {
      error: 'one of trace, debug, info, warn, error, silent',
    })
    .default('info'),
});

export type Operator = z.output<typeof operatorSchema>;
