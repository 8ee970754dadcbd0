import type { Socket } from 'node:net';
import { createServer, type Server, type TLSSocket } from 'node:tls';
import type { Certificate, CertificateLog } from './certificate';
import { setClientAddress, peerAddress } from '../egress/ip-address';

interface TlsLimits {
  /** Time limit of the handshake, in milliseconds. */
  readonly handshakeTimeoutMs: number;
  /** Maximum connections in a handshake; above it, the oldest is closed. */
  readonly maxWaiting: number;
}

interface TlsOptions {
  readonly certificate: Certificate;
  readonly log: CertificateLog;
  /** Handles a connection after its handshake. `peerAddress` returns its client. */
  readonly onSecure: (socket: TLSSocket) => void;
  /** Handles a connection whose first byte is not TLS. */
  readonly onPlain: (socket: Socket) => void;
  readonly protocols?: readonly string[];
  readonly limits?: TlsLimits;
}

const defaultLimits: TlsLimits = { handshakeTimeoutMs: 10_000, maxWaiting: 1_000 };
/** Content type of the first record of a handshake (RFC 8446 §5.1). */
const HANDSHAKE_RECORD = 0x16;

/**
 * TLS layer for the connections of a server. The certificate can change while connections are open, and clients without TLS
 * are detected on the same port.
 */
export class TlsConnections {
  readonly #server: Server;
  readonly #options: TlsOptions;
  readonly #limits: TlsLimits;
  readonly #unwatch: () => void;
  /**
   * Waiting connections by client address, because the event at the end of a handshake does not name the original socket.
   */
  readonly #waiting = new Map<string, WaitingConnection>();

  constructor(options: TlsOptions) {
    const { certificate, protocols, limits = defaultLimits, log } = options;
    this.#options = options;
    this.#limits = limits;
    this.#server = createServer({
      ...certificate.current(),
      ...(protocols ? { ALPNProtocols: [...protocols] } : {}),
      handshakeTimeout: limits.handshakeTimeoutMs,
    });
    this.#server.on('secureConnection', (socket) => this.#onSecure(socket));
    // Handshake errors are not logged, because scanners cause many of them. Node closes the connection.
    this.#server.on('tlsClientError', () => undefined);
    this.#unwatch = certificate.watch((identity) => this.#server.setSecureContext(identity), log);
  }

  /** Listener for the `connection` event of a server. */
  readonly onConnection = (socket: Socket): void => {
    const stopWaiting = this.#wait(socket);
    const destroy = (): void => void socket.destroy();
    const onData = (firstBytes: Buffer): void => {
      socket.off('data', onData).off('end', destroy).off('error', destroy);
      // The bytes are put back for the next reader.
      socket.pause();
      socket.unshift(firstBytes);
      if (firstBytes[0] === HANDSHAKE_RECORD) {
        // HTTP servers allow half-open connections, so a client that ends during the handshake would keep its connection.
        socket.allowHalfOpen = false;
        this.#server.emit('connection', socket);
        return;
      }
      stopWaiting();
      this.#options.onPlain(socket);
      socket.resume();
    };
    socket.on('data', onData).on('end', destroy).on('error', destroy);
  };

  /** Closes the connections whose handshake is not complete. */
  close(): void {
    this.#unwatch();
    for (const { socket } of this.#waiting.values()) socket.destroy();
  }

  /**
   * Closes the connection after the handshake timeout.
   * @returns a function that stops the timeout
   */
  #wait(socket: Socket): () => void {
    const peerKey = peerKeyOf(socket);
    const timer = setTimeout(() => socket.destroy(), this.#limits.handshakeTimeoutMs);
    const waitingConnection = {
      socket,
      stopWaiting: () => {
        clearTimeout(timer);
        if (this.#waiting.get(peerKey) === waitingConnection) this.#waiting.delete(peerKey);
      },
    };
    this.#waiting.set(peerKey, waitingConnection);
    socket.once('close', waitingConnection.stopWaiting);
    const [oldest] = this.#waiting.values();
    if (this.#waiting.size > this.#limits.maxWaiting) oldest?.socket.destroy();
    return waitingConnection.stopWaiting;
  }

  #onSecure(secureSocket: TLSSocket): void {
    const waitingConnection = this.#waiting.get(peerKeyOf(secureSocket));
    if (!waitingConnection) {
      secureSocket.destroy();
      return;
    }
    waitingConnection.stopWaiting();
    setClientAddress(secureSocket, peerAddress(waitingConnection.socket));
    this.#options.onSecure(secureSocket);
  }
}

interface WaitingConnection {
  readonly socket: Socket;
  readonly stopWaiting: () => void;
}

/** Key of a connection, unique among the open connections of a port. */
const peerKeyOf = ({ remoteAddress = '', remotePort = 0 }: Socket): string =>
  `${remoteAddress} ${remotePort}`;
