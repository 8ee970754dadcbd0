import { createSocket, type Socket } from 'node:dgram';
import { isIPv6 } from 'node:net';
import {
  formatCapabilities,
  extensionTypes,
  type Handshake,
  formatHandshake,
  handshakeTypes,
  parseHandshake,
  formatText,
} from '@/media-worker/ingest/srt/handshake';
import { parseLossReport } from '@/media-worker/ingest/srt/loss-report';
import { sequenceAfter, sequenceDistance } from '@/media-worker/ingest/srt/sequence';
import {
  type ControlPacket,
  formatControlPacket,
  controlTypes,
  keyMaterialTypes,
  parsePacket,
} from '@/media-worker/ingest/srt/srt-packet';
import { CallerKeys } from './caller-keys';

const REPEAT_MS = 100;
const SOCKET_ID = 0x1234;

interface CallOptions {
  readonly port: number;
  readonly host?: string;
  readonly streamId: string;
  /** Passphrase for AES encryption. */
  readonly passphrase?: string;
  readonly keyBytes?: 16 | 24 | 32;
  readonly initialSequence?: number;
  /** Timestamp of the first data packet, microseconds. */
  readonly firstTimestampUs?: number;
  /** Fields of the conclusion that differ from the defaults. */
  readonly conclusion?: Partial<Handshake>;
  readonly flags?: number;
  /** Ends a call that is never answered. */
  readonly signal?: AbortSignal;
}

/** An SRT publisher in this process, which implements the sending side of the protocol. */
export class SrtCaller implements AsyncDisposable {
  readonly #options: CallOptions;
  readonly #socket: Socket;
  readonly #keys: CallerKeys | null;
  readonly #sentPackets = new Map<number, Buffer>();
  readonly #startedAtMs = performance.now();
  readonly #handshakeResponses: Handshake[] = [];
  readonly #checks = new Set<() => void>();
  /** All control packets of the server except handshakes. */
  readonly controlPackets: ControlPacket[] = [];
  #sequence: number;
  #acknowledgedSequence: number;
  #serverSocketId = 0;

  /** Connects a publisher. Rejects with the rejection code of the server. */
  static async connect(options: CallOptions): Promise<SrtCaller> {
    const caller = new SrtCaller(options);
    await caller.#shakeHands();
    return caller;
  }

  private constructor(options: CallOptions) {
    const { host = '127.0.0.1', passphrase, keyBytes = 16, initialSequence = 1_000 } = options;
    this.#options = options;
    this.#socket = createSocket(isIPv6(host) ? 'udp6' : 'udp4');
    this.#keys = passphrase === undefined ? null : new CallerKeys(passphrase, keyBytes);
    this.#sequence = initialSequence;
    this.#acknowledgedSequence = initialSequence;
    this.#socket.on('message', (message) => this.#receive(message));
  }

