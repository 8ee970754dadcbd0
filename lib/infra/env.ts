import { operatorSchema, serviceRoles, type Operator, type ServiceRole } from './env-schema';
import { oidcEnvironment, oidcSettingsOf } from './oidc-settings';
import { mailEnvironment, mailSettingsOf } from './mail/mail-settings';
import { nodeTlsEnvironment, nodeTlsFilesOf } from './tls/node-tls-settings';
import { acmeEnvironment, publicTlsFilesOf, publicTlsOf } from './tls/public-tls-settings';
import type { OperatorSettings, Settings } from './settings';
import { quotaDefaultsOf } from './quota-settings';
import { speechEnvironment, speechSettingsOf } from './speech-settings';
import { rtcSettingsOf } from './rtc-settings';
import { srtSettingsOf } from './srt-settings';
import { s3Environment, s3SettingsOf } from './storage/s3-settings';

export type { OperatorSettings, ServiceRole, Settings };

/** The only reader of the environment. docs/operations.md documents the variables; a test keeps both consistent. */

/** Thrown for invalid settings, with one line per setting: its name and the expected value. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Settings of the supervisor and the tools. @throws SettingsError naming each invalid value */
export function readOperatorSettings(environment: Environment = process.env): OperatorSettings {
  // An empty variable means "not set", because compose files and shells create empty variables.
  const nonEmpty = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
  const result = operatorSchema.safeParse(nonEmpty);
  if (!result.success) {
    const lines = result.error.issues.map((issue) => `${issue.path.join('.')}: expected ${issue.message}`);
    throw new SettingsError([...new Set(lines)].join('\n'));
  }
  return derive(result.data);
}

/** Settings of a running role. @throws SettingsError, including if DATABASE_URL or APP_SECRET is missing */
export function readSettings(environment: Environment = process.env): Settings {
  const settings = readOperatorSettings(environment);
  const { databaseUrl, appSecret } = settings;
  if (!databaseUrl)
    throw new SettingsError('DATABASE_URL: expected a postgres:// URL (npm start provides one)');
  if (!appSecret)
    throw new SettingsError('APP_SECRET: expected at least 32 characters (npm start makes one)');
  return { ...settings, databaseUrl, appSecret };
}

/** Settings with some variables changed, including all values derived from them. @throws SettingsError */
export const withVariables = (
  { environment }: OperatorSettings,
  changes: Readonly<Record<string, string>>,
): OperatorSettings => readOperatorSettings({ ...environment, ...changes });

/** Variables of optional features, each with the variable that enables the feature. */
const features = [
  [nodeTlsEnvironment, 'INTERNAL_TLS_CERT'],
  [mailEnvironment, 'SMTP_URL'],
  [oidcEnvironment, 'OIDC_ISSUER'],
  [speechEnvironment, 'STT_MODEL_DIR'],
  [s3Environment, 'S3_BUCKET'],
  [acmeEnvironment, 'ACME_EMAIL'],
] as const;

/** Variables that lib/infra/process-group.ts sets for a process. */
const ownVariables = ['PROCESS_SLOT'];

/** The effective values as environment variables, which read back as the same settings. */
function environmentOf(operator: Operator): Record<string, string> {
  const disabledNames = features.flatMap(([variables, on]) =>
    operator[on] === undefined ? Object.keys(variables) : [],
  );
  const unusedNames = new Set<string>([...disabledNames, ...ownVariables]);
  return Object.fromEntries(
    Object.entries(operator).flatMap(([name, value]) =>
      value === undefined || unusedNames.has(name) ? [] : [[name, String(value)]],
    ),
  );
}

