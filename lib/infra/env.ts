import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { z } from 'zod';
import { s3Environment, s3SettingsOf, s3ToEnvironment, type S3Settings } from './storage/s3-settings';

/** The one place that reads the environment. The table for people is docs/operations.md; a test keeps both in step. */

const port = z.coerce.number({ error: 'a port number from 1 to 65535' }).int().min(1).max(65_535);
const seconds = z.coerce.number({ error: 'a whole number of seconds' }).int().min(1).max(86_400);
const httpUrl = z
  .url({ protocol: /^https?$/, error: 'an http:// or https:// URL' })
  .transform((url) => url.replace(/\/+$/, ''));
const cidr = z.union([z.cidrv4(), z.cidrv6()], {
  error: 'CIDR ranges separated by commas, for example 127.0.0.1/32',
});
const listed = (value: unknown) =>
  typeof value === 'string'
    ? value
        .split(',')
        .map((item) => item.trim())
        .filter(Boolean)
    : value;

/** The processes of the service, in the order in which they are stopped. */
export const serviceRoles = ['web', 'jobs', 'origin', 'live'] as const;
export type ServiceRole = (typeof serviceRoles)[number];
const roles = z
  .array(z.enum(serviceRoles, { error: `some of ${serviceRoles.join(', ')}, separated by commas` }))
  .min(1, { error: `some of ${serviceRoles.join(', ')}, separated by commas` });

const operatorSchema = z.object({
  PORT: port.default(3000),
  MEDIA_PORT: port.default(8080),
  RTMP_PORT: port.default(1935),
  RTMP_CLIENTS_PER_ADDRESS: z.coerce
    .number({ error: 'a whole number of connections' })
    .int()
    .min(1)
    .max(100_000)
    .default(1_000),
  HOST: z.string().min(1).default('0.0.0.0'),
  ROLES: z.preprocess(listed, roles).default([...serviceRoles]),
  INTERNAL_HOST: z
    .union([z.ipv4(), z.ipv6()], { error: 'an IP address of this machine' })
    .default('127.0.0.1'),
  INTERNAL_PORT: port.optional(),
  INTERNAL_URL: z
    .url({ protocol: /^http$/, error: 'an http:// URL without a port' })
    .refine((url) => new URL(url).port === '', { error: 'an http:// URL without a port' })
    .transform((url) => new URL(url).origin)
    .optional(),
  DATA_DIR: z
    .string()
    .min(1)
    .default('./data')
    .transform((path) => resolve(path)),
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/, error: 'a postgres:// URL' }).optional(),
  REDIS_URL: z.url({ protocol: /^rediss?$/, error: 'a redis:// URL' }).optional(),
  BASE_URL: httpUrl.optional(),
  CDN_URL: httpUrl.optional(),
  UPLOAD_URL: httpUrl.optional(),
  RTMP_URL: z.url({ protocol: /^rtmps?$/, error: 'an rtmp:// or rtmps:// URL' }).optional(),
  APP_SECRET: z.string().min(32, { error: 'at least 32 characters' }).optional(),
  SESSION_RECONNECT_SECONDS: seconds.default(360),
  TRANSCODE_CORES: z.coerce
    .number({ error: 'a number of cores, for example 1.5' })
    .min(0.1)
    .max(1024)
    .default(() => 0.75 * availableParallelism()),
  API_RATE_LIMIT: z.coerce
    .number({ error: 'a whole number of requests per minute' })
    .int()
    .min(1)
    .max(10_000_000)
    .default(600),
  WEBHOOK_RETRY_BASE_MS: z.coerce
    .number({ error: 'a whole number of milliseconds' })
    .int()
    .min(1)
    .max(600_000)
    .default(5_000),
  IPFS_PINNING_URL: httpUrl.default('https://api.pinata.cloud'),
  IPFS_API_URL: httpUrl.optional(),
  SIGN_UP: z.enum(['open', 'closed'], { error: 'open or closed' }).default('open'),
  EGRESS_ALLOW_CIDRS: z.preprocess(listed, z.array(cidr)).default([]),
  TRUSTED_PROXIES: z.preprocess(listed, z.array(cidr)).default(['127.0.0.0/8', '::1/128']),
  MAX_UPLOAD_BYTES: z.coerce
    .number({ error: 'a whole number of bytes' })
    .int()
    .min(1)
    .max(2 ** 42)
    .default(5 * 2 ** 30),
  ...s3Environment,
  LOG_LEVEL: z
    .enum(['trace', 'debug', 'info', 'warn', 'error', 'silent'], {
      error: 'one of trace, debug, info, warn, error, silent',
    })
    .default('info'),
});

