import { connect, type Socket } from 'node:net';
import { encodeAmf0 } from './amf0';
import { type Message, toChunks } from './chunks';

const AUDIO = 8;
const VIDEO = 9;
const COMMAND = 20;

/** A complete plain handshake of a client: C0, C1, C2. */
export const HANDSHAKE = Buffer.concat([Buffer.from([3]), Buffer.alloc(3072)]);

/** Bodies of FLV tags: a decoder configuration of H.264 and one of AAC-LC (44.1 kHz, stereo). */
export const AVC_CONFIG = Buffer.from('17000000000164001fffe1000467640000', 'hex');
export const AAC_CONFIG = Buffer.from('af001210', 'hex');
export const keyFrame = (fill = 1): Buffer =>
  Buffer.concat([Buffer.from('1701000000', 'hex'), Buffer.alloc(40, fill)]);
export const audioFrame = (fill = 1): Buffer =>
  Buffer.concat([Buffer.from('af01', 'hex'), Buffer.alloc(20, fill)]);

export const command = (
  name: string,
  transaction: number,
  ...args: Parameters<typeof encodeAmf0>
): Message => ({
  type: COMMAND,
  payload: encodeAmf0(name, transaction, ...args),
});

export const connectCommand = (app = 'live'): Message =>
  command('connect', 1, { app, tcUrl: `rtmp://127.0.0.1/${app}` });

export const publishCommand = (key: string): Message => ({
  ...command('publish', 3, null, key, 'live'),
  streamId: 1,
});

/** A small RTMP client that encodes without the library. `write` and `send` allow invalid input. */
export class RtmpClient {
  readonly socket: Socket;
  #receivedBytes = Buffer.alloc(0);
  #closed = false;
  readonly #checks = new Set<() => void>();

  private constructor(socket: Socket) {
    this.socket = socket;
    socket.on('data', (data: Buffer) => {
      this.#receivedBytes = Buffer.concat([this.#receivedBytes, data]);
      this.#wake();
    });
    socket.on('error', () => undefined);
    socket.on('close', () => {
      this.#closed = true;
      this.#wake();
    });
  }

  /**
   * Opens a TCP connection without sending data.
   * @param localAddress loopback address of the client
   */
  static open(port: number, localAddress = '127.0.0.1'): Promise<RtmpClient> {
    return new Promise((resolve, reject) => {
      const socket = connect({ port, host: '127.0.0.1', localAddress, noDelay: true });
      const client = new RtmpClient(socket);
      socket.once('connect', () => resolve(client));
      socket.once('error', reject);
    });
  }

  /** Uses an open connection, for example with TLS. */
  static fromSocket(socket: Socket): RtmpClient {
    return new RtmpClient(socket);
  }

  /** Opens a connection that requests to publish `key`. `waitForText` waits for the response. */
  static async connectAndPublish(port: number, key: string, app = 'live'): Promise<RtmpClient> {
    const client = await RtmpClient.open(port);
    client.publish(key, app);
    return client;
  }

  publish(key: string, app = 'live'): void {
    this.write(HANDSHAKE);
    this.send(connectCommand(app), command('createStream', 2, null), publishCommand(key));
  }

  get closed(): boolean {
    return this.#closed;
  }

  /** All data from the server as text, with readable status codes. */
  get receivedText(): string {
    return this.#receivedBytes.toString('latin1');
  }

  get receivedBytes(): Buffer {
    return this.#receivedBytes;
  }

  write(data: Buffer): void {
    if (this.socket.writable) this.socket.write(data);
  }

  send(...messages: Message[]): void {
    this.write(Buffer.concat(messages.map((message) => toChunks(message))));
  }

  video(timestamp: number, body: Buffer): void {
    this.send({ type: VIDEO, payload: body, timestamp, chunkStream: 6, streamId: 1 });
  }

  audio(timestamp: number, body: Buffer): void {
    this.send({ type: AUDIO, payload: body, timestamp, chunkStream: 4, streamId: 1 });
  }

  /** Waits until the server has sent a text, for example a status code. Rejects if the connection closes before. */
  async waitForText(text: string): Promise<void> {
    await this.#waitUntil(() => this.#closed || this.receivedText.includes(text));
    if (!this.receivedText.includes(text)) throw new Error(`connection closed before ${text}`);
  }

  async waitForClose(): Promise<void> {
    await this.#waitUntil(() => this.#closed);
  }

  end(): void {
    this.socket.destroy();
  }

  #waitUntil(condition: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      const check = (): void => {
        if (!condition()) return;
        this.#checks.delete(check);
        resolve();
      };
      this.#checks.add(check);
      check();
    });
  }

  #wake(): void {
    for (const check of [...this.#checks]) check();
  }
}
