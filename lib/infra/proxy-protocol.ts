import type { Server as HttpServer } from 'node:http';
import { isIP, type Socket } from 'node:net';
import { readProxyHeader } from '@/lib/core/net/proxy-header';
import { createRangeTest, setClientAddress, peerAddress } from './egress/ip-address';

/** Limits for connections of trusted proxies. */
interface HeaderLimits {
  /** Timeout of a header, or of the first bytes of a client without one, in milliseconds. */
  readonly headerTimeoutMs: number;
  /** Maximum connections that wait for their header; above it, the oldest is closed. */
  readonly maxWaiting: number;
}

const defaultLimits: HeaderLimits = { headerTimeoutMs: 5_000, maxWaiting: 1_000 };

/**
 * Reads the PROXY header of new connections. Only trusted proxies may send one; the first bytes show whether they did.
 * Afterwards `peerAddress` returns the address of the client in the header.
 */
export class ProxyHeaders {
  readonly #isTrusted: (address: string) => boolean;
  readonly #accept: (socket: Socket) => void;
  readonly #limits: HeaderLimits;
  readonly #waiting = new Set<Socket>();

  /**
   * @param trustedProxies CIDR ranges (TRUSTED_PROXIES)
   * @param accept handles a connection after its header
   */
  constructor(
    trustedProxies: readonly string[],
    accept: (socket: Socket) => void,
    limits: HeaderLimits = defaultLimits,
  ) {
    this.#limits = limits;
    this.#isTrusted = createRangeTest(trustedProxies);
    this.#accept = accept;
  }

  /** Listener for the `connection` event of a server. */
  readonly onConnection = (socket: Socket): void => {
    if (!this.#isTrusted(peerAddress(socket))) {
      this.#accept(socket);
      return;
    }
    this.#waiting.add(socket);
    this.#read(socket);
    const [oldest = socket] = this.#waiting;
    if (this.#waiting.size <= this.#limits.maxWaiting) return;
    this.#waiting.delete(oldest);
    oldest.destroy();
  };

  /** Closes the connections that are still waiting for their header. */
  close(): void {
    for (const socket of this.#waiting) socket.destroy();
  }

  #read(socket: Socket): void {
    let firstBytes: Buffer = Buffer.alloc(0);
    const destroy = (): void => void socket.destroy();
    const timer = setTimeout(destroy, this.#limits.headerTimeoutMs);
    const stopReading = (): void => {
      clearTimeout(timer);
      this.#waiting.delete(socket);
      socket.off('data', onData).off('end', destroy).off('error', destroy).off('close', stopReading);
    };
    const onData = (data: Buffer): void => {
      firstBytes = firstBytes.length === 0 ? data : Buffer.concat([firstBytes, data]);
      const header = readProxyHeader(firstBytes, isIP);
      if (header.kind === 'incomplete') return;
      stopReading();
      if (header.kind === 'invalid') {
        destroy();
        return;
      }
      if (header.kind === 'header' && header.client !== null) setClientAddress(socket, header.client);
      this.#handOver(socket, header.kind === 'header' ? firstBytes.subarray(header.bytes) : firstBytes);
    };
    socket.on('data', onData).on('end', destroy).on('error', destroy).on('close', stopReading);
  }

  /** Passes a connection on, with the bytes after the header unread. */
  #handOver(socket: Socket, remainingBytes: Buffer): void {
    socket.pause();
    if (remainingBytes.length > 0) socket.unshift(remainingBytes);
    this.#accept(socket);
    socket.resume();
  }
}

/** Layer between the connection and the protocol of the server. */
interface ConnectionLayer {
  readonly onConnection: (socket: Socket) => void;
  /** Closes the connections that have not passed the layer. */
  close(): void;
}

/**
 * Puts a layer in front of an HTTP server that does not listen yet. Layers that are added later handle connections earlier.
 * @param createLayer creates the layer; `next` handles connections that passed it
 */
export function addConnectionLayer(
  server: HttpServer,
  createLayer: (next: (socket: Socket) => void) => ConnectionLayer,
): void {
  const listeners = server.listeners('connection');
  const layer = createLayer((socket) => {
    for (const listener of listeners) Reflect.apply(listener, server, [socket]);
  });
  server.removeAllListeners('connection');
  server.on('connection', layer.onConnection);
  // Node's `close()` calls `closeIdleConnections` first. The server does not know the connections inside a layer, so they are
  // closed here.
  const closeIdle = server.closeIdleConnections.bind(server);
  server.closeIdleConnections = () => {
    layer.close();
    closeIdle();
  };
}