type Operator = z.output<typeof operatorSchema>;

/** Settings as the operator gave them, defaults derived; the supervisor adds database and secret. */
export interface OperatorSettings {
  readonly port: number;
  readonly mediaPort: number;
  readonly rtmpPort: number;
  /** Encoders behind one address, such as those of one building. */
  readonly rtmpClientsPerAddress: number;
  /** Address that the web server, the origin and the RTMP server listen on. */
  readonly host: string;
  /** The roles that this machine runs. */
  readonly roles: readonly ServiceRole[];
  /** Address that the processes listen on for other nodes. */
  readonly internalHost: string;
  /** Of the first of them; undefined: any free port. */
  readonly internalPort: number | undefined;
  /** Scheme and host where other nodes reach this machine. */
  readonly internalUrl: string;
  /** Absolute path. */
  readonly dataDir: string;
  readonly databaseUrl: string | undefined;
  readonly redisUrl: string | undefined;
  /** Public addresses, without a slash at the end. */
  readonly baseUrl: string;
  readonly cdnUrl: string;
  readonly uploadUrl: string;
  readonly rtmpUrl: string;
  readonly appSecret: string | undefined;
  readonly sessionReconnectSeconds: number;
  /** Cores that the renditions of all live streams may keep busy. */
  readonly transcodeCores: number;
  /** Requests that one API key, or one person's browser, may make a minute. */
  readonly apiRateLimit: number;
  /** Pinning service for exports that bring credentials. */
  readonly ipfsPinningUrl: string;
  /** A Kubo node that gets what is exported without credentials. */
  readonly ipfsApiUrl: string | undefined;
  /** Of one uploaded or imported file. */
  readonly maxUploadBytes: number;
  /** Length of the first gap between two attempts of a delivery; the others are scaled with it. */
  readonly webhookRetryBaseMs: number;
  /** Whether visitors may create accounts; the operator's command line always can. */
  readonly signUp: Operator['SIGN_UP'];
  readonly egressAllowCidrs: readonly string[];
  /** Ranges of the reverse proxies whose X-Forwarded-For is believed. */
  readonly trustedProxies: readonly string[];
  /** Where files are kept; undefined: on the local disk. */
  readonly s3: S3Settings | undefined;
  readonly logLevel: Operator['LOG_LEVEL'];
}

/** What the running roles need: the same, with database and secret present. */
export interface Settings extends OperatorSettings {
  readonly databaseUrl: string;
  readonly appSecret: string;
}

/** Thrown with one line a bad setting: its name and what is expected. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Settings of the supervisor and the tools. @throws SettingsError naming each bad value. */
export function readOperatorSettings(environment: Environment = process.env): OperatorSettings {
  // An empty variable means "not set": compose files and shells produce them.
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
  const parsed = operatorSchema.safeParse(given);
  if (!parsed.success) {
    const lines = parsed.error.issues.map((issue) => `${issue.path.join('.')}: expected ${issue.message}`);
    throw new SettingsError([...new Set(lines)].join('\n'));
  }
  return derive(parsed.data);
}

/** Settings of a running role. @throws SettingsError also when DATABASE_URL or APP_SECRET is missing. */
export function readSettings(environment: Environment = process.env): Settings {
  const settings = readOperatorSettings(environment);
  const { databaseUrl, appSecret } = settings;
  if (!databaseUrl)
    throw new SettingsError('DATABASE_URL: expected a postgres:// URL (npm start provides one)');
  if (!appSecret)
    throw new SettingsError('APP_SECRET: expected at least 32 characters (npm start makes one)');
  return { ...settings, databaseUrl, appSecret };
}

