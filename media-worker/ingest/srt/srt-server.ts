import { randomInt } from 'node:crypto';
import { createSocket, type RemoteInfo, type Socket } from 'node:dgram';
import { lookup } from 'node:dns';
import { isIP, isIPv6 } from 'node:net';
import { LRUCache } from 'lru-cache';
import { type Clock, systemClock } from '@/lib/infra/clock';
import { networkOfIp } from '@/lib/infra/egress/ip-address';
import { metrics } from '@/lib/infra/metrics/metrics';
import type { AdmitPublish } from '@/media-worker/media/packets/publish';
import type { IngestLog } from '@/media-worker/ingest/publisher/ask-admission';
import { ConnectionLimits, type Full } from '@/media-worker/ingest/publisher/connection-limits';
import { KeyGuessLimiter } from '@/media-worker/ingest/publisher/key-guess-limiter';
import { reasonOf } from '@/media-worker/ingest/publisher/publisher-limits';
import type { Peer } from './cookies';
import { PacketCounts } from './packet-counts';
import type { SrtConnection } from './srt-connection';
import { SrtHandshakes } from './srt-handshakes';
import { defaultSrtLimits, type SrtLimits } from './srt-limits';
import { controlTypes, parsePacket } from './srt-packet';

/** Interval of the periodic work of all connections. */
const TICK_MS = 10;
/** Bytes of datagrams buffered while the process is busy; the system may grant less. */
const RECEIVE_BUFFER_BYTES = 4 * 1024 * 1024;
/** Minimum interval between logged rejections of one network. */
const REJECTION_LOG_MS = 10_000;
const MAX_SOCKET_ID = 2 ** 30;

interface SrtServerOptions {
  /** UDP port; 0 picks a free one. */
  readonly port: number;
  readonly host: string;
  readonly admit: AdmitPublish;
  readonly log: IngestLog;
  readonly limits?: Partial<SrtLimits>;
  /** Clock of all times except timers. */
  readonly clock?: Pick<Clock, 'monotonic'>;
}

export interface SrtServer {
  readonly port: number;
  /** Number of callers that publish or wait for their admission. */
  connectionCount(): number;
  /** Disconnects every publisher and closes the port. Idempotent. */
  close(): Promise<void>;
}

/**
 * Starts a server for SRT publishers (draft-sharabayko-srt-01) on one UDP port. The stream id of a caller contains
 * its stream key. Rejects if the port is in use. Playback is not supported.
 */
export async function startSrtServer(options: SrtServerOptions): Promise<SrtServer> {
  const { log, port, host } = options;
  const family = isIPv6(host) ? 6 : 4;
  const socket = createSocket({
    type: `udp${family}`,
    recvBufferSize: RECEIVE_BUFFER_BYTES,
    // The socket looks up the address of every packet that it sends. An ordinary lookup would delay each packet by a
    // tick.
    lookup: (name, options, callback) => {
      if (isIP(name) > 0) callback(null, name, family);
      else lookup(name, options, callback);
    },
  });
  await bind(socket, port, host);
  socket.on('error', (error) => log.warn({ error: error.name }, 'SRT server error'));
  const callers = new SrtCallers(options, socket);
  let closing: Promise<void> | null = null;
  const close = async (): Promise<void> => {
    callers.close();
    await new Promise<void>((resolve) => socket.close(() => resolve()));
  };
  return {
    port: socket.address().port,
    connectionCount: () => callers.count,
    close: () => (closing ??= close()),
  };
}

/**
 * Binds the port exclusively: the state of a connection is in one process, so processes of a group cannot share
 * it.
 */
function bind(socket: Socket, port: number, address: string): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.once('error', reject);
    socket.bind({ port, address, exclusive: true }, () => {
      socket.off('error', reject);
      resolve();
    });
  });
}

interface OpenConnection {
  readonly peer: Peer;
  readonly connection: SrtConnection;
  readonly counts: PacketCounts;
}