  /**
   * Sends one packet.
   * @param isLost whether the first transmission is dropped
   */
  send(payload: Buffer, { isLost = false }: { readonly isLost?: boolean } = {}): void {
    const sequence = this.#sequence;
    this.#sequence = sequenceAfter(sequence, 1);
    const packet = Buffer.alloc(16 + payload.length);
    packet.writeUInt32BE(sequence, 0);
    const slotBit = this.#keys ? this.#keys.slotBit : 0;
    // A whole message with number 1, and the slot of its key.
    packet.writeUInt32BE((0xc000_0001 | (slotBit << 27)) >>> 0, 4);
    packet.writeUInt32BE(this.#timestampUs(), 8);
    packet.writeUInt32BE(this.#serverSocketId, 12);
    (this.#keys?.encrypt(sequence, payload) ?? payload).copy(packet, 16);
    this.#sentPackets.set(sequence, packet);
    if (!isLost) this.sendRaw(packet);
  }

  /** Encrypts later packets with a new key. */
  changeKey(): void {
    if (!this.#keys) throw new Error('the caller does not encrypt');
    const body = this.#keys.changeKey();
    this.#control({ type: controlTypes.userDefined, subtype: keyMaterialTypes.request, body });
  }

  shutdown(): void {
    this.#control({ type: controlTypes.shutdown, body: Buffer.alloc(4) });
  }

  control(packet: Partial<ControlPacket> & Pick<ControlPacket, 'type'>): void {
    this.#control(packet);
  }

  sendRaw(datagram: Buffer): void {
    this.#socket.send(datagram, this.#options.port, this.#options.host ?? '127.0.0.1', () => undefined);
  }

  get socketIdOfServer(): number {
    return this.#serverSocketId;
  }

  /** Resolves when all sent packets have arrived. */
  async whenAcknowledged(): Promise<void> {
    await this.waitUntil(() => sequenceDistance(this.#acknowledgedSequence, this.#sequence) === 0);
  }

  waitUntil(condition: () => boolean): Promise<void> {
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

  async [Symbol.asyncDispose](): Promise<void> {
    await new Promise<void>((resolve) => this.#socket.close(() => resolve()));
  }

  async #shakeHands(): Promise<void> {
    const induction = await this.#exchange({ version: 4, extensionField: 2, type: handshakeTypes.induction });
    const extensions = this.#extensions();
    // Flags of the extensions: request, key material, configuration (stream id).
    const extensionFlags = 1 | (this.#keys ? 2 : 0) | 4;
    const answer = await this.#exchange({
      version: 5,
      extensionField: extensionFlags,
      type: handshakeTypes.conclusion,
      cookie: induction.cookie,
      extensions,
      ...this.#options.conclusion,
    });
    if (answer.type !== handshakeTypes.conclusion) {
      await this[Symbol.asyncDispose]();
      throw new Error(`rejected: ${answer.type}`);
    }
    this.#serverSocketId = answer.socketId;
  }

  #extensions(): Map<number, Buffer> {
    const { flags = 0x3f, streamId } = this.#options;
    const capabilities = { version: 0x01_05_00, flags, receiveLatencyMs: 120, sendLatencyMs: 120 };
    const extensions = new Map([[extensionTypes.request as number, formatCapabilities(capabilities)]]);
    if (this.#keys) extensions.set(extensionTypes.keyMaterialRequest, this.#keys.keyMaterialMessage);
    extensions.set(extensionTypes.streamId, formatText(streamId));
    return extensions;
  }

  async #exchange(handshake: Partial<Handshake>): Promise<Handshake> {
    const body = formatHandshake({
      version: 5,
      encryption: 0,
      extensionField: 0,
      mtu: 1500,
      flowWindow: 8192,
      type: 0,
      cookie: 0,
      socketId: SOCKET_ID,
      initialSequence: this.#sequence,
      peerAddress: Buffer.alloc(16),
      extensions: new Map<number, Buffer>(),
      ...handshake,
    });
    const packet = formatControlPacket({
      type: controlTypes.handshake,
      subtype: 0,
      info: 0,
      destination: 0,
      body,
      timestampUs: this.#timestampUs(),
    });
    // The server answers a repeated induction again.
    const isInduction = handshake.type === handshakeTypes.induction;
    const handshakeAnswer = () =>
      this.#handshakeResponses.find(({ type }) => (type === handshakeTypes.induction) === isInduction);
    this.sendRaw(packet);
    const repeatTimer = setInterval(() => this.sendRaw(packet), REPEAT_MS);
    const wake = () => this.#wake();
    const { signal } = this.#options;
    signal?.addEventListener('abort', wake);
    await this.waitUntil(() => handshakeAnswer() !== undefined || signal?.aborted === true);
    clearInterval(repeatTimer);
    const answer = handshakeAnswer();
    if (answer) return answer;
    await this[Symbol.asyncDispose]();
    throw new Error('the server did not answer');
  }

  #receive(message: Buffer): void {
    const packet = parsePacket(message);
    if (packet?.kind !== 'control') return;
    if (packet.type === controlTypes.handshake) {
      const handshake = parseHandshake(packet.body);
      if (handshake) this.#handshakeResponses.push(handshake);
    } else this.#onControlPacket(packet);
    this.#wake();
  }

  #wake(): void {
    for (const check of [...this.#checks]) check();
  }

  #onControlPacket(packet: ControlPacket): void {
    this.controlPackets.push(packet);
    if (packet.type === controlTypes.acknowledgement) {
      this.#acknowledgedSequence = packet.body.readUInt32BE(0);
      if (packet.info !== 0) this.#control({ type: controlTypes.acknowledged, info: packet.info });
    }
    if (packet.type === controlTypes.lossReport)
      for (const { firstSequence, lastSequence } of parseLossReport(packet.body))
        for (let step = 0; step <= sequenceDistance(firstSequence, lastSequence); step += 1)
          this.#sendAgain(sequenceAfter(firstSequence, step));
  }

  #sendAgain(sequence: number): void {
    const packet = this.#sentPackets.get(sequence);
    if (!packet) return;
    // The flag of a retransmitted packet.
    packet.writeUInt32BE((packet.readUInt32BE(4) | 0x0400_0000) >>> 0, 4);
    this.sendRaw(packet);
  }

  #control({ type, ...packet }: Partial<ControlPacket> & Pick<ControlPacket, 'type'>): void {
    const defaults = { subtype: 0, info: 0, timestampUs: this.#timestampUs(), body: Buffer.alloc(0) };
    this.sendRaw(formatControlPacket({ type, ...defaults, destination: this.#serverSocketId, ...packet }));
  }

  #timestampUs(): number {
    const { firstTimestampUs = 0 } = this.#options;
    return (firstTimestampUs + Math.round((performance.now() - this.#startedAtMs) * 1_000)) >>> 0;
  }
}
