import { createSocket, type RemoteInfo, type Socket } from 'node:dgram';

interface RelayOptions {
  /** Port of the server. */
  readonly serverPort: number;
  /** Fraction of datagrams dropped, in both directions. */
  readonly lossFraction: number;
  /** Delay of each datagram, ms. */
  readonly delayMs?: number;
  readonly seed?: number;
}

/** A network between callers and a server on this machine that drops and delays datagrams. */
export class LossyRelay implements AsyncDisposable {
  readonly #options: RelayOptions;
  readonly #callerSocket = createSocket('udp4');
  readonly #serverSockets = new Map<number, Socket>();
  readonly #random: () => number;
  droppedCount = 0;

  static async start(options: RelayOptions): Promise<LossyRelay> {
    const relay = new LossyRelay(options);
    await new Promise<void>((resolve) => relay.#callerSocket.bind(0, '127.0.0.1', resolve));
    return relay;
  }

  private constructor(options: RelayOptions) {
    this.#options = options;
    this.#random = seededRandom(options.seed ?? 1);
    this.#callerSocket.on('message', (message, from) => this.#forward(message, from));
  }

  get port(): number {
    return this.#callerSocket.address().port;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const sockets = [this.#callerSocket, ...this.#serverSockets.values()];
    await Promise.all(sockets.map((socket) => new Promise<void>((resolve) => socket.close(() => resolve()))));
  }

  #forward(message: Buffer, from: RemoteInfo): void {
    const serverSocket = this.#serverSockets.get(from.port) ?? this.#open(from.port);
    this.#sendLossy(() => serverSocket.send(message, this.#options.serverPort, '127.0.0.1', () => undefined));
  }

  #open(callerPort: number): Socket {
    const serverSocket = createSocket('udp4');
    this.#serverSockets.set(callerPort, serverSocket);
    serverSocket.on('message', (message) =>
      this.#sendLossy(() => this.#callerSocket.send(message, callerPort, '127.0.0.1', () => undefined)),
    );
    return serverSocket;
  }

  #sendLossy(send: () => void): void {
    const { lossFraction: loss, delayMs = 0 } = this.#options;
    if (this.#random() < loss) {
      this.droppedCount += 1;
      return;
    }
    const sendIfOpen = () => {
      try {
        send();
      } catch {
        // the relay was closed meanwhile
      }
    };
    if (delayMs === 0) sendIfOpen();
    else setTimeout(sendIfOpen, delayMs);
  }
}

/** Creates a Mulberry32 generator of numbers from 0 to 1. */
function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let hash = Math.imul(state ^ (state >>> 15), 1 | state);
    hash = (hash + Math.imul(hash ^ (hash >>> 7), 61 | hash)) ^ hash;
    return ((hash ^ (hash >>> 14)) >>> 0) / 2 ** 32;
  };
}
