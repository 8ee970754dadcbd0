import { createServer, type Server, type Socket } from 'node:net';
import { LRUCache } from 'lru-cache';
import { type Clock, systemClock } from '@/lib/infra/clock';
import { networkOfIp, peerAddress } from '@/lib/infra/egress/ip-address';
import { metrics } from '@/lib/infra/metrics/metrics';
import type { Certificate } from '@/lib/infra/tls/certificate';
import { ProxyHeaders } from '@/lib/infra/proxy-protocol';
import { TlsConnections } from '@/lib/infra/tls/tls-connections';
import { ConnectionLimits, type Full } from '@/media-worker/ingest/publisher/connection-limits';
import { RtmpConnection, type ConnectionContext } from './rtmp-connection';
import { defaultLimits, type IngestLimits } from './ingest-limits';
import type { IngestLog } from '@/media-worker/ingest/publisher/ask-admission';
import { KeyGuessLimiter } from '@/media-worker/ingest/publisher/key-guess-limiter';
import type { AdmitPublish } from '@/media-worker/media/packets/publish';

/** Idle time after which TCP keep-alive probes the peer. */
const KEEP_ALIVE_MS = 10_000;
/** Minimum interval between logged rejections of one network. */
const REJECTION_LOG_MS = 10_000;

interface RtmpServerOptions {
  /** The port; 0 picks a free one. */
  readonly port: number;
  readonly host: string;
  /** CIDR ranges of load balancers that may send PROXY headers. */
  readonly trustedProxies: readonly string[];
  /** Port and certificate of RTMPS; absent without RTMPS. */
  readonly tls?: { readonly port: number; readonly certificate: Certificate } | undefined;
  readonly admit: AdmitPublish;
  readonly log: IngestLog;
  readonly limits?: Partial<IngestLimits>;
  /** Clock that measures the silence of publishers and the periods of the key limiter. Timers do not use it. */
  readonly clock?: Pick<Clock, 'monotonic'>;
}

export interface RtmpServer {
  readonly port: number;
  /** The RTMPS port; null without RTMPS. */
  readonly rtmpsPort: number | null;
  /** Number of open connections, publishing or not. */
  connectionCount(): number;
  /** Stops listening, disconnects every publisher, and resolves when all sockets are closed. Idempotent. */
  close(): Promise<void>;
}

/**
 * Starts a server for RTMP publishers. Rejects if the port is in use. Playback over RTMP is not supported, because
 * the stream key is a secret.
 */
export async function startRtmpServer(options: RtmpServerOptions): Promise<RtmpServer> {
  const { admit, log } = options;
  const limits: IngestLimits = { ...defaultLimits, ...options.limits };
  const clock = options.clock ?? systemClock;
  const now = (): number => clock.monotonic();
  const slots = new ConnectionLimits(limits);
  const openConnections = new Set<RtmpConnection>();
  const rejectionLog = new LRUCache<string, true>({ max: 1_000, ttl: REJECTION_LOG_MS });
  const onFull = (ip: string, { fullLimit, openCount, limit }: Full): void => {
    metrics.publishesRejected.inc({ reason: 'too_many_connections' });
    if (rejectionLog.has(networkOfIp(ip))) return;
    rejectionLog.set(networkOfIp(ip), true);
    log.warn({ ip, open: openCount, limit }, `connection rejected: ${fullLimit} has too many publishers`);
  };
  const context: ConnectionContext = {
    admit,
    log,
    limits,
    now,
    keyGuessLimiter: new KeyGuessLimiter(limits, now),
  };

  const onConnection = (socket: Socket): void => accept(socket, { slots, openConnections, context, onFull });
  const openPort = (port: number, layers: readonly SocketLayer[]): Promise<Listener> =>
    openListener({ ...options, port }, layers);
  const rtmpListener = await openPort(options.port, [new ProxyHeaders(options.trustedProxies, onConnection)]);
  let rtmpsListener: Listener | null = null;
  if (options.tls) {
    const { port, certificate } = options.tls;
    const tls = new TlsConnections({ certificate, log, onSecure: onConnection, onPlain: destroySocket });
    const headers = new ProxyHeaders(options.trustedProxies, tls.onConnection);
    rtmpsListener = await openPort(port, [headers, tls]);
  }

  let closing: Promise<void> | null = null;
  const close = async (): Promise<void> => {
    const closing = [rtmpListener, ...(rtmpsListener ? [rtmpsListener] : [])].map((listener) =>
      listener.close(),
    );
    for (const connection of openConnections) connection.close('cut');
    await Promise.all(closing);
  };
  return {
    port: rtmpListener.port,
    rtmpsPort: rtmpsListener?.port ?? null,
    connectionCount: () => slots.total,
    close: () => (closing ??= close()),
  };
}

/** Layers of a connection below RTMP, outermost first. */
type SocketLayer = Pick<ProxyHeaders, 'onConnection' | 'close'>;

interface Listener {
  readonly port: number;
  /** Resolves when all sockets are closed, including those in the layers. */
  close(): Promise<void>;
}

async function openListener(
  { port, host, log }: Pick<RtmpServerOptions, 'port' | 'host' | 'log'>,
  layers: readonly SocketLayer[],
): Promise<Listener> {
  const options = { noDelay: true, keepAlive: true, keepAliveInitialDelay: KEEP_ALIVE_MS };
  const server = createServer(options, layers[0]?.onConnection);
  const boundPort = await listen(server, port, host);
  server.on('error', (error) => log.warn({ error: error.name }, 'RTMP server error'));
  return {
    port: boundPort,
    close: () => {
      const closing = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const layer of layers) layer.close();
      return closing;
    },
  };
}

interface ListenerState {
  readonly slots: ConnectionLimits;
  readonly openConnections: Set<RtmpConnection>;
  readonly context: ConnectionContext;
  readonly onFull: (ip: string, full: Full) => void;
}

function accept(socket: Socket, { slots, openConnections, context, onFull }: ListenerState): void {
  const ip = peerAddress(socket);
  if (ip === '') {
    destroySocket(socket);
    return;
  }
  const slot = slots.takeSlot(networkOfIp(ip), () => connection.close('cut'));
  if ('fullLimit' in slot) {
    onFull(ip, slot);
    destroySocket(socket);
    return;
  }
  const connection: RtmpConnection = new RtmpConnection(socket, ip, {
    ...context,
    onAdmitted: () => slot.keep(),
  });
  openConnections.add(connection);
  socket.once('close', () => {
    openConnections.delete(connection);
    slot.release();
  });
}

function destroySocket(socket: Socket): void {
  socket.on('error', () => undefined);
  socket.destroy();
}

function listen(server: Server, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port, host }, () => {
      server.off('error', reject);
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : port);
    });
  });
}
