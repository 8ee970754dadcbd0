import { TsDemuxer } from '@/media-worker/media/mpegts/ts-demuxer';
import type { PublishEnd } from '@/media-worker/media/packets/publish';
import type { PublishLifecycle } from '@/media-worker/ingest/publisher/publish-lifecycle';
import { parseKeyMaterial, type StreamCipher } from './key-material';
import { Receiver, type ReceiverCounts } from './receiver';
import {
  type ControlPacket,
  formatControlPacket,
  controlTypes,
  type DataPacket,
  keyMaterialTypes,
} from './srt-packet';
import type { SrtLimits } from './srt-limits';
import { sequenceDistance } from './sequence';

const NO_BYTES = Buffer.alloc(0);
/** Maximum payload of a packet in a UDP datagram of 1,500 bytes. */
const MAX_PAYLOAD_BYTES = 1_456;
/** States of the key exchange, sent as the response to keys that cannot be used (draft-sharabayko-srt-01 §3.2.2). */
const NO_PASSPHRASE = Buffer.from([0, 0, 0, 3]);
const BAD_PASSPHRASE = Buffer.from([0, 0, 0, 4]);

export interface HandshakeResult {
  readonly peerSocketId: number;
  readonly initialSequence: number;
  /** Timestamp of the conclusion, which arrived at `monotonicMs`: microseconds modulo 2^32. */
  readonly conclusionTimestampUs: number;
  readonly monotonicMs: number;
  readonly latencyMs: number;
  /** Cipher of the stream; null without encryption. */
  readonly cipher: StreamCipher | null;
}

interface ConnectionOptions extends HandshakeResult {
  readonly publish: PublishLifecycle;
  readonly limits: Pick<SrtLimits, 'silenceTimeoutMs' | 'keepAliveMs' | 'bufferPackets'>;
  readonly send: (packet: Buffer) => void;
  /** Called once, when the connection is closed. */
  readonly onClosed: () => void;
}

/** One SRT connection of an admitted publisher, from the answer to its handshake to its end. */
export class SrtConnection {
  readonly #options: ConnectionOptions;
  readonly #receiver: Receiver;
  readonly #demuxer: TsDemuxer;
  readonly #startedAtMs: number;
  /** Monotonic times in milliseconds of the current event, the last packet received and the last packet sent. */
  #monotonicMs: number;
  #receivedAtMs: number;
  #sentAtMs: number;
  #isClosed = false;
  #isInstallingKeys = false;
  /** Sequence number of the last packet that the demuxer got; null before the first one. */
  #lastSequence: number | null = null;
  /** Number of packets that could not be decrypted. */
  #undecryptedCount = 0;