/** The callers of one server: those in their handshake, and those with an open connection. */
class SrtCallers {
  readonly #socket: Socket;
  readonly #now: () => number;
  readonly #log: IngestLog;
  readonly #slots: ConnectionLimits;
  readonly #handshakes: SrtHandshakes;
  readonly #connections = new Map<number, OpenConnection>();
  readonly #rejectionLog = new LRUCache<string, true>({ max: 1_000, ttl: REJECTION_LOG_MS });
  #tickTimer: NodeJS.Timeout | null = null;
  #isClosed = false;

  constructor({ admit, log, limits: limitOverrides, clock = systemClock }: SrtServerOptions, socket: Socket) {
    const limits: SrtLimits = { ...defaultSrtLimits, ...limitOverrides };
    this.#socket = socket;
    this.#now = () => clock.monotonic();
    this.#log = log;
    this.#slots = new ConnectionLimits(limits);
    this.#handshakes = new SrtHandshakes({
      admit,
      log,
      limits,
      now: this.#now,
      slots: this.#slots,
      keyGuessLimiter: new KeyGuessLimiter(limits, this.#now),
      send: (packet, peer) => this.#send(packet, peer),
      onFull: (ip, full) => this.#onFull(ip, full),
      newSocketId: () => this.#newSocketId(),
      onOpen: (socketId, peer, connection) => this.#open(socketId, peer, connection),
      onClosed: (socketId) => this.#remove(socketId),
    });
    socket.on('message', (message, from) => this.#receive(message, from));
  }

  get count(): number {
    return this.#slots.total;
  }

  close(): void {
    this.#handshakes.close();
    this.#isClosed = true;
  }

  #receive(message: Buffer, from: RemoteInfo): void {
    metrics.receivedBytes.inc(message.length);
    const packet = parsePacket(message);
    if (!packet || this.#isClosed) return;
    const isHandshake = packet.kind === 'control' && packet.type === controlTypes.handshake;
    if (isHandshake) {
      this.#handshakes.receive(packet, { address: from.address, port: from.port });
      return;
    }
    const openConnection = this.#connections.get(packet.destination);
    if (openConnection?.peer.port !== from.port || openConnection.peer.address !== from.address) return;
    this.#runGuarded(openConnection.connection, () => openConnection.connection.receive(packet, this.#now()));
  }

  /** An error of a consumer ends only its own publish. */
  #runGuarded(connection: SrtConnection, action: () => void): void {
    try {
      action();
    } catch (error) {
      this.#log.warn({ why: reasonOf(error) }, 'SRT connection failed');
      connection.close('lost');
    }
  }

  #tick(): void {
    const monotonicMs = this.#now();
    for (const { connection, counts } of this.#connections.values()) {
      counts.tick(monotonicMs);
      this.#runGuarded(connection, () => connection.tick(monotonicMs));
    }
  }

  #open(socketId: number, peer: Peer, connection: SrtConnection): void {
    const counts = new PacketCounts(connection, this.#now());
    this.#connections.set(socketId, { peer, connection, counts });
    this.#tickTimer ??= setInterval(() => this.#tick(), TICK_MS);
  }

  #remove(socketId: number): void {
    this.#connections.get(socketId)?.counts.addToMetrics();
    this.#connections.delete(socketId);
    if (this.#connections.size > 0 || this.#tickTimer === null) return;
    clearInterval(this.#tickTimer);
    this.#tickTimer = null;
  }

  #newSocketId(): number {
    for (;;) {
      const socketId = randomInt(1, MAX_SOCKET_ID);
      if (!this.#connections.has(socketId)) return socketId;
    }
  }

  #send(packet: Buffer, { address, port }: Peer): void {
    if (this.#isClosed) return;
    // Send errors count as packet loss: the protocol repeats important packets.
    this.#socket.send(packet, port, address, () => undefined);
  }

  #onFull(ip: string, { fullLimit, openCount, limit }: Full): void {
    metrics.publishesRejected.inc({ reason: 'too_many_connections' });
    if (this.#rejectionLog.has(networkOfIp(ip))) return;
    this.#rejectionLog.set(networkOfIp(ip), true);
    this.#log.warn(
      { ip, open: openCount, limit },
      `connection rejected: ${fullLimit} has too many publishers`,
    );
  }
}
