import type { ProcessCounts } from '@/lib/core/nodes/process-slots';
import type { Quotas } from '@/lib/core/quotas/quota';
import type { SpeechSettings } from './speech-settings';
import type { Operator, ServiceRole } from './env-schema';
import type { MailSettings } from './mail/mail-settings';
import type { OidcSettings } from './oidc-settings';
import type { RtcSettings } from './rtc-settings';
import type { SrtSettings } from './srt-settings';
import type { S3Settings } from './storage/s3-settings';
import type { NodeTlsFiles } from './tls/node-tls-settings';
import type { PublicTlsSettings } from './tls/public-tls-settings';

/** Settings of the operator with all defaults; the supervisor adds database and secret. */
export interface OperatorSettings extends PublicTlsSettings, SrtSettings, RtcSettings {
  /** The settings as environment variables, for child processes. */
  readonly environment: Readonly<Record<string, string>>;
  readonly port: number;
  readonly mediaPort: number;
  readonly rtmpPort: number;
  /** Maximum encoders per client address for RTMP, and separately for SRT and for WebRTC. */
  readonly rtmpClientsPerAddress: number;
  /** Maximum concurrent pulls of one live process; 0 disables pulling. */
  readonly pullStreams: number;
  /** Listening address of the web server, the origin and the servers for encoders. */
  readonly host: string;
  readonly roles: readonly ServiceRole[];
  /** URL of the origin or edge behind this edge; undefined on a machine that is no edge. An edge has no database. */
  readonly upstreamOrigin: string | undefined;
  /** Size of the disk cache for remote files on an origin or edge; undefined for a share of the free space. */
  readonly originCacheBytes: number | undefined;
  /** Listening address of the processes for other nodes. */
  readonly internalHost: string;
  /** First internal port of the processes; undefined for any free port. */
  readonly internalPort: number | undefined;
  /** Scheme and host of this machine for other nodes. */
  readonly internalUrl: string;
  /** Files for TLS between nodes; undefined for plain HTTP. */
  readonly internalTls: NodeTlsFiles | undefined;
  /** Absolute path of the data directory. */
  readonly dataDir: string;
  readonly databaseUrl: string | undefined;
  /** Database connections per process, besides those of the queue and of LISTEN. */
  readonly databasePoolSize: number;
  readonly redisUrl: string | undefined;
  /** Public URLs, without a slash at the end. */
  readonly baseUrl: string;
  readonly cdnUrl: string;
  readonly uploadUrl: string;
  readonly rtmpUrl: string;
  readonly appSecret: string | undefined;
  readonly sessionReconnectSeconds: number;
  /** Seconds until a draining node ends its streams; undefined for some seconds if other nodes can take them. */
  readonly drainSeconds: number | undefined;
  /** Cores for the renditions of all live streams. */
  readonly transcodeCores: number;
  /** Size of the cache for renditions encoded on request; 0 disables them. */
  readonly renditionCacheBytes: number;
  /** Whether players may send viewer reports. */
  readonly viewerReports: boolean;
  /** Whether the node refuses new streams when it is overloaded, and uses measured instead of estimated load. */
  readonly capacityGuard: boolean;
  /** Maximum streams of all live processes of this machine; undefined for no limit. */
  readonly maxStreams: number | undefined;
  /** Number of processes per role on this machine. */
  readonly processes: ProcessCounts;
  /** Index of this process in its role, from 1. Not a setting: lib/infra/process-group.ts sets it. */
  readonly slot: number;
  /** Maximum requests per minute of one API key, or one person's browser. */
  readonly apiRateLimit: number;
  /** URL of the pinning service for exports with credentials. */
  readonly ipfsPinningUrl: string;
  /** URL of the Kubo node for exports without credentials. */
  readonly ipfsApiUrl: string | undefined;
  /** Absolute path of the country database; undefined if countries are unknown. */
  readonly geoipDb: string | undefined;
  /** Accepted media of uploads and imports. */
  readonly acceptMedia: Operator['ACCEPT_MEDIA'];
  /** Size limit of one uploaded or imported file. */
  readonly maxUploadBytes: number;
  /** Default limits of teams. */
  readonly quotas: Quotas;
  /** Speech recognition; undefined if disabled. */
  readonly speech: SpeechSettings | undefined;
  /** Delay before the second attempt of a webhook delivery; later delays are scaled with it. */
  readonly webhookRetryBaseMs: number;
  /** Whether visitors may create accounts; the operator's command line always can. */
  readonly signUp: Operator['SIGN_UP'];
  /** Accounts that must set up two-step sign-in before they can use the service. */
  readonly requireSecondFactor: Operator['REQUIRE_SECOND_FACTOR'];
  /** Mail settings; undefined if mail is disabled. */
  readonly mail: MailSettings | undefined;
  /** OpenID Connect; undefined if sign-in uses passwords only. */
  readonly oidc: OidcSettings | undefined;
  /** Email addresses of the operators, in lower case. */
  readonly operatorEmails: readonly string[];
  /** Region of this machine, for the list of ingest addresses. */
  readonly region: string | undefined;
  readonly egressAllowCidrs: readonly string[];
  /** CIDR ranges of reverse proxies whose X-Forwarded-For is trusted. */
  readonly trustedProxies: readonly string[];
  /** S3 settings; undefined if files are stored on the local disk. */
  readonly s3: S3Settings | undefined;
  /** Base URL for spans (OTLP over HTTP), without `/v1/traces`; undefined if tracing is off. */
  readonly otlpEndpoint: string | undefined;
  /** Bearer token for /metrics; undefined to allow local requests only. */
  readonly metricsToken: string | undefined;
  readonly logLevel: Operator['LOG_LEVEL'];
}

/** Settings of a running role, with database and secret. */
export interface Settings extends OperatorSettings {
  readonly databaseUrl: string;
  readonly appSecret: string;
}
