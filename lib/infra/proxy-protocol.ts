import type { Server as HttpServer } from 'node:http';
import { isIP, type Socket } from 'node:net';
import { readProxyHeader } from '@/lib/core/net/proxy-header';
import { addressRanges, nameClient, peerAddress } from './egress/ip-address';

/** Limits for connections of trusted proxies. */
interface HeaderLimits {
  /** Time for a header, or for the first bytes of a client without one, in milliseconds. */
  readonly headerMs: number;
  /** Connections that have not sent it; more make the oldest give way. */
  readonly waiting: number;
}

const defaultLimits: HeaderLimits = { headerMs: 5_000, waiting: 1_000 };

/**
 * Reads the PROXY header of new connections before anything else does. Only trusted proxies may send one, and they need
 * not: the first bytes tell. `peerAddress` then gives the client's address.
 */
export class ProxyHeaders {
  readonly #isTrusted: (address: string) => boolean;
  readonly #accept: (socket: Socket) => void;
  readonly #limits: HeaderLimits;
  readonly #waiting = new Set<Socket>();

  /**
   * @param trustedProxies CIDR ranges (TRUSTED_PROXIES)
   * @param accept takes a connection from behind its header
   */
  constructor(
    trustedProxies: readonly string[],
    accept: (socket: Socket) => void,
    limits: HeaderLimits = defaultLimits,
  ) {
    this.#limits = limits;
    this.#isTrusted = addressRanges(trustedProxies);
    this.#accept = accept;
  }

  /** The listener of a server's `connection` event. */
  readonly onConnection = (socket: Socket): void => {
    if (!this.#isTrusted(peerAddress(socket))) {
      this.#accept(socket);
      return;
    }
    this.#waiting.add(socket);
    this.#read(socket);
    const [oldest = socket] = this.#waiting;
    if (this.#waiting.size <= this.#limits.waiting) return;
    this.#waiting.delete(oldest);
    oldest.destroy();
  };

  /** Ends the connections that have not said enough yet. */
  close(): void {
    for (const socket of this.#waiting) socket.destroy();
  }

  #read(socket: Socket): void {
    let start: Buffer = Buffer.alloc(0);
    const destroy = (): void => void socket.destroy();
    const timer = setTimeout(destroy, this.#limits.headerMs);
    const stop = (): void => {
      clearTimeout(timer);
      this.#waiting.delete(socket);
      socket.off('data', onData).off('end', destroy).off('error', destroy).off('close', stop);
    };
    const onData = (data: Buffer): void => {
      start = start.length === 0 ? data : Buffer.concat([start, data]);
      const header = readProxyHeader(start, isIP);
      if (header.kind === 'incomplete') return;
      stop();
      if (header.kind === 'invalid') {
        destroy();
        return;
      }
      if (header.kind === 'header' && header.client !== null) nameClient(socket, header.client);
      this.#handOver(socket, header.kind === 'header' ? start.subarray(header.bytes) : start);
    };
    socket.on('data', onData).on('end', destroy).on('error', destroy).on('close', stop);
  }

  /** The next reader gets what follows the header as if it came first. */
  #handOver(socket: Socket, remainingBytes: Buffer): void {
    socket.pause();
    if (remainingBytes.length > 0) socket.unshift(remainingBytes);
    this.#accept(socket);
    socket.resume();
  }
}

/** Layer that a connection passes before the server's own protocol begins. */
interface Layer {
  readonly onConnection: (socket: Socket) => void;
  /** Ends the connections that did not get through yet. */
  close(): void;
}

/**
 * Puts a layer in front of an HTTP server, before it listens. The last one comes first.
 * @param open is told where connections go on
 */
export function putInFront(server: HttpServer, open: (next: (socket: Socket) => void) => Layer): void {
  const listeners = server.listeners('connection');
  const layer = open((socket) => {
    for (const listener of listeners) Reflect.apply(listener, server, [socket]);
  });
  server.removeAllListeners('connection');
  server.on('connection', layer.onConnection);
  // Node's own close() calls it first. The server does not know of connections that are in a layer.
  const closeIdle = server.closeIdleConnections.bind(server);
  server.closeIdleConnections = () => {
    layer.close();
    closeIdle();
  };
}
