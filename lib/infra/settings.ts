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

/** Settings as the operator gave them, defaults derived; the supervisor adds database and secret. */
export interface OperatorSettings extends PublicTlsSettings, SrtSettings, RtcSettings {
  /** The settings as environment variables, for child processes. */
  readonly environment: Readonly<Record<string, string>>;
  readonly port: number;
  readonly mediaPort: number;
  readonly rtmpPort: number;
  /** Limit of encoders per client address for RTMP, and separately for SRT and for WebRTC. */
  readonly rtmpClientsPerAddress: number;
  /** Address that the web server, the origin and the servers for encoders listen on. */
  readonly host: string;
  /** The roles that this machine runs. */
  readonly roles: readonly ServiceRole[];
  /** Origin or edge that this machine stands in front of, without a database; undefined: it is no edge. */
  readonly upstreamOrigin: string | undefined;
  /** For files that come from elsewhere, on the disk of an origin or edge; undefined: a share of the free space. */
  readonly originCacheBytes: number | undefined;
  /** Address that the processes listen on for other nodes. */
  readonly internalHost: string;
  /** First internal port of the processes; undefined: any free port. */
  readonly internalPort: number | undefined;
  /** Scheme and host where other nodes reach this machine. */
  readonly internalUrl: string;
  /** Files for TLS between nodes; undefined: plain HTTP. */
  readonly internalTls: NodeTlsFiles | undefined;
  /** Absolute path. */
  readonly dataDir: string;
  readonly databaseUrl: string | undefined;
  /** Database connections per process, besides those of the queue and of LISTEN. */
  readonly databasePoolSize: number;
  readonly redisUrl: string | undefined;
  /** Public addresses, without a slash at the end. */
  readonly baseUrl: string;
  readonly cdnUrl: string;
  readonly uploadUrl: string;
  readonly rtmpUrl: string;
  readonly appSecret: string | undefined;
  readonly sessionReconnectSeconds: number;
  /** Time that streams get when their node is drained; undefined: seconds if other nodes can take them. */
  readonly drainSeconds: number | undefined;
  /** Cores that the renditions of all live streams may keep busy. */
  readonly transcodeCores: number;
  /** Cache size for renditions encoded on request; 0: none are offered. */
  readonly renditionCacheBytes: number;
  /** Whether players may report how playback goes. */
  readonly viewerReports: boolean;
  /** Whether measured overload keeps new streams away, and measured use counts instead of estimates. */
  readonly capacityGuard: boolean;
  /** Streams that all live processes of this machine take together; undefined: any number. */
  readonly maxStreams: number | undefined;
  /** Processes of a role that this machine runs. */
  readonly processes: ProcessCounts;
  /** Which of these this process is, from 1: not a setting, but told to it by lib/infra/process-group.ts. */
  readonly slot: number;
  /** Requests that one API key, or one person's browser, may make a minute. */
  readonly apiRateLimit: number;
  /** Pinning service for exports that bring credentials. */
  readonly ipfsPinningUrl: string;
  /** A Kubo node that gets what is exported without credentials. */
  readonly ipfsApiUrl: string | undefined;
  /** Absolute path of the country database; undefined: countries are unknown. */
  readonly geoipDb: string | undefined;
  /** Files that are taken as uploads and imports. */
  readonly acceptMedia: Operator['ACCEPT_MEDIA'];
  /** Size limit of one uploaded or imported file. */
  readonly maxUploadBytes: number;
  /** Limits of teams for which the operator set nothing else. */
  readonly quotas: Quotas;
  /** Undefined: this installation recognises no speech. */
  readonly speech: SpeechSettings | undefined;
  /** Length of the first gap between two attempts of a delivery; the others are scaled with it. */
  readonly webhookRetryBaseMs: number;
  /** Whether visitors may create accounts; the operator's command line always can. */
  readonly signUp: Operator['SIGN_UP'];
  /** Accounts that must set up two-step login before they can use the service. */
  readonly requireSecondFactor: Operator['REQUIRE_SECOND_FACTOR'];
  /** Undefined: no mail is sent. */
  readonly mail: MailSettings | undefined;
  /** Undefined: people sign in with passwords only. */
  readonly oidc: OidcSettings | undefined;
  /** Accounts that operate the service, in lower case. */
  readonly operatorEmails: readonly string[];
  /** Name of the place where this machine is, for the list of ingest addresses. */
  readonly region: string | undefined;
  readonly egressAllowCidrs: readonly string[];
  /** Ranges of the reverse proxies whose X-Forwarded-For is believed. */
  readonly trustedProxies: readonly string[];
  /** S3 settings; undefined: files stay on the local disk. */
  readonly s3: S3Settings | undefined;
  /** Base URL for spans (OTLP over HTTP), without `/v1/traces`; undefined: tracing is off. */
  readonly otlpEndpoint: string | undefined;
  /** Bearer token for /metrics; undefined: only this machine may read them. */
  readonly metricsToken: string | undefined;
  readonly logLevel: Operator['LOG_LEVEL'];
}

/** Settings of the running roles: database and secret are present. */
export interface Settings extends OperatorSettings {
  readonly databaseUrl: string;
  readonly appSecret: string;
}