/** The environment that gives a child process exactly these settings. */
export function settingsToEnvironment(settings: Settings): Record<string, string> {
  return {
    PORT: String(settings.port),
    MEDIA_PORT: String(settings.mediaPort),
    RTMP_PORT: String(settings.rtmpPort),
    RTMP_CLIENTS_PER_ADDRESS: String(settings.rtmpClientsPerAddress),
    HOST: settings.host,
    ROLES: settings.roles.join(','),
    INTERNAL_HOST: settings.internalHost,
    ...(settings.internalPort === undefined ? {} : { INTERNAL_PORT: String(settings.internalPort) }),
    INTERNAL_URL: settings.internalUrl,
    DATA_DIR: settings.dataDir,
    DATABASE_URL: settings.databaseUrl,
    ...(settings.redisUrl ? { REDIS_URL: settings.redisUrl } : {}),
    BASE_URL: settings.baseUrl,
    CDN_URL: settings.cdnUrl,
    UPLOAD_URL: settings.uploadUrl,
    RTMP_URL: settings.rtmpUrl,
    APP_SECRET: settings.appSecret,
    SESSION_RECONNECT_SECONDS: String(settings.sessionReconnectSeconds),
    TRANSCODE_CORES: String(settings.transcodeCores),
    API_RATE_LIMIT: String(settings.apiRateLimit),
    IPFS_PINNING_URL: settings.ipfsPinningUrl,
    ...(settings.ipfsApiUrl === undefined ? {} : { IPFS_API_URL: settings.ipfsApiUrl }),
    MAX_UPLOAD_BYTES: String(settings.maxUploadBytes),
    WEBHOOK_RETRY_BASE_MS: String(settings.webhookRetryBaseMs),
    SIGN_UP: settings.signUp,
    EGRESS_ALLOW_CIDRS: settings.egressAllowCidrs.join(','),
    TRUSTED_PROXIES: settings.trustedProxies.join(','),
    ...s3ToEnvironment(settings.s3),
    LOG_LEVEL: settings.logLevel,
  };
}

function derive(given: Operator): OperatorSettings {
  const baseUrl = given.BASE_URL ?? `http://localhost:${given.PORT}`;
  const publicHost = new URL(baseUrl).hostname;
  const s3 = s3SettingsOf(given);
  if (typeof s3 === 'string') throw new SettingsError(s3);
  if (given.ROLES.length < serviceRoles.length && !given.DATABASE_URL) {
    throw new SettingsError(
      'DATABASE_URL: expected the database of the other nodes, because ROLES leaves some out',
    );
  }
  const cdnUrl = given.CDN_URL ?? `http://${publicHost}:${given.MEDIA_PORT}`;
  return {
    port: given.PORT,
    mediaPort: given.MEDIA_PORT,
    rtmpPort: given.RTMP_PORT,
    rtmpClientsPerAddress: given.RTMP_CLIENTS_PER_ADDRESS,
    host: given.HOST,
    roles: serviceRoles.filter((role) => given.ROLES.includes(role)),
    internalHost: given.INTERNAL_HOST,
    internalPort: given.INTERNAL_PORT,
    internalUrl: given.INTERNAL_URL ?? internalUrlOf(given.INTERNAL_HOST),
    dataDir: given.DATA_DIR,
    databaseUrl: given.DATABASE_URL,
    redisUrl: given.REDIS_URL,
    baseUrl,
    cdnUrl,
    uploadUrl: given.UPLOAD_URL ?? cdnUrl,
    rtmpUrl: given.RTMP_URL ?? `rtmp://${publicHost}:${given.RTMP_PORT}/live`,
    appSecret: given.APP_SECRET,
    sessionReconnectSeconds: given.SESSION_RECONNECT_SECONDS,
    transcodeCores: given.TRANSCODE_CORES,
    apiRateLimit: given.API_RATE_LIMIT,
    ipfsPinningUrl: given.IPFS_PINNING_URL,
    ipfsApiUrl: given.IPFS_API_URL,
    maxUploadBytes: given.MAX_UPLOAD_BYTES,
    webhookRetryBaseMs: given.WEBHOOK_RETRY_BASE_MS,
    signUp: given.SIGN_UP,
    egressAllowCidrs: given.EGRESS_ALLOW_CIDRS,
    trustedProxies: given.TRUSTED_PROXIES,
    s3,
    logLevel: given.LOG_LEVEL,
  };
}

function internalUrlOf(host: string): string {
  if (host === '0.0.0.0' || host === '::') {
    throw new SettingsError(
      `INTERNAL_URL: expected the URL where other nodes reach this one, because INTERNAL_HOST is ${host}`,
    );
  }
  return `http://${host.includes(':') ? `[${host}]` : host}`;
}
