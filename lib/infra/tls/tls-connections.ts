import type { Socket } from 'node:net';
import { createServer, type Server, type TLSSocket } from 'node:tls';
import type { Certificate, CertificateLog } from './certificate';
import { nameClient, peerAddress } from '../egress/ip-address';

interface TlsLimits {
  /** Time limit of the handshake, in milliseconds. */
  readonly handshakeMs: number;
  /** Connections before that; more make the oldest give way. */
  readonly waiting: number;
}

interface TlsOptions {
  readonly certificate: Certificate;
  readonly log: CertificateLog;
  /** Takes a connection when its handshake is complete. `peerAddress` gives its client. */
  readonly onSecure: (socket: TLSSocket) => void;
  /** Takes a connection whose first byte is not one of TLS. */
  readonly onPlain: (socket: Socket) => void;
  /** ALPN protocols. */
  readonly protocols?: readonly string[];
  readonly limits?: TlsLimits;
}

const defaultLimits: TlsLimits = { handshakeMs: 10_000, waiting: 1_000 };
/** Content type of a record that a handshake begins with (RFC 8446 §5.1). */
const handshakeRecord = 0x16;

/**
 * Speaks TLS on connections that another server accepted, before its protocol begins. The server need not know: the
 * certificate changes while connections are open, and one port tells clients without TLS apart.
 */
export class TlsConnections {
  readonly #server: Server;
  readonly #options: TlsOptions;
  readonly #limits: TlsLimits;
  readonly #unwatch: () => void;
  /** By the address of the client: the end of a handshake tells no more of the connection it was on. */
  readonly #waiting = new Map<string, Waiting>();

  constructor(options: TlsOptions) {
    const { certificate, protocols, limits = defaultLimits, log } = options;
    this.#options = options;
    this.#limits = limits;
    this.#server = createServer({
      ...certificate.current(),
      ...(protocols ? { ALPNProtocols: [...protocols] } : {}),
      handshakeTimeout: limits.handshakeMs,
    });
    this.#server.on('secureConnection', (socket) => this.#onSecure(socket));
    // Without a listener, nothing would be different: the connection is closed. Scanners are not worth a line.
    this.#server.on('tlsClientError', () => undefined);
    this.#unwatch = certificate.watch((identity) => this.#server.setSecureContext(identity), log);
  }

  /** The listener of a server's `connection` event. */
  readonly onConnection = (socket: Socket): void => {
    const settle = this.#wait(socket);
    const destroy = (): void => void socket.destroy();
    const onData = (first: Buffer): void => {
      socket.off('data', onData).off('end', destroy).off('error', destroy);
      // The next reader gets it as if it came first.
      socket.pause();
      socket.unshift(first);
      if (first[0] === handshakeRecord) {
        // An HTTP server keeps its connections half open, and one that ends during the handshake would stay.
        socket.allowHalfOpen = false;
        this.#server.emit('connection', socket);
        return;
      }
      settle();
      this.#options.onPlain(socket);
      socket.resume();
    };
    socket.on('data', onData).on('end', destroy).on('error', destroy);
  };

  /** Ends the connections whose handshake is not complete. */
  close(): void {
    this.#unwatch();
    for (const { socket } of this.#waiting.values()) socket.destroy();
  }

  /** @returns what ends the waiting; so does the end of the connection */
  #wait(socket: Socket): () => void {
    const name = nameOf(socket);
    const timer = setTimeout(() => socket.destroy(), this.#limits.handshakeMs);
    const waiting = {
      socket,
      settle: () => {
        clearTimeout(timer);
        if (this.#waiting.get(name) === waiting) this.#waiting.delete(name);
      },
    };
    this.#waiting.set(name, waiting);
    socket.once('close', waiting.settle);
    const [oldest] = this.#waiting.values();
    if (this.#waiting.size > this.#limits.waiting) oldest?.socket.destroy();
    return waiting.settle;
  }

  #onSecure(secure: TLSSocket): void {
    const waiting = this.#waiting.get(nameOf(secure));
    if (!waiting) {
      secure.destroy();
      return;
    }
    waiting.settle();
    nameClient(secure, peerAddress(waiting.socket));
    this.#options.onSecure(secure);
  }
}

interface Waiting {
  readonly socket: Socket;
  readonly settle: () => void;
}

/** Unique among the connections of a port while they are open. */
const nameOf = ({ remoteAddress = '', remotePort = 0 }: Socket): string => `${remoteAddress} ${remotePort}`;