  constructor(options: ConnectionOptions) {
    const { publish, limits, monotonicMs } = options;
    this.#options = options;
    this.#startedAtMs = monotonicMs;
    this.#monotonicMs = monotonicMs;
    this.#receivedAtMs = monotonicMs;
    this.#sentAtMs = monotonicMs;
    this.#demuxer = new TsDemuxer({
      onPacket: (packet) => publish.pushMedia(packet),
      onTracks: (tracks) => publish.announce(tracks),
    });
    this.#receiver = new Receiver({
      ...options,
      firstTimestamp: options.conclusionTimestampUs,
      bufferPackets: limits.bufferPackets,
      onData: (packet) => this.#onData(packet),
      send: (type, info, body) => this.#send({ type, info, body }),
    });
  }

  /** Numbers of packets so far, for the log and metrics. */
  get counts(): ReceiverCounts & { readonly undecrypted: number } {
    return { ...this.#receiver.counts, undecrypted: this.#undecryptedCount };
  }

  /** Handles a packet of the peer. Rethrows errors of consumers. */
  receive(packet: DataPacket | ControlPacket, monotonicMs: number): void {
    if (this.#isClosed) return;
    this.#monotonicMs = monotonicMs;
    this.#receivedAtMs = monotonicMs;
    if (packet.kind === 'data') this.#receiver.receiveData(packet, monotonicMs);
    else this.#receiveControl(packet);
  }

  /** Periodic work, called every 10 ms. */
  tick(monotonicMs: number): void {
    if (this.#isClosed) return;
    this.#monotonicMs = monotonicMs;
    if (monotonicMs - this.#receivedAtMs >= this.#options.limits.silenceTimeoutMs) {
      this.end('lost');
      return;
    }
    this.#receiver.tick(monotonicMs);
    if (monotonicMs - this.#sentAtMs >= this.#options.limits.keepAliveMs)
      this.#send({ type: controlTypes.keepAlive });
  }

  /** Delivers the packets that have arrived, then ends the connection and its publish. */
  end(reason: PublishEnd): void {
    if (this.#isClosed) return;
    this.#receiver.flush();
    this.#demuxer.end();
    this.close(reason);
  }

  /** Ends the connection and its publish immediately. Idempotent. */
  close(reason: PublishEnd): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    if (reason !== 'finished') this.#send({ type: controlTypes.shutdown, body: Buffer.alloc(4) });
    this.#options.onClosed();
    this.#options.publish.end(reason);
  }

  #receiveControl({ type, subtype, info, body }: ControlPacket): void {
    if (type === controlTypes.acknowledged) this.#receiver.confirmAcknowledgement(info, this.#monotonicMs);
    else if (type === controlTypes.shutdown) this.end('finished');
    else if (type === controlTypes.dropRequest && body.length >= 8)
      this.#receiver.dropRange({ firstSequence: readSequence(body, 0), lastSequence: readSequence(body, 4) });
    else if (type === controlTypes.userDefined && subtype === keyMaterialTypes.request)
      void this.#installKeys(body);
  }

  /** Installs the keys of a message, which the encoder repeats until it gets a response. */
  async #installKeys(message: Buffer): Promise<void> {
    if (this.#isInstallingKeys) return;
    this.#isInstallingKeys = true;
    const material = parseKeyMaterial(message);
    const { cipher } = this.#options;
    const isInstalled = cipher !== null && material !== null && (await cipher.installKeys(material));
    this.#isInstallingKeys = false;
    const failure = cipher === null ? NO_PASSPHRASE : BAD_PASSPHRASE;
    const fields = { type: controlTypes.userDefined, subtype: keyMaterialTypes.response } as const;
    if (!this.#isClosed) this.#send({ ...fields, body: isInstalled ? message : failure });
  }

  #onData(packet: DataPacket): void {
    const { cipher } = this.#options;
    const isPlain = cipher === null && packet.keySlot === null;
    const payload = isPlain ? packet.payload : (cipher?.decrypt(packet) ?? null);
    if (payload) this.#demux(packet.sequence, payload);
    else this.#undecryptedCount += 1;
  }

  #demux(sequence: number, payload: Buffer): void {
    const lostCount = this.#lastSequence === null ? 0 : sequenceDistance(this.#lastSequence, sequence) - 1;
    this.#lastSequence = sequence;
    if (lostCount > 0) this.#demuxer.markLoss(lostCount * MAX_PAYLOAD_BYTES);
    this.#demuxer.push(payload);
  }

  #send(packet: Pick<ControlPacket, 'type'> & Partial<ControlPacket>): void {
    const { type, subtype = 0, info = 0, body = NO_BYTES } = packet;
    this.#sentAtMs = this.#monotonicMs;
    const timestampUs = Math.round((this.#monotonicMs - this.#startedAtMs) * 1_000) >>> 0;
    const destination = this.#options.peerSocketId;
    this.#options.send(formatControlPacket({ type, subtype, info, timestampUs, destination, body }));
  }
}

const readSequence = (body: Buffer, offset: number): number => body.readUInt32BE(offset) & 0x7fff_ffff;
