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

/** The one place that reads the environment. The table for people is docs/operations.md; a test keeps both in step. */

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

/** Other values for some variables, of which the rest of the settings follows. @throws SettingsError */
export const withVariables = (
  { environment }: OperatorSettings,
  changes: Readonly<Record<string, string>>,
): OperatorSettings => readOperatorSettings({ ...environment, ...changes });

/** Variables that count only where one of them switches their feature on. */
const features = [
  [nodeTlsEnvironment, 'INTERNAL_TLS_CERT'],
  [mailEnvironment, 'SMTP_URL'],
  [oidcEnvironment, 'OIDC_ISSUER'],
  [speechEnvironment, 'STT_MODEL_DIR'],
  [s3Environment, 'S3_BUCKET'],
  [acmeEnvironment, 'ACME_EMAIL'],
] as const;

/** Told to a process by lib/infra/process-group.ts. */
const ownVariables = ['PROCESS_SLOT'];

/** The values in force, each as text that is read as the same value again. */
function environmentOf(given: Operator): Record<string, string> {
  const off = features.flatMap(([variables, on]) => (given[on] === undefined ? Object.keys(variables) : []));
  const unused = new Set<string>([...off, ...ownVariables]);
  return Object.fromEntries(
    Object.entries(given).flatMap(([name, value]) =>
      value === undefined || unused.has(name) ? [] : [[name, String(value)]],
    ),
  );
}

function derive(given: Operator): OperatorSettings {
  const publicTls = publicTlsFilesOf(given);
  if (typeof publicTls === 'string') throw new SettingsError(publicTls);
  const scheme = publicTls ? 'https' : 'http';
  const baseUrl = given.BASE_URL ?? `${scheme}://localhost:${given.PORT}`;
  const publicHost = new URL(baseUrl).hostname;
  const s3 = s3SettingsOf(given);
  if (typeof s3 === 'string') throw new SettingsError(s3);
  const mail = mailSettingsOf(given);
  if (typeof mail === 'string') throw new SettingsError(mail);
  const oidc = oidcSettingsOf(given);
  if (typeof oidc === 'string') throw new SettingsError(oidc);
  const speech = speechSettingsOf(given);
  const internalTls = nodeTlsFilesOf(given);
  if (typeof internalTls === 'string') throw new SettingsError(internalTls);
  const roles = rolesOf(given);
  if (roles.length < serviceRoles.length && !given.DATABASE_URL && !given.UPSTREAM_ORIGIN) {
    throw new SettingsError(
      'DATABASE_URL: expected the database of the other nodes, because ROLES leaves some out',
    );
  }
  const cdnUrl = given.CDN_URL ?? `${scheme}://${publicHost}:${given.MEDIA_PORT}`;
  const uploadUrl = given.UPLOAD_URL ?? cdnUrl;
  const rtmpUrl = given.RTMP_URL ?? `rtmp://${publicHost}:${given.RTMP_PORT}/live`;
  const tls = publicTlsOf(given, publicTls, { baseUrl, cdnUrl, uploadUrl, rtmpUrl });
  if (typeof tls === 'string') throw new SettingsError(tls);
  const srt = srtSettingsOf(given, rtmpUrl);
  const internalUrl = internalUrlOf(given, internalTls ? 'https:' : 'http:');
  const urls = { BASE_URL: baseUrl, CDN_URL: cdnUrl, UPLOAD_URL: uploadUrl, RTMP_URL: rtmpUrl };
  return {
    ...tls,
    ...srt,
    ...rtcSettingsOf(given),
    environment: environmentOf({
      ...given,
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
    port: given.PORT,
    mediaPort: given.MEDIA_PORT,
    rtmpPort: given.RTMP_PORT,
    rtmpClientsPerAddress: given.RTMP_CLIENTS_PER_ADDRESS,
    host: given.HOST,
    roles,
    upstreamOrigin: given.UPSTREAM_ORIGIN,
    originCacheBytes: given.ORIGIN_CACHE_BYTES,
    internalHost: given.INTERNAL_HOST,
    internalPort: given.INTERNAL_PORT,
    internalUrl,
    internalTls,
    dataDir: given.DATA_DIR,
    databaseUrl: given.DATABASE_URL,
    databasePoolSize: given.DATABASE_POOL_SIZE,
    redisUrl: given.REDIS_URL,
    baseUrl,
    cdnUrl,
    uploadUrl,
    rtmpUrl,
    appSecret: given.APP_SECRET,
    sessionReconnectSeconds: given.SESSION_RECONNECT_SECONDS,
    drainSeconds: given.DRAIN_SECONDS,
    transcodeCores: given.TRANSCODE_CORES,
    renditionCacheBytes: given.RENDITION_CACHE_BYTES,
    viewerReports: given.VIEWER_REPORTS === 'on',
    capacityGuard: given.CAPACITY_GUARD === 'on',
    maxStreams: given.MAX_STREAMS,
    processes: { live: given.LIVE_PROCESSES, origin: given.ORIGIN_PROCESSES, web: given.WEB_PROCESSES },
    slot: given.PROCESS_SLOT,
    apiRateLimit: given.API_RATE_LIMIT,
    ipfsPinningUrl: given.IPFS_PINNING_URL,
    ipfsApiUrl: given.IPFS_API_URL,
    geoipDb: given.GEOIP_DB,
    acceptMedia: given.ACCEPT_MEDIA,
    maxUploadBytes: given.MAX_UPLOAD_BYTES,
    quotas: quotaDefaultsOf(given),
    speech,
    webhookRetryBaseMs: given.WEBHOOK_RETRY_BASE_MS,
    signUp: given.SIGN_UP,
    requireSecondFactor: given.REQUIRE_SECOND_FACTOR,
    mail,
    oidc,
    operatorEmails: given.OPERATOR_EMAILS,
    region: given.REGION,
    egressAllowCidrs: given.EGRESS_ALLOW_CIDRS,
    trustedProxies: given.TRUSTED_PROXIES,
    s3,
    otlpEndpoint: given.OTEL_EXPORTER_OTLP_ENDPOINT,
    metricsToken: given.METRICS_TOKEN,
    logLevel: given.LOG_LEVEL,
  };
}

/** An edge has nothing but an origin's port. */
function rolesOf({ ROLES, UPSTREAM_ORIGIN }: Operator): readonly ServiceRole[] {
  const given = ROLES ?? (UPSTREAM_ORIGIN === undefined ? serviceRoles : ['origin']);
  if (UPSTREAM_ORIGIN !== undefined && given.some((role) => role !== 'origin')) {
    throw new SettingsError(
      'ROLES: expected origin alone, because UPSTREAM_ORIGIN makes this machine an edge',
    );
  }
  return serviceRoles.filter((role) => given.includes(role));
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