function derive(operator: Operator): OperatorSettings {
  const publicTls = publicTlsFilesOf(operator);
  if (typeof publicTls === 'string') throw new SettingsError(publicTls);
  const scheme = publicTls ? 'https' : 'http';
  const baseUrl = operator.BASE_URL ?? `${scheme}://localhost:${operator.PORT}`;
  const publicHost = new URL(baseUrl).hostname;
  const s3 = s3SettingsOf(operator);
  if (typeof s3 === 'string') throw new SettingsError(s3);
  const mail = mailSettingsOf(operator);
  if (typeof mail === 'string') throw new SettingsError(mail);
  const oidc = oidcSettingsOf(operator);
  if (typeof oidc === 'string') throw new SettingsError(oidc);
  const speech = speechSettingsOf(operator);
  const internalTls = nodeTlsFilesOf(operator);
  if (typeof internalTls === 'string') throw new SettingsError(internalTls);
  const roles = rolesOf(operator);
  if (roles.length < serviceRoles.length && !operator.DATABASE_URL && !operator.UPSTREAM_ORIGIN) {
    throw new SettingsError(
      'DATABASE_URL: expected the database of the other nodes, because ROLES leaves some out',
    );
  }
  const cdnUrl = operator.CDN_URL ?? `${scheme}://${publicHost}:${operator.MEDIA_PORT}`;
  const uploadUrl = operator.UPLOAD_URL ?? cdnUrl;
  const rtmpUrl = operator.RTMP_URL ?? `rtmp://${publicHost}:${operator.RTMP_PORT}/live`;
  const tls = publicTlsOf(operator, publicTls, { baseUrl, cdnUrl, uploadUrl, rtmpUrl });
  if (typeof tls === 'string') throw new SettingsError(tls);
  const srt = srtSettingsOf(operator, rtmpUrl);
  const rtc = rtcSettingsOf(operator);
  if (typeof rtc === 'string') throw new SettingsError(rtc);
  const internalUrl = internalUrlOf(operator, internalTls ? 'https:' : 'http:');
  const urls = { BASE_URL: baseUrl, CDN_URL: cdnUrl, UPLOAD_URL: uploadUrl, RTMP_URL: rtmpUrl };
  return {
    ...tls,
    ...srt,
    ...rtc,
    environment: environmentOf({
      ...operator,
      ...urls,
      ROLES: [...roles],
      INTERNAL_URL: internalUrl,
      RTMPS_PORT: tls.rtmpsPort,
      RTMPS_URL: tls.rtmpsUrl,
      SRT_URL: srt.srtUrl,
      ACME_HOSTS: tls.acme && [...tls.acme.hosts],
      OIDC_NAME: oidc?.name,
      S3_FORCE_PATH_STYLE: s3 && (s3.forcePathStyle ? 'true' : 'false'),
      ...(speech && { STT_LANGUAGES: speech.languages }),
    }),
    port: operator.PORT,
    mediaPort: operator.MEDIA_PORT,
    rtmpPort: operator.RTMP_PORT,
    pullStreams: operator.PULL_STREAMS,
    rtmpClientsPerAddress: operator.RTMP_CLIENTS_PER_ADDRESS,
    host: operator.HOST,
    roles,
    upstreamOrigin: operator.UPSTREAM_ORIGIN,
    originCacheBytes: operator.ORIGIN_CACHE_BYTES,
    internalHost: operator.INTERNAL_HOST,
    internalPort: operator.INTERNAL_PORT,
    internalUrl,
    internalTls,
    dataDir: operator.DATA_DIR,
    databaseUrl: operator.DATABASE_URL,
    databasePoolSize: operator.DATABASE_POOL_SIZE,
    redisUrl: operator.REDIS_URL,
    baseUrl,
    cdnUrl,
    uploadUrl,
    rtmpUrl,
    appSecret: operator.APP_SECRET,
    sessionReconnectSeconds: operator.SESSION_RECONNECT_SECONDS,
    drainSeconds: operator.DRAIN_SECONDS,
    transcodeCores: operator.TRANSCODE_CORES,
    renditionCacheBytes: operator.RENDITION_CACHE_BYTES,
    viewerReports: operator.VIEWER_REPORTS === 'on',
    capacityGuard: operator.CAPACITY_GUARD === 'on',
    maxStreams: operator.MAX_STREAMS,
    processes: {
      live: operator.LIVE_PROCESSES,
      origin: operator.ORIGIN_PROCESSES,
      web: operator.WEB_PROCESSES,
    },
    slot: operator.PROCESS_SLOT,
    apiRateLimit: operator.API_RATE_LIMIT,
    ipfsPinningUrl: operator.IPFS_PINNING_URL,
    ipfsApiUrl: operator.IPFS_API_URL,
    geoipDb: operator.GEOIP_DB,
    acceptMedia: operator.ACCEPT_MEDIA,
    maxUploadBytes: operator.MAX_UPLOAD_BYTES,
    quotas: quotaDefaultsOf(operator),
    speech,
    webhookRetryBaseMs: operator.WEBHOOK_RETRY_BASE_MS,
    signUp: operator.SIGN_UP,
    requireSecondFactor: operator.REQUIRE_SECOND_FACTOR,
    mail,
    oidc,
    operatorEmails: operator.OPERATOR_EMAILS,
    region: operator.REGION,
    egressAllowCidrs: operator.EGRESS_ALLOW_CIDRS,
    trustedProxies: operator.TRUSTED_PROXIES,
    s3,
    otlpEndpoint: operator.OTEL_EXPORTER_OTLP_ENDPOINT,
    metricsToken: operator.METRICS_TOKEN,
    logLevel: operator.LOG_LEVEL,
  };
}

/** An edge runs the role origin only. */
function rolesOf({ ROLES, UPSTREAM_ORIGIN }: Operator): readonly ServiceRole[] {
  const requestedRoles = ROLES ?? (UPSTREAM_ORIGIN === undefined ? serviceRoles : ['origin']);
  if (UPSTREAM_ORIGIN !== undefined && requestedRoles.some((role) => role !== 'origin')) {
    throw new SettingsError(
      'ROLES: expected origin alone, because UPSTREAM_ORIGIN makes this machine an edge',
    );
  }
  return serviceRoles.filter((role) => requestedRoles.includes(role));
}

function internalUrlOf(
  { INTERNAL_URL: url, INTERNAL_HOST: host }: Operator,
  protocol: 'http:' | 'https:',
): string {
  if (url !== undefined) {
    if (new URL(url).protocol === protocol) return url;
    const reason = protocol === 'https:' ? 'INTERNAL_TLS_CERT is set' : 'INTERNAL_TLS_CERT is not set';
    throw new SettingsError(`INTERNAL_URL: expected an ${protocol}// URL, because ${reason}`);
  }
  if (host === '0.0.0.0' || host === '::') {
    throw new SettingsError(
      `INTERNAL_URL: expected the URL where other nodes reach this one, because INTERNAL_HOST is ${host}`,
    );
  }
  return `${protocol}//${host.includes(':') ? `[${host}]` : host}`;
}
